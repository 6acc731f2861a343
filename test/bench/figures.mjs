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
const goalOf = (name, share) => (share === 'p99' ? 60 : name === 'summary' ? 3 : 15)

/** A report on the year within so many milliseconds; /summary has the keenest goal. */
export const reportGoal = (name, share) => ({ most: goalOf(name, share), at: year })

export const segmentNames = ['pages', 'summary', 'sources']
export const segmentGoal = { most: 300, at: year }
export const questionsGoal = { rolled: { most: 400, at: year }, all: { most: 2000, at: year } }
export const memoryGoal = { idle: { most: 120 }, loaded: { most: 200 } }

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
