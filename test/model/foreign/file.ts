// What the writers of foreign formats have in common.
import type { HistoryFormat } from '../../../src/lib/histories.ts'
import type { Fact } from '../histories.ts'

/** A file as a program writes it, and what is to be said of its rows that no visit comes of. */
export type Written = {
  files: Readonly<Record<string, string>>
  flags?: readonly string[]
  refused?: Readonly<Record<string, number>>
  notImported?: (isRefused: (row: string) => boolean) => Readonly<Record<string, number>>
  /** Rows that come twice, where a row is more than a view or event. */
  again?: readonly string[]
}

export type VisitsFormat = {
  name: HistoryFormat
  title: string
  cuts: boolean
  estimates: boolean
  /** Whether rows may be in any order. */
  isUnordered: boolean
  /** The name of a row with several views. */
  rowOf?: (fact: Fact) => string
  /** What the program knows of the rows, in their order. */
  says: (facts: readonly Fact[]) => Fact[]
  /** @param zone of times without an offset */
  write: (facts: readonly Fact[], zone: string) => Written
}

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A table with the columns of its first row. */
export const csv = (rows: readonly Readonly<Record<string, string | number | null>>[]): string => {
  const columns = Object.keys(rows[0] ?? {})
  const lines = rows.map(row => columns.map(name => quoted(String(row[name] ?? ''))).join(','))
  return `${[columns.map(quoted).join(','), ...lines].join('\n')}\n`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-03-01 06:25:41` on the clocks of a zone. */
export const localTime = (at: number, zone: string): string => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' })
  formats.set(zone, format)
  return format.format(at * 1000)
}

const offsets = [
  ['Z', 0],
  ['+00:00', 0],
  ['+05:30', 330],
  ['-0330', -210],
  ['-08', -480],
  [' UTC', 0],
] as const

/** A time with its offset, spelled in one of several ways. */
export const offsetTime = (at: number, choice: number): string => {
  const [text, minutes] = offsets[choice % offsets.length] ?? offsets[0]
  const local = new Date((at + minutes * 60) * 1000).toISOString()
  return `${local.slice(0, 10)}${choice % 2 === 0 ? 'T' : ' '}${local.slice(11, choice % 3 === 0 ? 19 : 23)}${text}`
}

/** The address of a page with the tags that a link had. */
export const queryOf = ({ arrival }: Fact, tagged: string, clicked: string): string =>
  arrival === 'partner' ? tagged : arrival === 'paidInAddress' ? clicked : ''

export const partnerTags = 'utm_source=Partner&utm_medium=affiliate&utm_campaign=May'
export const clicked = 'gclid=1'
