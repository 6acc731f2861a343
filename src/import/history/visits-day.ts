// Writes the single visits that begin on a day.
import * as v from 'valibot'
import type { SessionLine } from '../../archive/lines.ts'
import { sessionGap } from '../../collection/store/sessions.ts'
import { notFound } from '../../collection/store/write-event.ts'
import { createTimeIds, type TimeIds } from '../../collection/store/write-hit.ts'
import type { Db } from '../../database/query.ts'
import { loadState, saveState } from '../../database/saved-state.ts'
import { timeText, type Zone } from '../../lib/time.ts'
import { markDirty } from '../../rollup/changes.ts'
import type { Span } from '../../rollup/tables.ts'
import type { Rows } from '../archive/rows.ts'
import type { HitData } from './hits.ts'
import type { Stage, StagedHit } from './stage.ts'

type StoredHit = Omit<StagedHit, 'data'> & { data: HitData }

export type Writer = {
  db: Db
  zone: Zone
  rows: Rows
  stage: Stage
  views: TimeIds
  events: TimeIds
  cut: boolean
  estimate: boolean
}

export const createWriter = (options: Omit<Writer, 'views' | 'events'>): Writer => ({
  ...options,
  views: createTimeIds(options.db, 'view'),
  events: createTimeIds(options.db, 'event'),
})

const endOf = ({ at, data }: StoredHit): number => at + (data.seconds ?? 0)

/** Cuts what a source calls a visit where nothing happened for 30 minutes. */
const cutVisit = (hits: readonly StoredHit[]): StoredHit[][] => {
  const visits: StoredHit[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const hit of hits) {
    if (hit.at - end > sessionGap) visits.push([])
    visits.at(-1)?.push(hit)
    end = Math.max(end, endOf(hit))
  }
  return visits
}

/** The time on the last page of a visit stays unknown. */
const estimateTimes = (hits: readonly StoredHit[]): void => {
  let view: StoredHit | null = null
  for (const hit of hits) {
    if (view !== null) view.data.seconds = Math.min(hit.at - view.at, sessionGap)
    if (hit.data.event === null) view = hit
  }
}

const sessionOf = (hits: readonly StoredHit[], first: StoredHit): SessionLine | null => {
  const views = hits.filter(({ data }) => data.event === null)
  const [entry, exit] = [views[0], views.at(-1)]
  if (entry === undefined || exit === undefined) return null
  const { origin, utm, place, agent, screen, language } = first.data.visit
  const last = hits.at(-1)?.visitor ?? first.visitor
  return {
    type: 'session',
    day: '',
    id: first.id,
    visitor: first.visitor,
    rekeyed_visitor: last === first.visitor ? null : last,
    started_at: timeText(first.at),
    ended_at: timeText(Math.max(...hits.map(endOf))),
    views: views.length,
    events: hits.filter(({ data }) => data.event !== null && data.event.name !== notFound).length,
    entry_host: entry.data.host,
    entry_page: entry.data.page ?? '/',
    exit_host: exit.data.host,
    exit_page: exit.data.page ?? '/',
    ...origin,
    utm_source: utm.source,
    utm_medium: utm.medium,
    utm_campaign: utm.campaign,
    utm_term: utm.term,
    utm_content: utm.content,
    ...place,
    device: agent.device,
    browser: agent.browser,
    browser_version: agent.browserVersion,
    os: agent.os,
    os_version: agent.osVersion,
    screen,
    language,
    evidence: 0,
    suspect: 0,
  }
}

/** A view or event is on the day on which it was, which may be the next one. */
const writeHit = ({ rows, views, events }: Writer, hit: StoredHit, session: number | null, span: Span): void => {
  const { at, visitor, data } = hit
  const { page, host, title, seconds, scroll, event } = data
  const common = { day: '', time: timeText(at), visitor }
  if (event === null) {
    if (session === null) return
    rows.view(
      { type: 'view', ...common, id: views.next(at), session, host, page: page ?? '/', title, seconds, scroll },
      span,
    )
    return
  }
  const { name, properties, value } = event
  const at_page = page === null ? null : host
  rows.event(
    {
      type: 'event',
      ...common,
      id: events.next(at),
      session,
      host: at_page,
      page,
      name,
      properties,
      value,
      order_id: null,
    },
    span,
  )
}

const everyDay = (span: Span): Span => ({ ...span, first_view_id: 0, next_view_id: Number.MAX_SAFE_INTEGER })

/** Writes a visit as it was staged, cut if it must be; days on which it goes on are marked. */
const writeVisit = (writer: Writer, visit: Buffer, span: Span): void => {
  const { db, zone, rows, stage, cut, estimate } = writer
  const staged = stage.hits(visit).map(hit => ({ ...hit, data: JSON.parse(hit.data) as HitData }))
  for (const hits of cut ? cutVisit(staged) : [staged]) {
    const [first] = hits
    if (first === undefined) continue
    if (estimate) estimateTimes(hits)
    const session = sessionOf(hits, first)
    if (session !== null) rows.session(session, { ...span, end: Number.MAX_SAFE_INTEGER }, false)
    for (const hit of hits) {
      writeHit(writer, hit, session === null ? null : first.id, everyDay(span))
      if (hit.at >= span.end) markDirty(db, zone.dayOf(hit.at))
    }
  }
}

/** Milliseconds of a transaction: hits wait for its end. */
const budget = 10

const stepSchema = v.object({ origin: v.number(), day: v.number(), visits: v.number() })

/**
 * Writes the visits that begin on a day, in short transactions; its figures do not follow yet. An import that was
 * interrupted goes on after the last one.
 * @param pause ends true if it is to stop
 * @returns whether all of them are written
 */
export const writeVisits = async (
  writer: Writer,
  origin: number,
  span: Span,
  pause: () => Promise<boolean>,
): Promise<boolean> => {
  const { db, rows, stage } = writer
  const { day } = span
  const visits = stage.visits(span.start, span.end)
  const last = loadState(db, 'import_step', stepSchema)
  let next = last?.origin === origin && last.day === day ? last.visits : 0
  while (next < visits.length) {
    db.transaction(() => {
      rows.follow()
      for (const end = performance.now() + budget; next < visits.length && performance.now() < end; next += 1) {
        const visit = visits[next]?.visit
        if (visit !== undefined) writeVisit(writer, visit, span)
      }
      saveState(db, 'import_step', { origin, day, visits: next })
    }).immediate()
    if (await pause()) return false
  }
  return true
}
