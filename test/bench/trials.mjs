// The trials. One row each: its name, what runs it, and the figures it gives, by their key in what it returns (or a
// function that gives these for a plan); a `slow` one is left out of a quick run, a `onDemand` one runs only when asked
// for.
import { dashboardSize, trackerSize } from './downloads.mjs'
import { leftoverFiles, memory, size, start } from './executable.mjs'
import { bare, bytes, bytesGoal, memoryGoal, reportGoal, startGoal, underLoadGoal, year } from './figures.mjs'
import { firstHit } from './first-hit.mjs'
import { halfRate, ingest, mixedIngest } from './ingest.mjs'
import { movingRate } from './moving.mjs'
import { collectionDuringReports, reports } from './reports.mjs'
import { importRate } from './year.mjs'
import { yearTrials } from './year-trials.mjs'

const ingestTrial = (
  connections,
  { name = 'ingest', sent = 'durable hits', run = ingest, goal, slow = false } = {},
) => {
  const over = `${connections} ${connections === 1 ? 'connection' : 'connections'}`
  return {
    name: `${name}-${connections}`,
    slow,
    run: run(connections),
    figures: {
      rate: { figure: `${sent}, ${over}: answered with 204`, unit: '/s', limitIs: bare, goal },
      p50: { figure: `${sent}, ${over}: p50`, unit: 'ms', limitIs: bare },
      p99: { figure: `${sent}, ${over}: p99`, unit: 'ms', limitIs: bare },
      bytes: { figure: `database bytes per view, after ${sent} over ${over}`, unit: 'bytes', goal: bytesGoal },
    },
  }
}

const reportFigures = (name, days) =>
  Object.fromEntries(
    ['p50', 'p99'].map(share => [
      `${name}-${days}-${share}`,
      {
        figure: `/${name}, ${days} days, views of one hour: ${share}`,
        unit: 'ms',
        limitIs: bytes,
        goal: days === 365 ? reportGoal(name, share) : undefined,
      },
    ]),
  )

const csvAlone = 'the file read by csv-parse alone'

const movingTrial = (kind, figure, limitIs) => ({
  name: `moving-${kind}`,
  slow: true,
  run: movingRate(kind),
  figures: { rate: { figure, unit: '/s', limitIs } },
})

export const trials = [
  { name: 'size', run: size, figures: { size: { figure: 'executable: size', unit: 'MiB', limitIs: 'Node alone' } } },
  {
    name: 'start',
    slow: true,
    run: start,
    figures: {
      fresh: { figure: 'start to first 200, new file', unit: 'ms', limitIs: bare },
      used: { figure: 'start to first 200, existing file', unit: 'ms', limitIs: bare, goal: startGoal },
      year: {
        figure: 'start to first 200, file of a year',
        unit: 'ms',
        limitIs: bare,
        goal: { ...startGoal, at: year },
      },
    },
  },
  {
    name: 'memory',
    run: memory,
    figures: {
      idle: { figure: 'resident memory, idle for 2 s', unit: 'MiB', limitIs: bare, goal: memoryGoal.idle },
      loaded: {
        figure: 'resident memory, after full load and a report',
        unit: 'MiB',
        limitIs: bare,
        goal: memoryGoal.loaded,
      },
      peak: { figure: 'resident memory, at most', unit: 'MiB', limitIs: bare, goal: memoryGoal.loaded },
    },
  },
  {
    name: 'litter',
    run: leftoverFiles,
    figures: { files: { figure: 'files left behind beside the database', unit: '', goal: { max: 0 } } },
  },
  ingestTrial(1, { slow: true }),
  ingestTrial(8, { slow: true }),
  ingestTrial(64, { goal: { ratio: 0.2, floor: 0.12 } }),
  ingestTrial(256, { slow: true }),
  ingestTrial(64, { name: 'mixed', sent: 'durable mixed traffic', run: mixedIngest }),
  {
    name: 'half-rate',
    run: halfRate(64),
    figures: {
      p50: { figure: 'durable hits at half the rate of 64 connections: p50', unit: 'ms', limitIs: bare },
      p99: {
        figure: 'durable hits at half the rate of 64 connections: p99',
        unit: 'ms',
        limitIs: bare,
        goal: { max: 15, floor: 25 },
      },
    },
  },
  {
    name: 'reports',
    slow: true,
    run: reports([30, 365]),
    figures: {
      ...reportFigures('summary', 30),
      ...reportFigures('pages', 30),
      ...reportFigures('summary', 365),
      ...reportFigures('pages', 365),
    },
  },
  {
    name: 'first-hit',
    slow: true,
    run: firstHit,
    figures: {
      pause: {
        figure: 'first hit after a start, ids of the last 48 hours in the file: longest wait of any request',
        unit: 'ms',
        limitIs: 'second hit',
        goal: { max: 50, floor: 150 },
      },
    },
  },
  {
    name: 'import',
    run: importRate,
    figures: {
      rate: {
        figure: 'import of recorded requests, rollups built afterwards',
        unit: '/s',
        goal: { min: 60_000, floor: 30_000 },
      },
    },
  },
  movingTrial('sums', 'import of sums (Plausible CSV, pages of days)', csvAlone),
  movingTrial('visits', 'import of single visits (Umami CSV)', csvAlone),
  movingTrial('log', 'import of an access log, a third of it pages', 'its lines read alone'),
  {
    name: 'reports-beside',
    slow: true,
    run: collectionDuringReports(1000),
    figures: {
      p99: {
        figure: 'hits at 1,000/s while reports run constantly: p99',
        unit: 'ms',
        limitIs: 'without reports',
        goal: underLoadGoal,
      },
    },
  },
  ...yearTrials,
  {
    name: 'dashboard',
    run: dashboardSize,
    figures: {
      bytes: { figure: 'dashboard, first load, with Brotli', unit: 'bytes', goal: { max: 110_000, floor: 120_000 } },
    },
  },
  {
    name: 'tracker',
    run: trackerSize,
    figures: { bytes: { figure: 'tracker, gzipped', unit: 'bytes', goal: { max: 2000, floor: 2350 } } },
  },
]
