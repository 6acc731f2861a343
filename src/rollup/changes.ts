/**
 * The ids of rows that commits have changed since the rollups were last brought up to date. `whole` where single rows
 * cannot be named: the day is derived from all of its rows then.
 */
export type Changes = { views: number[]; sessions: number[]; events: number[]; whole: boolean }

export const noChanges = (): Changes => ({ views: [], sessions: [], events: [], whole: false })

/** Beyond this number, deriving the whole day is cheaper. */
const maxChanges = 100_000

const append = (to: number[], from: readonly number[]): void => {
  for (const id of from) to.push(id)
}

const count = ({ views, sessions, events }: Changes): number => views.length + sessions.length + events.length

/** Adds the changes of a commit to those that wait. */
export const addChanges = (to: Changes, from: Changes): void => {
  if (to.whole || from.whole || count(to) + count(from) > maxChanges) {
    Object.assign(to, { ...noChanges(), whole: true })
    return
  }
  append(to.views, from.views)
  append(to.sessions, from.sessions)
  append(to.events, from.events)
}
