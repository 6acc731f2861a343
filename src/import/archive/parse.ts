import * as v from 'valibot'
import { funnelLine, goalLine } from '../../archive/goal-lines.ts'
import {
  alertLine,
  annotationLine,
  type ClosingLine,
  closingLine,
  closingTable,
  eventLine,
  formatVersion,
  type Header,
  headerLine,
  ledgerLine,
  olderSessionLine,
  olderVersion,
  orderLine,
  sessionLine,
  viewLine,
} from '../../archive/lines.ts'
import { rollupRows } from '../../archive/rollups.ts'
import { type Day, dateOf } from '../../lib/time.ts'
import type { ArchiveLine } from './archive-line.ts'
import { coarseRollup, coarseSession } from './older.ts'

const rollupsByTable = new Map(rollupRows.map(rows => [rows.table, rows]))

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Whether a line begins an archive; several may be concatenated. */
export const isHeader = (text: string): boolean => text.startsWith('{"footfall_archive"')

/** The parsed first line, or an error message. */
export const parseHeader = (text: string): Header | string => {
  const value = parseJson(text)
  const version = field(value, 'footfall_archive')
  if (version === undefined) return 'This is no archive of Footfall: its first line does not say so.'
  if (version !== formatVersion && version !== olderVersion)
    return `This archive has the format ${String(version)}; this program reads formats ${olderVersion} and ${formatVersion}.`
  const parsed = v.safeParse(headerLine, value)
  return parsed.success
    ? parsed.output
    : `The first line of the archive cannot be read: ${v.getDotPath(parsed.issues[0]) ?? 'it'} is not as it should be.`
}

type Parsed = { day: Day } & ({ closing: ClosingLine } | { line: ArchiveLine })

const read = (value: unknown, isOlder: boolean): ArchiveLine | { closing: ClosingLine } | null => {
  const accept = <S extends v.GenericSchema>(schema: S): v.InferOutput<S> | null => {
    const parsed = v.safeParse(schema, value, { abortEarly: true })
    return parsed.success ? parsed.output : null
  }
  const session = (): ArchiveLine | null => {
    const older = isOlder ? accept(olderSessionLine) : null
    const line = isOlder ? older && coarseSession(older) : accept(sessionLine)
    return line && { kind: 'session', line }
  }
  const view = (): ArchiveLine | null => {
    const line = accept(viewLine)
    return line && { kind: 'view', line }
  }
  const event = (): ArchiveLine | null => {
    const line = accept(eventLine)
    return line && { kind: 'event', line }
  }
  const ledger = (): ArchiveLine | null => {
    const line = accept(ledgerLine)
    return line && { kind: 'ledger', line }
  }
  const order = (): ArchiveLine | null => {
    const line = accept(orderLine)
    return line && { kind: 'order', line }
  }
  const goal = (): ArchiveLine | null => {
    const line = accept(goalLine)
    return line && { kind: 'goal', line }
  }
  const funnel = (): ArchiveLine | null => {
    const line = accept(funnelLine)
    return line && { kind: 'funnel', line }
  }
  const annotation = (): ArchiveLine | null => {
    const line = accept(annotationLine)
    return line && { kind: 'annotation', line }
  }
  const alert = (): ArchiveLine | null => {
    const line = accept(alertLine)
    return line && { kind: 'alert', line }
  }
  const rollup = (): ArchiveLine | { closing: ClosingLine } | null => {
    const table = field(value, 'table')
    if (table === closingTable) {
      const closing = accept(closingLine)
      return closing && { closing }
    }
    const rows = rollupsByTable.get(String(table))
    const line = rows === undefined ? null : accept(rows.line)
    if (rows === undefined || line === null) return null
    const known = isOlder ? coarseRollup(line) : line
    return known === null ? { kind: 'gone' } : { kind: 'rollup', rows, line: known }
  }
  const readers: Readonly<Record<string, () => ArchiveLine | { closing: ClosingLine } | null>> = {
    session,
    view,
    event,
    ledger,
    rollup,
    order,
    goal,
    funnel,
    annotation,
    alert,
  }
  const type = field(value, 'type')
  return typeof type === 'string' && Object.hasOwn(readers, type) ? (readers[type]?.() ?? null) : null
}

/**
 * Parses a line of a day. Returns null if it is invalid, or of a type unknown to this version.
 * @param isOlder whether the archive is of the format before
 */
export const parseLine = (text: string, isOlder: boolean): Parsed | null => {
  const value = parseJson(text)
  const parsed = read(value, isOlder)
  const day = dateOf(String(field(value, 'day')))
  if (parsed === null || day === null) return null
  return 'closing' in parsed ? { day, closing: parsed.closing } : { day, line: parsed }
}
