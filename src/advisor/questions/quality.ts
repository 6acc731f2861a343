// How interested the visitors of a source or campaign are.
import { fineMean, ratio } from '../../reports/numbers.ts'
import { sameShares } from '../chance.ts'
import { chanceLast } from '../compare.ts'
import { largestFirst, sum } from '../shapes.ts'
import type { SourceRow } from './traffic.ts'

/** Sources with fewer visits are not ranked by quality. */
export const minSessions = 5

export const withQuality = <R extends { sessions: number; views: number; bounces: number }>(row: R) => ({
  ...row,
  bounce_rate: ratio(row.bounces, row.sessions),
  views_per_session: fineMean(row.views, row.sessions),
})

/** Sources by bounce rate; those whose difference may be chance, or that bounce less than the others, come last. */
export const byBounceRate = (sources: readonly SourceRow[]) => {
  const all = sum(sources, ({ sessions }) => sessions)
  const bounced = sum(sources, ({ bounces }) => bounces)
  const isUsual = ({ sessions, bounces }: SourceRow): boolean =>
    bounces * all <= bounced * sessions || sameShares(bounces, sessions, bounced - bounces, all - sessions)
  const rows = sources
    .filter(({ sessions, channel }) => sessions >= minSessions && channel !== 'Direct')
    .map(row => ({ ...withQuality(row), chance: isUsual(row), overall: ratio(bounced, all) }))
  return chanceLast(largestFirst(rows, row => row.bounce_rate)).map(row => ({ ...row, chance: String(row.chance) }))
}
