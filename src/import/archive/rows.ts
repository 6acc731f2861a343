// Puts the lines of an archive into the file: texts become the file's own numbers again.
import * as v from 'valibot'
import { columnOf, type RollupRows } from '../../archive/rollups.ts'
import { channels } from '../../channel/channel.ts'
import type { EventLine, LedgerLine, SessionLine, ViewLine } from '../../archive/lines.ts'
import { createEventNames } from '../../collection/store/event-names.ts'
import { createInterner } from '../../collection/store/intern.ts'
import type { CardinalityLimit } from '../../collection/store/cardinality-limit.ts'
import { purchases } from '../../collection/store/write-event.ts'
import { get, query, run, type Db } from '../../database/query.ts'
import type { Span } from '../../rollup/tables.ts'
import addEvent from '../../sql/archive.event.add.sql'
import addLedger from '../../sql/archive.ledger.add.sql'
import addProperty from '../../sql/archive.property.add.sql'
import addPurchase from '../../sql/archive.purchase.add.sql'
import addSession from '../../sql/archive.session.add.sql'
import findSession from '../../sql/archive.session.find.sql'
import addView from '../../sql/archive.view.add.sql'
import { toSeconds } from '../../lib/time.ts'
import { secondOf } from '../../database/view-id.ts'
import { DayProblem } from './problem.ts'

const nothing = v.object({})
const number = v.number()
const nullable = v.nullable(number)
const sessionQuery = query(
  addSession,
  v.object({
    id: number,
    visitor_id: number,
    rekeyed_visitor_id: nullable,
    started_at: number,
    ended_at: number,
    views: number,
    events: number,
    entry_page_id: number,
    exit_page_id: number,
    origin_id: number,
    campaign_id: nullable,
    place_id: nullable,
    client_id: number,
    screen_id: nullable,
    language_id: nullable,
    timezone_id: nullable,
    replace: number,
  }),
  nothing,
)
const spanOfSession = v.object({ visitor_id: number, started_at: number, ended_at: number })
const findQuery = query(findSession, v.object({ id: number }), spanOfSession)
const viewQuery = query(
  addView,
  v.object({
    id: number,
    session_id: number,
    visitor_id: number,
    page_id: number,
    title_id: nullable,
    seconds: nullable,
    scroll: nullable,
  }),
  nothing,
)
const eventQuery = query(
  addEvent,
  v.object({
    id: number,
    session_id: nullable,
    visitor_id: number,
    page_id: nullable,
    name_id: number,
    value: nullable,
    order_id: v.nullable(v.string()),
  }),
  nothing,
)
const propertyQuery = query(addProperty, v.object({ event_id: number, key_id: number, value_id: number }), nothing)
const purchaseQuery = query(addPurchase, v.object({ order_id: v.string() }), nothing)
const ledgerQuery = query(addLedger, v.object({ day: number, outcome: v.string(), requests: number }), nothing)

/** What was bounded when it was collected is not bounded again. */
const unbounded: CardinalityLimit = { admit: () => true, admitKey: () => true, admitValue: () => true, reset: () => {} }

export type SessionSpan = v.InferOutput<typeof spanOfSession>

const secondsOf = (moment: string): number => toSeconds(Date.parse(moment))

/** A view or event belongs to its day, and its number holds its time. */
const checkTime = ({ id, time }: { id: number; time: string }, span: Span): void => {
  if (secondOf(id) !== secondsOf(time)) throw new DayProblem(`the number ${id} is not one of ${time}`)
  if (id < span.first_view_id || id >= span.next_view_id) throw new DayProblem(`${time} is not on this day`)
}

export type Rows = ReturnType<typeof createRows>

/** @param numberOf gives sessions and visitors their numbers in this file */
export const createRows = (db: Db, numberOf: (number: number) => number) => {
  const interner = createInterner(db, unbounded)
  const names = createEventNames(db, interner, unbounded)
  const numberOrNull = (given: number | null): number | null => (given === null ? null : numberOf(given))

  const dimensions = (day: number, line: SessionLine) => {
    const utm = {
      source: line.utm_source,
      medium: line.utm_medium,
      campaign: line.utm_campaign,
      term: line.utm_term,
      content: line.utm_content,
    }
    // The file learns spellings that are new to it; the visit keeps its own.
    interner.utm(day, utm)
    return {
      origin_id: interner.origin(day, { channel: line.channel, source: line.source, domain: line.domain }),
      campaign_id: interner.campaign(day, utm),
      place_id: interner.place(day, {
        continent: line.continent,
        country: line.country,
        region: line.region,
        city: line.city,
      }),
      client_id: interner.client(day, {
        device: line.device,
        browser: line.browser,
        browserVersion: line.browser_version,
        os: line.os,
        osVersion: line.os_version,
      }),
      screen_id: interner.screen(day, line.screen),
      language_id: interner.language(day, line.language),
      timezone_id: interner.timezone(day, line.timezone),
    }
  }

  const numberOfText = (day: number, key: string, text: string): number => {
    if (key === 'path') return interner.page(day, text)
    return key === 'name' ? names.name(day, text) : interner.labels.number({ text })
  }

  const originOf = (day: number, line: Record<string, unknown>): number => {
    const channel = channels.find(one => one === line.channel)
    if (channel === undefined) throw new DayProblem(`there is no channel ${String(line.channel)}`)
    return interner.origin(day, { channel, source: String(line.source), domain: String(line.domain) || null })
  }

  /** Of days that have sums only. */
  const learnSpellings = (day: number, line: Record<string, unknown>): void => {
    const [source, medium, campaign, term, content] = ['source', 'medium', 'campaign', 'term', 'content'].map(
      key => String(line[key]) || null,
    )
    interner.utm(day, {
      source: source ?? null,
      medium: medium ?? null,
      campaign: campaign ?? null,
      term: term ?? null,
      content: content ?? null,
    })
  }

  return {
    /** @returns the visit as it was there, and its first second */
    session: (
      line: SessionLine,
      { day, end }: Span,
      replace: boolean,
    ): { before: SessionSpan | undefined; started: number } => {
      const id = numberOf(line.id)
      const visitor = numberOf(line.visitor)
      const started = secondsOf(line.started_at)
      if (started >= end) throw new DayProblem(`the visit ${line.id} begins on a later day`)
      const before = get(db, findQuery, { id })
      if (before !== undefined && before.visitor_id !== visitor && before.started_at !== started) {
        throw new DayProblem(`the number ${line.id} is that of another visit in this file`)
      }
      run(db, sessionQuery, {
        id,
        visitor_id: visitor,
        rekeyed_visitor_id: numberOrNull(line.rekeyed_visitor),
        started_at: started,
        ended_at: secondsOf(line.ended_at),
        views: line.views,
        events: line.events,
        entry_page_id: interner.page(day, line.entry_page),
        exit_page_id: interner.page(day, line.exit_page),
        ...dimensions(day, line),
        replace: replace ? 1 : 0,
      })
      return { before, started }
    },
    view: (line: ViewLine, span: Span): void => {
      checkTime(line, span)
      run(db, viewQuery, {
        id: line.id,
        session_id: numberOf(line.session),
        visitor_id: numberOf(line.visitor),
        page_id: interner.page(span.day, line.page),
        title_id: interner.title(span.day, line.title),
        seconds: line.seconds,
        scroll: line.scroll,
      })
    },
    event: (line: EventLine, span: Span): void => {
      checkTime(line, span)
      const { day } = span
      const name = names.name(day, line.name)
      run(db, eventQuery, {
        id: line.id,
        session_id: numberOrNull(line.session),
        visitor_id: numberOf(line.visitor),
        page_id: line.page === null ? null : interner.page(day, line.page),
        name_id: name,
        value: line.value,
        order_id: line.order_id,
      })
      if (line.order_id !== null && purchases.includes(line.name)) run(db, purchaseQuery, { order_id: line.order_id })
      for (const [keyText, text] of Object.entries(line.properties)) {
        const key = names.key(day, name, keyText)
        run(db, propertyQuery, { event_id: line.id, key_id: key, value_id: names.value(day, name, key, text) })
      }
    },
    ledger: ({ outcome, requests }: LedgerLine, { day }: Span): void => {
      run(db, ledgerQuery, { day, outcome, requests })
    },
    /** Puts a row to hand, beside those that a derivation gives. */
    rollup: ({ table, add, interned }: RollupRows, line: Record<string, unknown>, { day }: Span): void => {
      const entries = Object.entries(line).filter(([key]) => key !== 'type' && key !== 'day' && key !== 'table')
      const values = entries.map(([key, value]) =>
        interned.includes(key) ? [columnOf(key), numberOfText(day, key, String(value))] : [key, value],
      )
      if (table === 'utm') learnSpellings(day, line)
      if (table === 'source') values.push(['origin_id', originOf(day, line)])
      run(db, add, { period: day, ...Object.fromEntries(values) })
    },
    /** A rollback has taken numbers back. */
    reset: interner.reset,
  }
}
