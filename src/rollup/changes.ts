/**
 * What commits have changed since the rollups were last brought up to the raw rows, by number. `whole` where that cannot
 * be said row by row: then the day is derived from all of its rows.
 */
export type Changes = { views: number[]; sessions: number[]; events: number[]; whole: boolean }

export const noChanges = (): Changes => ({ views: [], sessions: [], events: [], whole: false })

/** Beyond this many, deriving the whole day costs less. */
const most = 100_000

const more = (to: number[], from: readonly number[]): void => {
  for (const id of from) to.push(id)
}

const count = ({ views, sessions, events }: Changes): number => views.length + sessions.length + events.length

/** Adds what a commit has changed to what waits. */
export const addChanges = (to: Changes, from: Changes): void => {
  if (to.whole || from.whole || count(to) + count(from) > most) {
    Object.assign(to, { ...noChanges(), whole: true })
    return
  }
  more(to.views, from.views)
  more(to.sessions, from.sessions)
  more(to.events, from.events)
}
