// The trials on the year of views and on that of orders. Rows as in trials.mjs.

import {
  bytesGoal,
  goalNames,
  goalsGoal,
  memoryGoal,
  orders,
  pathGoal,
  pathQueries,
  questionsGoal,
  reportGoal,
  reportNames,
  segmentGoal,
  segmentNames,
  startGoal,
  timesOf,
  underLoadGoal,
  year,
} from './figures.mjs'
import { goalReports, goalsMade } from './goals.mjs'
import { growth, yearMemory } from './growth.mjs'
import { firstAnswers, liveReports, pathReports, questions, segmentReports } from './live.mjs'
import { revenueReports } from './revenue.mjs'
import {
  backups,
  constantReports,
  counterFlood,
  historyImport,
  historySent,
  hitsUnderLoad,
  logImport,
  parquetExports,
  purge,
  suspectsSwitched,
} from './under-load.mjs'
import { rebuildRate, yearReports } from './year.mjs'

const revenueNames = [
  'summary',
  'timeseries',
  'by-channel',
  'by-utm',
  'by-landing',
  'products',
  'products?orderby=units',
  'funnel',
  'refunds',
  'coupons',
].map(name => `revenue/${name}`)

const liveDays = [1, 30, 365]
const liveKeys = reportNames.flatMap(name => liveDays.map(days => `${name} ${days}`))
const liveName = key =>
  `/${key.replace(' ', ', last ')} days with today, 100 hits/s beside`.replace('last 1 days with today', 'today')

const batchNames = {
  rolled: '112 questions in one batch, 365 days, without those that cross',
  all: 'all 116 questions in one batch, 365 days',
}

const at = goal => ({ ...goal, at: year })
const underLoadFigures = (what, goal, rate = '1,000') => ({
  p50: { figure: `hits at ${rate}/s while ${what}: p50`, unit: 'ms', limitIs: 'before it' },
  p99: { figure: `hits at ${rate}/s while ${what}: p99`, unit: 'ms', limitIs: 'before it', goal },
})

const grownNames = ['summary', 'pages', 'sources', 'dimensions/country']

const grownFigures = views => {
  const rows = {
    bytes: { figure: 'database bytes per view', unit: 'bytes', goal: at(bytesGoal) },
    start: { figure: 'start to first 200', unit: 'ms', goal: at(startGoal) },
    idle: { figure: 'resident memory, idle for 2 s', unit: 'MiB', goal: at(memoryGoal.idle) },
    ...timesOf(grownNames, name => `/${name}, 365 days`, reportGoal, null),
    ...timesOf(
      ['segment'],
      () => '/pages of one country and device, 90 days',
      (_key, share) => (share === 'p50' ? segmentGoal : undefined),
      null,
    ),
    ...timesOf(
      ['rolled', 'all'],
      key => batchNames[key],
      (key, share) => (share === 'p50' ? questionsGoal[key] : undefined),
      null,
    ),
    peak: { figure: 'resident memory, at most, after these', unit: 'MiB' },
  }
  const size = `${(views / 1e6).toLocaleString('en-US')} M views`
  return Object.fromEntries(
    Object.entries(rows).map(([key, about]) => [`${views} ${key}`, { ...about, figure: `${size}: ${about.figure}` }]),
  )
}

export const yearTrials = [
  {
    name: 'year',
    run: yearReports(reportNames, 365),
    figures: {
      bytes: { figure: 'database bytes per view, a year', unit: 'bytes', goal: at(bytesGoal) },
      ...timesOf(reportNames, name => `/${name}, 365 days`, reportGoal),
    },
  },
  {
    name: 'first-answers',
    slow: true,
    run: firstAnswers(reportNames, 365),
    figures: Object.fromEntries(
      reportNames.map(name => [
        name,
        { figure: `/${name}, 365 days, first answer of a new process`, unit: 'ms', limitIs: 'its second answer' },
      ]),
    ),
  },
  {
    name: 'live-reports',
    slow: true,
    run: liveReports(reportNames, liveDays, 100),
    figures: timesOf(liveKeys, liveName, (key, share) => reportGoal(key.split(' ')[0], share), null),
  },
  {
    name: 'segments',
    run: segmentReports(segmentNames, 90),
    figures: timesOf(
      segmentNames,
      name => `/${name} of one country and device, 90 days`,
      (_name, share) => (share === 'p50' ? segmentGoal : undefined),
    ),
  },
  {
    name: 'goals',
    run: goalReports,
    figures: timesOf(
      Object.keys(goalNames),
      key => goalNames[key],
      (key, share) => (share === 'p50' ? (goalsGoal[key] ?? goalsGoal.others) : undefined),
    ),
  },
  {
    name: 'paths',
    run: pathReports(pathQueries, 90),
    figures: timesOf(
      pathQueries,
      query => `/paths?${query}, 90 days`,
      (_query, share) => (share === 'p50' ? pathGoal : undefined),
    ),
  },
  {
    name: 'questions',
    run: questions(365),
    figures: timesOf(
      ['rolled', 'all'],
      key => batchNames[key],
      (key, share) => (share === 'p50' ? questionsGoal[key] : undefined),
    ),
  },
  {
    name: 'year-memory',
    slow: true,
    run: yearMemory(reportNames),
    figures: {
      idle: { figure: 'resident memory on the year, idle for 2 s', unit: 'MiB', goal: at(memoryGoal.idle) },
      loaded: {
        figure: 'resident memory on the year, after full load, every report and all questions',
        unit: 'MiB',
        goal: at(memoryGoal.afterAll),
      },
      peak: { figure: 'resident memory on the year, at most', unit: 'MiB', goal: at(memoryGoal.afterAll) },
    },
  },
  {
    name: 'rebuild',
    slow: true,
    run: rebuildRate,
    figures: { rate: { figure: 'views recalculated by footfall rebuild', unit: '/s' } },
  },
  {
    name: 'purge-beside',
    slow: true,
    run: hitsUnderLoad(1000, [purge]),
    figures: underLoadFigures('a purge goes on', underLoadGoal),
  },
  {
    name: 'backup-beside',
    slow: true,
    run: hitsUnderLoad(1000, [backups]),
    figures: underLoadFigures('backups are made', { ...underLoadGoal, floor: 50 }),
  },
  {
    name: 'goals-beside',
    slow: true,
    run: hitsUnderLoad(1000, [goalsMade]),
    figures: underLoadFigures('goals are made and counted over a year', underLoadGoal),
  },
  {
    name: 'counter-beside',
    slow: true,
    run: hitsUnderLoad(1000, [counterFlood(1000)]),
    figures: underLoadFigures('a counter is asked 1,000 times/s', underLoadGoal),
  },
  {
    name: 'suspects-beside',
    slow: true,
    run: hitsUnderLoad(500, [suspectsSwitched]),
    figures: underLoadFigures('suspect visits are left out and counted again over a year', underLoadGoal, 500),
  },
  {
    name: 'import-beside',
    slow: true,
    run: hitsUnderLoad(1000, [historyImport]),
    figures: underLoadFigures('a history is imported', { ...underLoadGoal, floor: 50 }),
  },
  {
    name: 'log-beside',
    slow: true,
    run: hitsUnderLoad(1000, [logImport]),
    figures: underLoadFigures('an access log is imported', { ...underLoadGoal, floor: 50 }),
  },
  {
    name: 'sent-beside',
    slow: true,
    run: hitsUnderLoad(1000, [historySent]),
    figures: underLoadFigures('a history is imported by the dashboard', { ...underLoadGoal, floor: 50 }),
  },
  {
    name: 'parquet-beside',
    slow: true,
    run: hitsUnderLoad(1000, [parquetExports]),
    figures: underLoadFigures('days are written as Parquet', underLoadGoal),
  },
  {
    name: 'all-beside',
    slow: true,
    run: hitsUnderLoad(1000, [purge, constantReports]),
    figures: underLoadFigures('a purge goes on and reports run constantly', underLoadGoal),
  },
  {
    name: 'revenue',
    run: revenueReports(revenueNames, 365),
    figures: {
      bytes: { figure: 'database bytes per order, a year', unit: 'bytes' },
      ...timesOf(
        revenueNames,
        name => `/${name}, 365 days`,
        (_name, share) => (share === 'p50' ? { max: 5, floor: 10, at: orders } : undefined),
      ),
    },
  },
  {
    name: 'growth',
    onDemand: true,
    run: growth(grownNames),
    figures: ({ growthViews }) => Object.assign({}, ...growthViews.map(grownFigures)),
  },
]
