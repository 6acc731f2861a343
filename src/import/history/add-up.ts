// Makes the breakdowns of a day add up to its totals, as those of single visits do.
import type { SumRow } from './sums.ts'

export const figures = ['visitors', 'sessions', 'views', 'bounces'] as const
export type Figure = (typeof figures)[number]
export type DayTotals = Record<Figure, number> & { seconds: number }

const figureOf = (row: SumRow, name: string): number | undefined => {
  const value = row[name]
  return typeof value === 'number' ? value : undefined
}

export const numberOf = (row: SumRow, name: string): number => figureOf(row, name) ?? 0

export const sumOf = (rows: readonly SumRow[], name: string): number =>
  rows.reduce((sum, row) => sum + numberOf(row, name), 0)

/** Adds up rows with the same keys. A figure that none of them has stays unknown. */
export const foldRows = (rows: readonly SumRow[], keys: readonly string[]): SumRow[] => {
  const folded = new Map<string, SumRow>()
  for (const row of rows) {
    const key = JSON.stringify(keys.map(name => row[name]))
    const sum = folded.get(key)
    if (sum === undefined) folded.set(key, { ...row })
    else
      for (const [name, value] of Object.entries(row))
        if (typeof value === 'number' && !keys.includes(name)) sum[name] = numberOf(sum, name) + value
  }
  return [...folded.values()]
}

/** Distributes a total by weights in whole numbers: those with the largest remainders get one more. */
export const distribute = (total: number, weights: readonly number[]): number[] => {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (sum === 0) return weights.map(() => 0)
  const exact = weights.map(weight => (total * weight) / sum)
  const whole = exact.map(Math.floor)
  const left = total - whole.reduce((all, part) => all + part, 0)
  const order = exact.map((part, index) => ({ index, rest: part - Math.floor(part) }))
  for (const { index } of order.sort((a, b) => b.rest - a.rest).slice(0, left)) whole[index] = (whole[index] ?? 0) + 1
  return whole
}

/** By what a figure is estimated that the source does not have. */
const bases: Record<Figure, readonly Figure[]> = {
  visitors: ['sessions', 'views'],
  sessions: ['visitors', 'views'],
  views: ['sessions', 'visitors'],
  bounces: ['sessions', 'visitors', 'views'],
}

/** A row's visitors are its sessions and vice versa, where only one of them is known. */
const isSame = (figure: Figure, base: Figure): boolean => figure !== 'bounces' && base !== 'views' && figure !== 'views'

/**
 * Fills in figures that rows do not have: shares of the day's totals by one that all of them have.
 * @returns which figures were estimated
 */
export const complete = (rows: readonly SumRow[], totals: DayTotals): Figure[] => {
  const known = (name: Figure): boolean => rows.every(row => figureOf(row, name) !== undefined)
  const missing = figures.filter(name => !known(name))
  for (const name of missing) {
    const base = bases[name].find(known)
    if (base === undefined) continue
    const weights = rows.map(row => numberOf(row, base))
    const ratio = totals[base] === 0 ? 0 : Math.min(1, sumOf(rows, base) / totals[base])
    const share = Math.round(totals[name] * ratio)
    const parts = isSame(name, base) ? weights : distribute(share, weights)
    rows.forEach((row, index) => (row[name] = parts[index] ?? 0))
  }
  return missing
}

/** What rows leave of a day's totals: what cannot be less than nothing is 0. */
export const restOf = (
  rows: readonly SumRow[],
  totals: DayTotals,
): { rest: Record<Figure, number>; clamped: number } => {
  const [visitors, sessions, views, bounces] = figures.map(name => totals[name] - sumOf(rows, name))
  const rest = { visitors: visitors ?? 0, sessions: sessions ?? 0, views: views ?? 0, bounces: bounces ?? 0 }
  const atLeast = rest.sessions > 0 ? 1 : 0
  return {
    clamped: Math.max(0, -rest.views),
    rest: {
      sessions: rest.sessions,
      visitors: Math.min(Math.max(rest.visitors, atLeast), Math.max(rest.sessions, 0)),
      views: Math.max(rest.views, 0),
      bounces: Math.min(Math.max(rest.bounces, 0), Math.max(rest.sessions, 0)),
    },
  }
}
