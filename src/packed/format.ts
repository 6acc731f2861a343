// The layout of a day's visits in one blob: numbers in columns, each as narrow as its largest value allows.

/**
 * The columns of sessions. `visitor` counts the day's visitors from 0; `hour` is 0 where the session did not begin on
 * the day; an unknown value is 0.
 */
export const sessionColumns = [
  'visitor',
  'hour',
  'bounced',
  'entry_page',
  'exit_page',
  'origin',
  'campaign',
  'place',
  'client',
  'screen',
  'language',
  'suspect',
  // The session's id is id_high * 2^32 + id_low; sessions are in its order.
  'id_high',
  'id_low',
] as const
/**
 * The columns of views. `session` counts the day's sessions from 0; the views of a session are adjacent. `seconds`
 * and `scroll` are one more than their value, 0 where unknown.
 */
export const viewColumns = ['session', 'visitor', 'page', 'seconds', 'scroll', 'hour'] as const

/**
 * The views and the events on other days of the day's sessions, by session and in their order. `second` counts from the
 * start of the day before.
 */
export const otherDayViewColumns = ['session', 'page', 'second'] as const
export const otherDayEventColumns = ['session', 'name', 'page', 'second'] as const

/**
 * The columns of events, ordered by session. `session` is the number of sessions for an event outside of any; `page` is 0
 * where unknown; `view` counts the views that the session had made by then on the day; `second` since the start of the
 * day and `sequence` make the event's id.
 */
export const eventColumns = ['session', 'visitor', 'name', 'page', 'view', 'second', 'sequence'] as const

export type SessionColumn = (typeof sessionColumns)[number]
export type ViewColumn = (typeof viewColumns)[number]
export type OtherDayViewColumn = (typeof otherDayViewColumns)[number]
export type OtherDayEventColumn = (typeof otherDayEventColumns)[number]
export type EventColumn = (typeof eventColumns)[number]
export type Column = Uint8Array | Uint16Array | Uint32Array
type Columns<Name extends string> = Readonly<Record<Name, Column>>

/** The visits of one day. */
export type PackedDay = {
  visitors: number
  sessions: { count: number } & Columns<SessionColumn>
  views: { count: number } & Columns<ViewColumn>
  otherDayViews: { count: number } & Columns<OtherDayViewColumn>
  events: { count: number } & Columns<EventColumn>
  otherDayEvents: { count: number } & Columns<OtherDayEventColumn>
}

/** The version of this layout; blobs of other versions are ignored. */
const format = 5
const header = 7
const word = 4

/** Array types by the width of their numbers in bytes. */
const columnOf = (width: number, bytes: ArrayBufferLike, at: number, count: number): Column =>
  width === 1
    ? new Uint8Array(bytes, at, count)
    : width === 2
      ? new Uint16Array(bytes, at, count)
      : new Uint32Array(bytes, at, count)

const narrowest = (values: readonly number[]): Column => {
  let largest = 0
  for (const value of values) if (value > largest) largest = value
  return largest < 0x100
    ? Uint8Array.from(values)
    : largest < 0x10000
      ? Uint16Array.from(values)
      : Uint32Array.from(values)
}

const padded = (bytes: number): number => Math.ceil(bytes / word) * word

/** Encodes a day in native byte order: every platform that Footfall runs on is little-endian. */
export const packColumns = (day: {
  visitors: number
  sessions: Readonly<Record<SessionColumn, readonly number[]>>
  views: Readonly<Record<ViewColumn, readonly number[]>>
  otherDayViews: Readonly<Record<OtherDayViewColumn, readonly number[]>>
  events: Readonly<Record<EventColumn, readonly number[]>>
  otherDayEvents: Readonly<Record<OtherDayEventColumn, readonly number[]>>
}): Buffer => {
  const columns = [
    ...sessionColumns.map(name => narrowest(day.sessions[name])),
    ...viewColumns.map(name => narrowest(day.views[name])),
    ...otherDayViewColumns.map(name => narrowest(day.otherDayViews[name])),
    ...eventColumns.map(name => narrowest(day.events[name])),
    ...otherDayEventColumns.map(name => narrowest(day.otherDayEvents[name])),
  ]
  const bytes = new Uint8Array(columns.reduce((sum, { byteLength }) => sum + word + padded(byteLength), header * word))
  const words = new Uint32Array(bytes.buffer)
  words.set([
    format,
    day.visitors,
    day.sessions.visitor.length,
    day.views.session.length,
    day.otherDayViews.session.length,
    day.events.session.length,
    day.otherDayEvents.session.length,
  ])
  let at = header * word
  for (const column of columns) {
    words[at / word] = column.BYTES_PER_ELEMENT
    bytes.set(new Uint8Array(column.buffer, 0, column.byteLength), at + word)
    at += word + padded(column.byteLength)
  }
  return Buffer.from(bytes.buffer, 0, bytes.length)
}

/** Decodes a blob without copying it; null if it is empty or has another layout. */
export const unpackColumns = (blob: Buffer): PackedDay | null => {
  if (blob.length < header * word) return null
  const { buffer, byteOffset } = blob.byteOffset % word === 0 ? blob : new Uint8Array(blob)
  const counts = new Uint32Array(buffer, byteOffset, header)
  const [layout, visitors = 0, sessions = 0, views = 0, otherDayViews = 0, events = 0, otherDayEvents = 0] = counts
  if (layout !== format) return null
  let at = header * word
  const take = (count: number): Column => {
    const [width = 0] = new Uint32Array(buffer, byteOffset + at, 1)
    const column = columnOf(width, buffer, byteOffset + at + word, count)
    at += word + padded(column.byteLength)
    return column
  }
  const takeAll = <Name extends string>(names: readonly Name[], count: number): Columns<Name> =>
    Object.fromEntries(names.map(name => [name, take(count)])) as Columns<Name>
  return {
    visitors,
    sessions: { count: sessions, ...takeAll(sessionColumns, sessions) },
    views: { count: views, ...takeAll(viewColumns, views) },
    otherDayViews: { count: otherDayViews, ...takeAll(otherDayViewColumns, otherDayViews) },
    events: { count: events, ...takeAll(eventColumns, events) },
    otherDayEvents: { count: otherDayEvents, ...takeAll(otherDayEventColumns, otherDayEvents) },
  }
}
