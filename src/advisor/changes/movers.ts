// The rows of lists that moved most against the other range.
import { dayText } from '../../lib/time.ts'
import { sameCounts } from '../chance.ts'
import { compared } from '../compare.ts'
import { flat, type SourceRow } from '../questions/traffic.ts'
import { type Candidate, distance, minDifference, type Reader, valueText } from './candidate.ts'

/** The row of a list that moved most. */
type Mover = { name: string; current: number; previous: number; weight: number }

/** The row of a list that moved most beyond chance; null if none did. */
const mover = <R>(
  lists: { data: readonly R[]; earlier: readonly R[] | null },
  nameOf: (row: R) => string | null,
  figureOf: (row: R) => number,
  times: number,
): Mover | null => {
  if (lists.earlier === null) return null
  const rows = compared(lists, row => nameOf(row) ?? '', figureOf)
    .filter(
      ({ row, current, previous }) =>
        nameOf(row) !== null &&
        !sameCounts(current, previous, times) &&
        Math.abs(current - previous * times) >= minDifference,
    )
    .map(({ row, current, previous }) => ({
      name: nameOf(row) ?? '',
      current,
      previous,
      weight: distance(current, previous, times),
    }))
  return rows.sort((one, other) => other.weight - one.weight || (one.name < other.name ? -1 : 1))[0] ?? null
}

type SourceSum = { source: string; sessions: number }

/** The sessions of each source; one may have brought them through several channels. */
const bySource = (rows: readonly SourceRow[]): SourceSum[] => {
  const sums = new Map<string, number>()
  for (const { source, sessions } of rows) sums.set(source, (sums.get(source) ?? 0) + sessions)
  return [...sums].map(([source, sessions]) => ({ source, sessions }))
}

/** The source that moved most; `query` may name other ranges than those of the reader. */
export const sourceMover = async (
  { all, times = 1 }: Pick<Reader, 'all'> & { times?: number },
  query: { compare: string; from?: string; to?: string },
): Promise<Mover | null> => {
  const { data, earlier } = await all('sources', { ...query, group_by: 'source' })
  return mover(
    { data: bySource(flat(data)), earlier: earlier === null ? null : bySource(flat(earlier)) },
    ({ source }) => source,
    ({ sessions }) => sessions,
    times,
  )
}

const pageMover = async ({ all, compare, times }: Reader) =>
  mover(
    await all('pages', { compare }),
    ({ page }) => page,
    ({ views }) => views,
    times,
  )

const countryMover = async ({ all, compare, times }: Reader) =>
  mover(
    await all('dimensions', { compare }, { type: 'country' }),
    ({ key }) => key,
    ({ sessions }) => sessions,
    times,
  )

const movers = [
  ['source', (reader: Reader) => sourceMover(reader, { compare: reader.compare })],
  ['page', pageMover],
  ['country', countryMover],
] as const

/** From so many times as many on, a percentage says less than the two counts. */
const manyTimes = 4

const directionOf = (current: number, previous: number): string => {
  if (previous === 0) return 'new'
  if (current === 0) return 'gone'
  if (current < previous) return 'down'
  return current > manyTimes * previous ? 'many' : 'up'
}

/** The changes of lists, each the largest of its kind. */
export const listChanges = async (reader: Reader): Promise<Candidate[]> => {
  const span = { from: dayText(reader.range.from), to: dayText(reader.range.to) }
  const found = await Promise.all(movers.map(async ([kind, find]) => ({ kind, found: await find(reader) })))
  return found.flatMap(({ kind, found: row }) => {
    if (row === null) return []
    const { name, current, previous, weight } = row
    const usual = previous * reader.times
    const values = {
      direction: directionOf(current, usual),
      per_day: String(reader.times !== 1),
      current,
      previous,
      name: kind === 'country' ? { country: name } : name,
      change: { percent: previous === 0 ? 0 : Math.round(Math.abs(current / usual - 1) * 100) / 100 },
    }
    return [{ kind, current, previous, ...span, filters: { [kind]: valueText(name) }, values, weight }]
  })
}
