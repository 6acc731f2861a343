// The trials. One row each: its name, what runs it, and the figures it gives, by their key in what it returns; a `slow`
// one is left out of a quick run.
// A goal is `{ ratio }` or `{ least }` (at least), or `{ most }` (at most); `floor` has to be reached in any case; `at`: the goal is
// for that much data, so that it cannot be met or missed here. Source of the goals: docs/performance.md.
import { litter, memory, size, start, trackerSize } from './executable.mjs'
import { halfRate, ingest } from './ingest.mjs'
import { collectionBesideReports, reports } from './reports.mjs'
import { revenueReports } from './revenue.mjs'
import { importRate, yearReports } from './year.mjs'

const bare = 'bare node:http'

const ingestTrial = (connections, { goal, slow = false } = {}) => {
  const over = `${connections} ${connections === 1 ? 'connection' : 'connections'}`
  return {
    name: `ingest-${connections}`,
    slow,
    run: ingest(connections),
    figures: {
      rate: { figure: `durable hits, ${over}: answered with 204`, unit: '/s', limitIs: bare, goal },
      p50: { figure: `durable hits, ${over}: p50`, unit: 'ms', limitIs: bare },
      p99: { figure: `durable hits, ${over}: p99`, unit: 'ms', limitIs: bare },
      bytes: { figure: `database bytes per view, after ${over}`, unit: 'bytes', goal: { most: 110 } },
    },
  }
}

const year = '10 M views'
const reportFigures = (name, days, most) => Object.fromEntries(Object.entries(most).map(([share, limit]) => [`${name}-${days}-${share}`, {
  figure: `/${name}, ${days} days, views of one hour: ${share}`, unit: 'ms', limitIs: `${bare}, as many bytes`, goal: limit === null ? undefined : { most: limit, at: year },
}]))

/** Every unfiltered report, on a year of views. */
const yearNames = [
  'summary', 'sources', 'sources?group_by=channel', 'pages', 'pages/entry', 'pages/exit', 'utm', 'events', 'events/signup',
  'dimensions/country', 'dimensions/city', 'dimensions/browser_version', 'dimensions/hour',
]
const goalOf = (name, share) => share === 'p99' ? 60 : name === 'summary' ? 3 : 15

/** Every revenue report, on a year of orders. */
const revenueNames = [
  'summary', 'timeseries', 'by-channel', 'by-utm', 'by-landing', 'products', 'products?orderby=units', 'funnel', 'refunds', 'coupons',
].map(name => `revenue/${name}`)

const timesOf = (names, days, goal) => Object.fromEntries(names.flatMap(name => ['p50', 'p99'].map(share => [`${name} ${share}`, {
  figure: `/${name}, ${days} days: ${share}`, unit: 'ms', limitIs: `${bare}, as many bytes`, goal: goal(name, share),
}])))

export const trials = [
  { name: 'size', run: size, figures: { size: { figure: 'executable: size', unit: 'MiB', limitIs: 'Node alone' } } },
  {
    name: 'start',
    slow: true,
    run: start,
    figures: {
      fresh: { figure: 'start to first 200, new file', unit: 'ms', limitIs: bare },
      used: { figure: 'start to first 200, existing file', unit: 'ms', limitIs: bare, goal: { most: 300 } },
    },
  },
  {
    name: 'memory',
    run: memory,
    figures: {
      idle: { figure: 'resident memory, idle for 2 s', unit: 'MiB', limitIs: bare, goal: { most: 120 } },
      loaded: { figure: 'resident memory, after full load and a report', unit: 'MiB', limitIs: bare, goal: { most: 200 } },
      peak: { figure: 'resident memory, at most', unit: 'MiB', limitIs: bare, goal: { most: 200 } },
    },
  },
  { name: 'litter', run: litter, figures: { files: { figure: 'files left behind beside the database', unit: '', goal: { most: 0 } } } },
  ingestTrial(1, { slow: true }),
  ingestTrial(8),
  ingestTrial(64, { goal: { ratio: 0.5, floor: 0.35 } }),
  ingestTrial(256, { slow: true }),
  {
    name: 'half-rate',
    run: halfRate(64),
    figures: {
      p50: { figure: 'durable hits at half the rate of 64 connections: p50', unit: 'ms', limitIs: bare },
      p99: { figure: 'durable hits at half the rate of 64 connections: p99', unit: 'ms', limitIs: bare, goal: { most: 25 } },
    },
  },
  {
    name: 'reports',
    slow: true,
    run: reports([30, 365]),
    figures: {
      ...reportFigures('summary', 30, { p50: null, p99: null }),
      ...reportFigures('pages', 30, { p50: null, p99: null }),
      ...reportFigures('summary', 365, { p50: 3, p99: null }),
      ...reportFigures('pages', 365, { p50: 15, p99: 60 }),
    },
  },
  {
    name: 'import',
    run: importRate,
    figures: { rate: { figure: 'import of recorded requests, rollups built afterwards', unit: '/s', goal: { least: 30_000 } } },
  },
  {
    name: 'year',
    run: yearReports(yearNames, 365),
    figures: {
      bytes: { figure: 'database bytes per view, a year', unit: 'bytes', goal: { most: 110 } },
      ...timesOf(yearNames, 365, (name, share) => ({ most: goalOf(name, share) })),
    },
  },
  {
    name: 'revenue',
    run: revenueReports(revenueNames, 365),
    figures: {
      bytes: { figure: 'database bytes per order, a year', unit: 'bytes' },
      ...timesOf(revenueNames, 365, (_name, share) => share === 'p50' ? { most: 10 } : undefined),
    },
  },
  {
    name: 'reports-beside',
    slow: true,
    run: collectionBesideReports(1000),
    figures: { p99: { figure: 'hits at 1,000/s while reports run constantly: p99', unit: 'ms', limitIs: 'without reports', goal: { most: 25 } } },
  },
  { name: 'tracker', run: trackerSize, figures: { bytes: { figure: 'tracker, gzipped', unit: 'bytes', goal: { most: 1500, floor: 2000 } } } },
]
