// What share links, and passwords with filters, do not tell: whatever fewer than three visits have in common.

/** The visits that a row needs to be shown by its name. */
export const leastVisits = 3
/** The name of the sum of the other rows. */
export const few = '(few)'

const countsOf = ['visitors', 'sessions', 'views', 'bounces', 'entries', 'exits', 'total_duration', 'total'] as const
const added: readonly string[] = [...countsOf, 'all_sessions', 'value_sum', 'share', 'previous']

const numberIn = (row: object, name: string): number => {
  const value: unknown = Reflect.get(row, name)
  return typeof value === 'number' ? value : 0
}

/** Whether a row is of some visits, but of too few: now, or in the range that it is compared with. */
const isFew = (row: object): boolean => {
  const visits = Math.max(numberIn(row, 'sessions'), numberIn(row, 'visitors'))
  const isSmall = (count: number): boolean => count > 0 && count < leastVisits
  const isUsed = countsOf.some(name => numberIn(row, name) > 0)
  return (
    (isUsed && visits < leastVisits) || isSmall(numberIn(row, 'all_sessions')) || isSmall(numberIn(row, 'previous'))
  )
}

/**
 * Rows with those of too few visits as one, the last: figures that add up are added, so sums stay; `names` are the other
 * fields of that row, null for none.
 */
export const withFew = <Row extends object>(rows: readonly Row[], names: (row: Row) => object | null): Row[] => {
  const hidden = rows.filter(isFew)
  const [first] = hidden
  if (first === undefined) return [...rows]
  const sums = Object.keys(first).flatMap(name =>
    added.includes(name) ? [[name, hidden.reduce((sum, row) => sum + numberIn(row, name), 0)]] : [],
  )
  const others = names(first)
  const shown = rows.filter(row => !isFew(row))
  if (others === null) return shown
  const row = { ...Object.fromEntries(sums), ...('change' in first && { change: null }), ...others } as Row
  return [...shown, row]
}

/** More rows than a link needs; the lists that they are of begin with the most frequent. */
const maxRows = 10_000

type Paged = { limit?: number; offset?: number }

/** The page of which `withFew` finds the rows of few visits. */
export const wholeList = <Query extends Paged>(query: Query): Query => ({ ...query, limit: maxRows, offset: 0 })

/** The page of a list that was asked for. */
export const pageOf = <Row>(rows: readonly Row[], { limit = maxRows, offset = 0 }: Paged): Row[] =>
  rows.slice(offset, offset + limit)

/** The same of rows that count events: those with fewer than `leastVisits`, or all where the event itself is of few visits. */
export const withFewEvents = <Row extends { total: number }>(
  rows: readonly Row[],
  sessions: number,
  names: (row: Row) => Row,
): Row[] => {
  const shown = rows.filter(({ total }) => sessions >= leastVisits && total >= leastVisits)
  const hidden = rows.filter(row => !shown.includes(row))
  const [first] = hidden
  return first === undefined
    ? shown
    : [...shown, { ...names(first), total: hidden.reduce((sum, { total }) => sum + total, 0) }]
}
