// How figures of trials are told and which goals they have. A goal is `{ ratio }` or `{ least }` (at least), or `{ most }` (at most);
// `floor` has to be reached in any case; `at`: it is for that much data, and is neither met nor missed with another
// amount. docs/performance.md tells how each figure is taken.

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
  if (share === 'p99') return { most: 20, floor: 60 }
  return name === 'summary' ? { most: 1, floor: 3 } : { most: 8, floor: 15 }
}

/** Milliseconds for a report on the year; /summary has the tightest goal. */
export const reportGoal = (name, share) => ({ ...within(name, share), at: year })

export const segmentNames = ['pages', 'summary', 'sources']
export const segmentGoal = { most: 60, floor: 300, at: year }
export const questionsGoal = {
  rolled: { most: 250, floor: 400, at: year },
  all: { most: 700, floor: 2000, at: year },
}
export const memoryGoal = {
  idle: { most: 90, floor: 120 },
  loaded: { most: 180, floor: 250 },
  afterAll: { most: 220, floor: 420 },
}
export const bytesGoal = { most: 80, floor: 110 }
export const startGoal = { most: 150, floor: 300 }
/** Of hits at 1,000/s while other work runs. */
export const besideGoal = { most: 15, floor: 25 }

/** Reports by their key in milliseconds: p50 and p99 of each. */
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
