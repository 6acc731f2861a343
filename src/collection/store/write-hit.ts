import * as v from 'valibot'
import type { Origin, Utm } from '../../channel/channel.ts'
import { type Db, get, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { firstViewId, secondOf } from '../../database/view-id.ts'
import type { Zone } from '../../lib/time.ts'
import type { ChangeRecorder } from '../../rollup/changes.ts'
import { isSuspectTo, leaveOut } from '../../rollup/suspects.ts'
import type { SuspectChoice } from '../../settings/suspects.ts'
import sqlText from '../../sql/write-hit.sql'
import type { Content, EngagementRecord, HitRecord } from '../record.ts'
import type { CardinalityLimit } from './cardinality-limit.ts'
import type { Interner } from './intern.ts'
import type { RecentIds } from './recent-ids.ts'
import { isWithin, type Session, type Sessions } from './sessions.ts'
import type { Visitors } from './visitors.ts'

const sql = statements(sqlText)

const range = v.object({ first: v.number(), next: v.number() })
const last = v.object({ id: v.nullable(v.number()) })
const queries = { view: query(sql('view.last-id'), range, last), event: query(sql('event.last-id'), range, last) }

const cacheSize = 5000

/** Assigns ids that contain the time in seconds. */
export type TimeIds = {
  next: (at: number) => number
  reset: () => void
}

export const createTimeIds = (db: Db, table: keyof typeof queries): TimeIds => {
  const lastIds = new Map<number, number>()
  /** The largest id, to skip the query for later seconds. */
  let newest: number | null = null

  const findNewest = (): number => get(db, queries[table], { first: 0, next: Number.MAX_SAFE_INTEGER })?.id ?? 0

  return {
    next: at => {
      newest ??= findNewest()
      const before =
        lastIds.get(at) ??
        (firstViewId(at) > newest
          ? null
          : (get(db, queries[table], { first: firstViewId(at), next: firstViewId(at + 1) })?.id ?? null))
      const id = before === null ? firstViewId(at) : before + 1
      if (lastIds.size >= cacheSize) lastIds.clear()
      lastIds.set(at, id)
      newest = Math.max(newest, id)
      return id
    },
    reset: () => {
      lastIds.clear()
      newest = null
    },
  }
}

const nullableNumber = v.nullable(v.number())
const nullableText = v.nullable(v.string())
const addViewQuery = query(
  sql('view.add'),
  v.object({
    id: v.number(),
    session_id: v.number(),
    visitor_id: v.number(),
    page_id: v.number(),
    title_id: nullableNumber,
  }),
)
const viewRow = v.object({ session_id: v.number(), page_id: v.number() })
const findViewQuery = query(sql('view.find'), v.object({ id: v.number() }), viewRow)
const contentEntries = {
  resource_type: nullableText,
  resource_id: nullableNumber,
  author: nullableText,
  published_at: nullableText,
  status: nullableNumber,
}
const pageId = { page_id: v.number() }
const findContentQuery = query(sql('page-content.find'), v.object(pageId), v.object(contentEntries))
const saveContentQuery = query(sql('page-content.save'), v.object({ ...pageId, ...contentEntries }))
const engagement = v.object({ id: v.number(), seconds: nullableNumber, scroll: nullableNumber })
const engageQuery = query(sql('view.engage'), engagement)
const engageMoreQuery = query(sql('view.engage-more'), engagement)

/** Dependencies shared by the writers of the three kinds of record. */
export type WriterDeps = {
  db: Db
  zone: Zone
  limit: CardinalityLimit
  interner: Interner
  sessions: Sessions
  visitors: Visitors
  viewIds: TimeIds
  eventIds: TimeIds
  recentIds: RecentIds
  changes: ChangeRecorder
  suspects: () => SuspectChoice
}

/** The visitor's own view with this id. */
export const findView = (
  { db, recentIds, sessions }: WriterDeps,
  pvid: string,
  visitor: number,
): ({ id: number } & v.InferOutput<typeof viewRow>) | undefined => {
  const id = recentIds.find('view', pvid, visitor)
  const view = id === undefined ? undefined : get(db, findViewQuery, { id })
  return id === undefined || view === undefined || !sessions.isOf(view.session_id, visitor)
    ? undefined
    : { id, ...view }
}

/** Uses the stored spelling if the source is the UTM source. */
const withStoredSource = (origin: Origin, utm: Utm, stored: Utm): Origin =>
  origin.source === utm.source && stored.source !== null ? { ...origin, source: stored.source } : origin

const dimensionIds = ({ interner }: WriterDeps, record: HitRecord) => {
  const { origin, place, agent, language } = record.dimensions
  const utm = interner.utm(record.utm)
  return {
    origin_id: interner.origin(withStoredSource(origin, record.utm, utm)),
    campaign_id: interner.campaign(utm),
    place_id: interner.place(place),
    client_id: interner.client(agent),
    screen_id: interner.screen(record.screen),
    language_id: interner.language(language),
  }
}

const openSession = (
  deps: WriterDeps,
  record: HitRecord,
  { visitor, visitorOfDay, page, view }: { visitor: number; visitorOfDay: number; page: number; view: number },
): Session => {
  const { evidence } = record
  const choice = deps.suspects()
  const suspect = isSuspectTo(choice, evidence, record.at)
  const session = deps.sessions.open({
    visitor_id: visitorOfDay,
    rekeyed_visitor_id: visitor === visitorOfDay ? null : visitor,
    started_at: record.at,
    ended_at: record.at,
    seen_at: record.at,
    views: 1,
    events: 0,
    entry_page_id: page,
    exit_page_id: page,
    entry_view_id: view,
    exit_view_id: view,
    ...dimensionIds(deps, record),
    evidence,
    suspect: suspect ? 1 : 0,
    is_left_out: suspect && choice.suspects === 'leave_out' ? 1 : 0,
  })
  if (session.is_left_out === 1) leaveOut(deps.db, session.id)
  return session
}

/** Adds an activity to a session; one before its start may move the session to another hour or day. */
export const extend = ({ sessions, zone, changes }: WriterDeps, session: Session, at: number, seen: boolean): void => {
  changes.day(zone.dayOf(session.started_at))
  if (at < session.started_at) changes.whole()
  sessions.extend(session, at, seen)
  changes.day(zone.dayOf(session.started_at))
}

/** Entry, exit and dimensions follow the times of the views, whatever the order of arrival. */
const extendSession = (
  deps: WriterDeps,
  session: Session,
  record: HitRecord,
  { page, view }: { page: number; view: number },
): void => {
  session.views += 1
  extend(deps, session, record.at, true)
  if (view > session.exit_view_id) {
    session.exit_view_id = view
    session.exit_page_id = page
  }
  if (view >= session.entry_view_id) return
  // The session's dimensions change, so rollup rows with the old ones may be obsolete.
  deps.changes.whole()
  Object.assign(session, { entry_view_id: view, entry_page_id: page, ...dimensionIds(deps, record) })
  deps.sessions.save(session)
}

/** Most hits repeat what is known of their page; changing it is limited like what is new. */
const saveContent = ({ db, limit }: WriterDeps, page: number, content: Content): void => {
  const { resourceType: resource_type, resourceId: resource_id, author, publishedAt: published_at, status } = content
  const said = { resource_type, resource_id, author, published_at, status }
  if (Object.values(said).every(value => value === null)) return
  const known = get(db, findContentQuery, { page_id: page })
  const isKnown = Object.entries(said).every(
    ([name, value]) => value === null || Reflect.get(known ?? {}, name) === value,
  )
  if (!isKnown && limit.allow('content', [resource_type, author, published_at]))
    run(db, saveContentQuery, { page_id: page, ...said })
}

/** The visitor number on the view's own day, also for views dated back over midnight. */
const findVisitorOfDay = (
  { visitors, zone }: WriterDeps,
  record: HitRecord,
  visitor: number,
  session: Session | undefined,
): number => {
  const day = zone.dayOf(record.at)
  if (record.lasting !== null || day === record.visitor.day) return visitor
  if (record.previous?.day === day) return visitors.numberOf(record.previous)
  // The salt of that day was destroyed, but a visit that began then still has its visitor.
  const startedThatDay = session?.rekeyed_visitor_id === visitor && zone.dayOf(session.started_at) === day
  return startedThatDay ? session.visitor_id : visitor
}

export const writeHit = (deps: WriterDeps, record: HitRecord): 'accepted' | 'repeated' => {
  const { zone, interner, recentIds } = deps
  const visitor = deps.visitors.identify(record, true) ?? 0
  const { pvid, at } = record
  if (pvid !== null && recentIds.find('view', pvid, visitor) !== undefined) return 'repeated'

  const day = zone.dayOf(at)
  const view = deps.viewIds.next(at)
  const page = interner.page(record.page, record.host)
  const joined = deps.sessions.find(visitor, at)
  if (joined !== undefined) extendSession(deps, joined, record, { page, view })
  const visitorOfDay = findVisitorOfDay(deps, record, visitor, joined)
  const session = joined ?? openSession(deps, record, { visitor, visitorOfDay, page, view })
  deps.changes.day(zone.dayOf(session.started_at))
  deps.changes.day(day)
  run(deps.db, addViewQuery, {
    id: view,
    session_id: session.id,
    visitor_id: visitorOfDay,
    page_id: page,
    title_id: interner.title(record.title),
  })
  deps.changes.view(view)
  if (pvid !== null) recentIds.add('view', pvid, visitor, view)
  if (record.pageId !== null) recentIds.add('view', record.pageId, visitor, view)
  saveContent(deps, page, record.content)
  return 'accepted'
}

/** Raises a view's engagement, and extends its session unless the gap is too long. Opens no session. */
export const writeEngagement = (deps: WriterDeps, record: EngagementRecord): 'accepted' | 'unmatched' => {
  const { db, zone, sessions } = deps
  const visitor = deps.visitors.identify(record, false)
  if (visitor === null) return 'unmatched'
  const view = findView(deps, record.pvid, visitor)
  if (view === undefined) return 'unmatched'

  run(db, record.isMore ? engageMoreQuery : engageQuery, {
    id: view.id,
    seconds: record.seconds,
    scroll: record.scroll,
  })
  deps.changes.view(view.id)
  deps.changes.day(zone.dayOf(secondOf(view.id)))
  const session = sessions.byId(view.session_id, visitor)
  if (session === undefined || !isWithin(session, record.at)) return 'accepted'
  extend(deps, session, record.at, true)
  return 'accepted'
}
