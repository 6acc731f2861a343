import * as v from 'valibot'
import type { Origin, Utm } from '../../channel/channel.ts'
import { get, query, run, type Db } from '../../database/query.ts'
import type { Rows } from '../../database/rows.ts'
import savePageContent from '../../sql/page-content.save.sql'
import addView from '../../sql/view.add.sql'
import findViewById from '../../sql/view.find.sql'
import type { Day, Zone } from '../../lib/time.ts'
import type { Content } from '../ingest/fields/hit.ts'
import type { Interner } from './intern.ts'
import type { Note } from './change-recorder.ts'
import type { RecentIds } from './recent-ids.ts'
import type { HitRecord } from '../record.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'
import type { TimeIds } from './time-ids.ts'
import type { Visitors } from './visitors.ts'

const nothing = v.object({})
const nullableNumber = v.nullable(v.number())
const nullableText = v.nullable(v.string())
export const addViewQuery = query(
  addView,
  v.object({
    id: v.number(),
    session_id: v.number(),
    visitor_id: v.number(),
    page_id: v.number(),
    title_id: nullableNumber,
  }),
  nothing,
)
const found = v.object({ session_id: v.number(), page_id: v.number() })
const findViewQuery = query(findViewById, v.object({ id: v.number() }), found)
const contentQuery = query(
  savePageContent,
  v.object({
    page_id: v.number(),
    resource_type: nullableText,
    resource_id: nullableNumber,
    author: nullableText,
    published_at: nullableText,
    status: nullableNumber,
  }),
  nothing,
)

/** What the writers of the three kinds of record share; made once by the writer. */
export type Tools = {
  db: Db
  zone: Zone
  interner: Interner
  sessions: Sessions
  visitors: Visitors
  /** Views that are not in the file yet. */
  views: Rows<typeof addViewQuery.params>
  viewIds: TimeIds
  eventIds: TimeIds
  recentViews: RecentIds
  recentEvents: RecentIds
  note: Note
}

/** The visitor's own view that an id names. */
export const findView = (
  { db, views, recentViews, sessions }: Tools,
  pvid: string,
  visitor: number,
): ({ id: number } & v.InferOutput<typeof found>) | undefined => {
  views.write()
  const id = recentViews.find(pvid, visitor)
  const view = id === undefined ? undefined : get(db, findViewQuery, { id })
  return id === undefined || view === undefined || !sessions.isOf(view.session_id, visitor)
    ? undefined
    : { id, ...view }
}

/** A source that is the campaign's own name follows its spelling and bounds. */
const inKeptSpelling = (origin: Origin, utm: Utm, kept: Utm): Origin =>
  origin.source === utm.source && kept.source !== null ? { ...origin, source: kept.source } : origin

const dimensionIds = ({ interner }: Tools, day: Day, record: HitRecord) => {
  const { origin, place, agent, language } = record.dimensions()
  const utm = interner.utm(day, record.utm)
  return {
    origin_id: interner.origin(day, inKeptSpelling(origin, record.utm, utm)),
    campaign_id: interner.campaign(day, utm),
    place_id: interner.place(day, place),
    client_id: interner.client(day, agent),
    screen_id: interner.screen(day, record.screen),
    language_id: interner.language(day, language),
    timezone_id: interner.timezone(day, record.timezone),
  }
}

const openSession = (
  tools: Tools,
  day: Day,
  record: HitRecord,
  visitor: number,
  ofDay: number,
  page: number,
  view: number,
): Session =>
  tools.sessions.open({
    visitor_id: ofDay,
    rekeyed_visitor_id: visitor === ofDay ? null : visitor,
    started_at: record.second,
    ended_at: record.second,
    seen_at: record.second,
    views: 1,
    events: 0,
    entry_page_id: page,
    exit_page_id: page,
    entry_view_id: view,
    exit_view_id: view,
    ...dimensionIds(tools, day, record),
  })

/** Takes an activity into a session; one before its first may make it one of another hour or day. */
export const extend = ({ sessions, zone, note }: Tools, session: Session, second: number, seen: boolean): void => {
  note.day(zone.dayOf(session.started_at))
  if (second < session.started_at) note.whole()
  sessions.extend(session, second, seen)
  note.day(zone.dayOf(session.started_at))
}

/** Entry, exit and dimensions follow the dated times, whatever the order of arrival. */
const extendSession = (
  tools: Tools,
  day: Day,
  session: Session,
  record: HitRecord,
  page: number,
  view: number,
): void => {
  session.views += 1
  extend(tools, session, record.second, true)
  if (view > session.exit_view_id) {
    session.exit_view_id = view
    session.exit_page_id = page
  }
  if (view >= session.entry_view_id) return
  // The session becomes one of other values: rows of its old ones may have to go.
  tools.note.whole()
  tools.sessions.alter(session)
  Object.assign(session, { entry_view_id: view, entry_page_id: page, ...dimensionIds(tools, day, record) })
}

const saveContent = (
  db: Db,
  page: number,
  { resourceType, resourceId, author, publishedAt, status }: Content,
): void => {
  if (resourceType === null && resourceId === null && author === null && publishedAt === null && status === null) return
  run(db, contentQuery, {
    page_id: page,
    resource_type: resourceType,
    resource_id: resourceId,
    author,
    published_at: publishedAt,
    status,
  })
}

/** The visitor to whom a view counts: that of its own day, also when it is dated back over midnight. */
const visitorOfDay = (
  { visitors, zone }: Tools,
  record: HitRecord,
  visitor: number,
  session: Session | undefined,
): number => {
  const day = zone.dayOf(record.second)
  if (record.lasting !== null || day === record.visitor.day) return visitor
  if (record.previous?.day === day) return visitors.numberOf(record.previous)
  // Its salt is gone, but a visit that began on it knows its visitor.
  const knows = session?.rekeyed_visitor_id === visitor && zone.dayOf(session.started_at) === day
  return knows ? session.visitor_id : visitor
}

export const writeHit = (tools: Tools, record: HitRecord): 'accepted' | 'repeated' => {
  const { db, zone, interner, recentViews } = tools
  const visitor = tools.visitors.identify(record, true) ?? 0
  const { pvid, second } = record
  if (pvid !== null && recentViews.find(pvid, visitor) !== undefined) return 'repeated'

  const day = zone.dayOf(second)
  const view = tools.viewIds.next(second)
  const page = interner.page(day, record.page)
  const joined = tools.sessions.find(visitor, second)
  if (joined !== undefined) extendSession(tools, day, joined, record, page, view)
  const ofDay = visitorOfDay(tools, record, visitor, joined)
  const session = joined ?? openSession(tools, day, record, visitor, ofDay, page, view)
  tools.note.day(zone.dayOf(session.started_at))
  tools.note.day(day)
  tools.views.add({
    id: view,
    session_id: session.id,
    visitor_id: ofDay,
    page_id: page,
    title_id: interner.title(day, record.title),
  })
  tools.note.view(view)
  if (pvid !== null) recentViews.add(pvid, visitor, view)
  saveContent(db, page, record.content)
  return 'accepted'
}
