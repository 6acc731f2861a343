// Inserts the lines of an archive, replacing their texts by ids.

import type { EventLine, LedgerLine, SessionLine, ViewLine } from '../../archive/lines.ts'
import type { RollupRows } from '../../archive/rollups.ts'
import { channels, type Utm } from '../../channel/channel.ts'
import { eventValue } from '../../collection/ingest/event-fields.ts'
import { noLimit } from '../../collection/store/cardinality-limit.ts'
import { noteClaim } from '../../collection/store/claims.ts'
import { createEventNames, type EventNames } from '../../collection/store/event-names.ts'
import { createInterner, type Interner } from '../../collection/store/intern.ts'
import { type Db, get, run } from '../../database/query.ts'
import { firstViewId, secondOf } from '../../database/view-id.ts'
import { toSeconds } from '../../lib/time.ts'
import { leaveOut } from '../../rollup/suspects.ts'
import type { Span } from '../../rollup/tables.ts'
import { loadChoice } from '../../settings/suspects.ts'
import type { IdMapping } from './ids.ts'
import { createLeftOutValues, type LeftOutValues } from './left-out-values.ts'
import { DayProblem } from './problem.ts'
import { eventQuery, findSessionQuery, ledgerQuery, propertyQuery, sessionQuery, viewQuery } from './statements.ts'

type Context = {
  db: Db
  interner: Interner
  names: EventNames
  idOf: IdMapping
  leftOut: LeftOutValues
  leavesOut: boolean
}

/** A visit that is already stored. */
type StoredSession = { started_at: number; ended_at: number }

const secondsOf = (time: string): number => toSeconds(Date.parse(time))

/** Checks that a view or event belongs to its day, and that its id contains its time. */
const checkTime = ({ id, time }: { id: number; time: string }, span: Span): void => {
  if (secondOf(id) !== secondsOf(time)) throw new DayProblem(`the id ${id} does not match the time ${time}`)
  if (id < span.first_view_id || id >= span.next_view_id) throw new DayProblem(`${time} is not on this day`)
}

const dimensionsOf = (interner: Interner, line: SessionLine) => {
  const utm: Utm = {
    source: line.utm_source,
    medium: line.utm_medium,
    campaign: line.utm_campaign,
    term: line.utm_term,
    content: line.utm_content,
  }
  // Stores new spellings; the visit keeps its own.
  interner.utm(utm)
  const { channel, source, domain, continent, country, region, city } = line
  const { device, browser, browser_version: browserVersion, os, os_version: osVersion } = line
  return {
    origin_id: interner.origin({ channel, source, domain }),
    campaign_id: interner.campaign(utm),
    place_id: interner.place({ continent, country, region, city }),
    client_id: interner.client({ device, browser, browserVersion, os, osVersion }),
    screen_id: interner.screen(line.screen),
    language_id: interner.language(line.language),
  }
}

const addSession = (
  { db, interner, idOf, leavesOut }: Context,
  line: SessionLine,
  { end }: Span,
  replace: boolean,
): { before: StoredSession | undefined; started: number } => {
  const id = idOf(line.id)
  const visitor = idOf(line.visitor)
  const started = secondsOf(line.started_at)
  if (started >= end) throw new DayProblem(`the visit ${line.id} begins on a later day`)
  const before = get(db, findSessionQuery, { id })
  if (before !== undefined && before.visitor_id !== visitor && before.started_at !== started)
    throw new DayProblem(`the id ${line.id} belongs to another visit in the database`)
  run(db, sessionQuery, {
    id,
    visitor_id: visitor,
    rekeyed_visitor_id: line.rekeyed_visitor === null ? null : idOf(line.rekeyed_visitor),
    started_at: started,
    ended_at: secondsOf(line.ended_at),
    views: line.views,
    events: line.events,
    entry_page_id: interner.page(line.entry_page, line.entry_host),
    exit_page_id: interner.page(line.exit_page, line.exit_host),
    ...dimensionsOf(interner, line),
    evidence: line.evidence,
    suspect: line.suspect,
    replace: replace ? 1 : 0,
  })
  if (line.suspect === 1 && leavesOut) leaveOut(db, id)
  return { before, started }
}

const addView = ({ db, interner, idOf }: Context, line: ViewLine, span: Span): void => {
  checkTime(line, span)
  run(db, viewQuery, {
    id: line.id,
    session_id: idOf(line.session),
    visitor_id: idOf(line.visitor),
    page_id: interner.page(line.page, line.host),
    title_id: interner.title(line.title),
    seconds: line.seconds,
    scroll: line.scroll,
  })
}

const addEvent = ({ db, interner, names, idOf, leftOut }: Context, line: EventLine, span: Span): void => {
  checkTime(line, span)
  const name = names.name(line.name)
  const value = eventValue(line.value)
  if (value === null && line.value !== null) leftOut.value(name)
  const session = line.session === null ? null : idOf(line.session)
  run(db, eventQuery, {
    id: line.id,
    session_id: session,
    visitor_id: idOf(line.visitor),
    page_id: line.page === null ? null : interner.page(line.page, line.host ?? ''),
    name_id: name,
    value,
    order_id: line.order_id,
  })
  noteClaim(db, { id: line.id, session, name: line.name, orderId: line.order_id })
  for (const [keyText, text] of Object.entries(line.properties)) {
    const key = names.key(name, keyText)
    run(db, propertyQuery, { event_id: line.id, key_id: key, value_id: names.value(name, key, text) })
  }
}

type Texts = Record<string, unknown>

const originOf = ({ interner }: Context, { channel: name, source, domain }: Texts): number => {
  const channel = channels.find(known => known === name)
  if (channel === undefined) throw new DayProblem(`there is no channel ${String(name)}`)
  return interner.origin({ channel, source: String(source), domain: String(domain) || null })
}

const labelId = ({ interner }: Context, text: unknown): number => interner.labels.idOf({ text: String(text) })

/** Resolves the ids that a rollup line has as texts, by column. */
const idsOfTexts: Readonly<Record<string, (context: Context, line: Texts) => number>> = {
  page_id: ({ interner }, { path, host }) => interner.page(String(path), String(host)),
  title_id: (context, { title }) => labelId(context, title),
  name_id: ({ names }, { name }) => names.name(String(name)),
  key_id: (context, { key }) => labelId(context, key),
  value_id: (context, { value }) => labelId(context, value),
  origin_id: originOf,
}

/** Stores the UTM spellings of days that have only rollups. */
const addSpellings = (interner: Interner, line: Texts): void => {
  const value = (key: keyof Utm): string | null => String(line[key]) || null
  interner.utm({
    source: value('source'),
    medium: value('medium'),
    campaign: value('campaign'),
    term: value('term'),
    content: value('content'),
  })
}

/** Sums that were made by other programs may not know when the last event was; the day's last second stands for it. */
const withLastEvent = (line: Texts, { next_view_id }: Span): Texts =>
  line.last_event_id === 0 ? { ...line, last_event_id: next_view_id - firstViewId(1) } : line

/** Adds a row to the temporary table for calculated rollups. */
const addRollup = (context: Context, { table, add, ids }: RollupRows, line: Texts, span: Span): void => {
  if (table === 'utm') addSpellings(context.interner, line)
  const resolved = Object.fromEntries(ids.map(column => [column, idsOfTexts[column]?.(context, line)]))
  const readable = table === 'event' ? withLastEvent(context.leftOut.checkSum(line, resolved.name_id), span) : line
  run(context.db, add, { ...readable, ...resolved, period: span.day })
}

export type Rows = ReturnType<typeof createRows>

/** Cardinality limits were applied at collection, so they are not applied again. */
export const createRows = (db: Db, idOf: IdMapping) => {
  const interner = createInterner(db, noLimit)
  const fileVersion = (): unknown => db.pragma('data_version', { simple: true })
  let version = fileVersion()
  const leftOut = createLeftOutValues(db)
  const context: Context = {
    db,
    interner,
    names: createEventNames(db, interner, noLimit),
    idOf,
    leftOut,
    leavesOut: loadChoice(db).suspects === 'leave_out',
  }
  return {
    /** @returns the visit as stored before, and the start of the imported one in seconds */
    session: (line: SessionLine, span: Span, replace: boolean) => addSession(context, line, span, replace),
    view: (line: ViewLine, span: Span): void => addView(context, line, span),
    event: (line: EventLine, span: Span): void => addEvent(context, line, span),
    ledger: ({ outcome, requests }: LedgerLine, { day }: Span): void => {
      run(db, ledgerQuery, { day, outcome, requests })
    },
    rollup: (rows: RollupRows, line: Record<string, unknown>, span: Span): void => addRollup(context, rows, line, span),
    page: (path: string, host: string): number => interner.page(path, host),
    leftOut,
    /** Must be called after a rollback, which removes new ids. */
    reset: interner.reset,
    /** Must be called first in a transaction beside a running service, which may have removed ids meanwhile. */
    follow: (): void => {
      const now = fileVersion()
      if (now !== version) interner.reset()
      version = now
    },
  }
}
