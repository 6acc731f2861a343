// Labels and goals of the figures. A goal is a lower bound, `{ ratio }` or `{ min }`, or an upper bound, `{ max }`.
// `floor` is the hard limit. A goal with `at` applies only to that amount of data. docs/performance.md explains how
// each figure is measured.

export const bare = 'bare node:http'
export const bytes = `${bare}, as many bytes`

export const year = { amount: 10_000_000, of: 'views' }
export const orders = { amount: 1_000_000, of: 'orders' }

/** Every unfiltered report. */
export const reportNames = [
  'summary',
  'sources',
  'sources?group_by=channel',
  'pages',
  'pages/entry',
  'pages/exit',
  'utm',
  'events',
  'events/signup',
  'dimensions/country',
  'dimensions/city',
  'dimensions/browser_version',
  'dimensions/hour',
]
const within = (name, share) => {
  if (share === 'p99') return { max: 20, floor: 60 }
  return name === 'summary' ? { max: 1, floor: 3 } : { max: 8, floor: 15 }
}

/** Milliseconds for a report on the one-year database; /summary has the tightest goal. */
export const reportGoal = (name, share) => ({ ...within(name, share), at: year })

export const segmentNames = ['pages', 'summary', 'sources']
export const segmentGoal = { max: 60, floor: 300, at: year }
export const goalNames = {
  summed: '/goals/report of one page and one event, 365 days',
  page: '/pages of a goal by page, 90 days',
  event: '/pages of a goal by event, 90 days',
  funnel: '/funnels/ID/report of three steps, 90 days',
  rows: '/goals/ID/breakdown?by=page, 90 days',
  patterns: '/goals/report with ten goals by patterns, 90 days',
}
export const goalsGoal = { summed: { max: 8, floor: 15, at: year }, others: { max: 150, floor: 300, at: year } }
export const pathQueries = ['page=PAGE', 'page=PAGE&direction=previous', 'depth=4', 'page=PAGE&include=both']
export const pathGoal = { max: 150, floor: 300, at: year }
export const questionsGoal = {
  rolled: { max: 250, floor: 400, at: year },
  all: { max: 700, floor: 2000, at: year },
}
export const memoryGoal = {
  idle: { max: 90, floor: 120 },
  loaded: { max: 180, floor: 250 },
  afterAll: { max: 220, floor: 420 },
}
export const bytesGoal = { max: 80, floor: 110 }
export const startGoal = { max: 150, floor: 300 }
/** Milliseconds for hits at 1,000/s while other work runs. */
export const underLoadGoal = { max: 15, floor: 25 }

/** The p50 and p99 figures of each report, in milliseconds. */
export const timesOf = (keys, nameOf, goal, limitIs = bytes) =>
  Object.fromEntries(
    keys.flatMap(key =>
      ['p50', 'p99'].map(share => [
        `${key} ${share}`,
        {
          figure: `${nameOf(key)}: ${share}`,
          unit: 'ms',
          ...(limitIs !== null && { limitIs }),
          goal: goal(key, share),
        },
      ]),
    ),
  )
