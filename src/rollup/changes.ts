/**
 * The ids of the rows changed since the rollups were last updated. `whole` where they are not tracked: the day is then
 * recalculated from all of its rows.
 */
export type Changes = { views: number[]; sessions: number[]; events: number[]; whole: boolean }

export const noChanges = (): Changes => ({ views: [], sessions: [], events: [], whole: false })

/** Beyond this number, recalculating the whole day is cheaper. */
const maxChanges = 100_000

const append = (to: number[], from: readonly number[]): void => {
  for (const id of from) to.push(id)
}

const count = ({ views, sessions, events }: Changes): number => views.length + sessions.length + events.length

/** Merges the changes of a commit into the pending ones. */
export const addChanges = (to: Changes, from: Changes): void => {
  if (to.whole || from.whole || count(to) + count(from) > maxChanges) {
    Object.assign(to, { ...noChanges(), whole: true })
    return
  }
  append(to.views, from.views)
  append(to.sessions, from.sessions)
  append(to.events, from.events)
}
