import * as v from 'valibot'
import { parsePage } from '../collection/ingest/page.ts'
import { eraseVisitor } from '../collection/store/forget.ts'
import { createSalts } from '../collection/enrich/salts.ts'
import { referrerHost } from '../channel/channel.ts'
import { get, query, run, type Db } from '../database/query.ts'
import { markDirty } from '../rollup/dirty.ts'
import { breakPeriods } from '../rollup/periods.ts'
import { rollupTables } from '../rollup/tables.ts'
import findName from '../sql/erasure.event-name.find.sql'
import labels from '../sql/erasure.labels.sql'
import eventRollup from '../sql/erasure.name.event-rollup.sql'
import eventKey from '../sql/erasure.name.event-key.sql'
import eventName from '../sql/erasure.name.event-name.sql'
import eventPageRollup from '../sql/erasure.name.event-page-rollup.sql'
import eventPropertyRollup from '../sql/erasure.name.event-property-rollup.sql'
import eventValue from '../sql/erasure.name.event-value.sql'
import nameLabels from '../sql/erasure.name-labels.sql'
import findOrigin from '../sql/erasure.origin.find.sql'
import originRows from '../sql/erasure.origin.rows.sql'
import sourceRollup from '../sql/erasure.origin.source-rollup.sql'
import pageTitles from '../sql/erasure.page-titles.sql'
import pageEventRollup from '../sql/erasure.page.event-page-rollup.sql'
import findPage from '../sql/erasure.page.find.sql'
import pageContent from '../sql/erasure.page.page-content.sql'
import pageRollup from '../sql/erasure.page.page-rollup.sql'
import pageRow from '../sql/erasure.page.row.sql'
import titleDay from '../sql/erasure.page.title-day.sql'
import { addDays, type Day, type Zone } from '../lib/time.ts'
import { firstViewId } from '../database/view-id.ts'
import { beginErasure, chooseRows, eraseRows, type Rows } from './rows.ts'

const nothing = v.object({})
const id = v.object({ id: v.number() })
const domain = v.object({ domain: v.string() })
const byId = (...texts: string[]) => texts.map(sql => query(sql, id, nothing))
const findPageQuery = query(findPage, v.object({ path: v.string() }), id)
const findNameQuery = query(findName, v.object({ name: v.string() }), id)
const findOriginQuery = query(findOrigin, domain, id)
const pageTexts = byId(pageTitles, titleDay, pageRollup, pageEventRollup, pageContent, pageRow)
const nameTexts = byId(nameLabels, eventRollup, eventPageRollup, eventPropertyRollup, eventValue, eventKey, eventName)
const originTexts = [sourceRollup, originRows].map(sql => query(sql, domain, nothing))
const labelsQuery = query(labels, nothing, nothing)

/** What is known to erase. `rollups`: whether rollup rows of its own are erased too, also of days without raw rows. */
export type Erased = Rows & { days: Day[]; rollups: boolean }

export const targets = ['visitor', 'page', 'referrer', 'event', 'day'] as const
export type Target = (typeof targets)[number]

type Tools = { db: Db; zone: Zone; keepQuery: readonly string[] }

const derive = (db: Db, erased: Rows & { days: Day[] }): Erased => {
  for (const day of erased.days) markDirty(db, day)
  return { ...erased, rollups: true }
}

/** A page as it is written in reports, or as an address of the site. */
const pageNumber = ({ db, keepQuery }: Tools, text: string): number | undefined => {
  const page = parsePage(text, null, keepQuery)?.page
  return (
    get(db, findPageQuery, { path: text })?.id ??
    (page === undefined ? undefined : get(db, findPageQuery, { path: page })?.id)
  )
}

const erasePage = (tools: Tools, text: string): Erased | null => {
  const { db, zone } = tools
  const page = pageNumber(tools, text)
  if (page === undefined) return null
  chooseRows.page(db, page)
  const [titles, ...rest] = pageTexts
  if (titles !== undefined) run(db, titles, { id: page })
  const erased = eraseRows(db, zone)
  for (const one of rest) run(db, one, { id: page })
  run(db, labelsQuery, {})
  return derive(db, erased)
}

const eraseEvent = ({ db, zone }: Tools, name: string): Erased | null => {
  const found = get(db, findNameQuery, { name })?.id
  if (found === undefined) return null
  chooseRows.event(db, found)
  const erased = eraseRows(db, zone)
  for (const one of nameTexts) run(db, one, { id: found })
  run(db, labelsQuery, {})
  return derive(db, erased)
}

const eraseReferrer = ({ db, zone }: Tools, text: string): Erased | null => {
  const host = [text, referrerHost(text), referrerHost(`https://${text}`)].find(
    one => one !== null && get(db, findOriginQuery, { domain: one }) !== undefined,
  )
  if (host === undefined || host === null) return null
  chooseRows.referrer(db, host)
  const erased = eraseRows(db, zone)
  for (const one of originTexts) run(db, one, { domain: host })
  return derive(db, erased)
}

const eraseDay = ({ db, zone }: Tools, day: Day): Erased | null => {
  chooseRows.day(db, firstViewId(zone.startOf(day)), firstViewId(zone.startOf(addDays(day, 1))))
  const erased = eraseRows(db, zone)
  const rollups = rollupTables.reduce((sum, { clear }) => sum + run(db, clear, { period: day }), 0)
  // A day that has lost its raw rows is not derived: nobody else would take it out of the longer periods.
  breakPeriods(db, day)
  return rollups + erased.views + erased.events === 0 ? null : derive(db, erased)
}

const eraseBrowser = ({ db, zone }: Tools, browser: string): Erased | null => {
  const erased = eraseVisitor(db, zone, createSalts(db, zone, 'site').lasting(browser))
  return erased === null ? null : { ...erased, rollups: false }
}

/**
 * Erases the raw rows of one thing, its texts and its own rollup rows, and marks its days to be derived anew; in the
 * caller's transaction. A visitor is named by the id that a browser sent (consent mode `full`), a day as yyyymmdd.
 * @returns null if nothing of it is kept
 */
export const erase = (tools: Tools, target: Target, value: string): Erased | null => {
  beginErasure(tools.db)
  switch (target) {
    case 'visitor':
      return eraseBrowser(tools, value)
    case 'page':
      return erasePage(tools, value)
    case 'referrer':
      return eraseReferrer(tools, value)
    case 'event':
      return eraseEvent(tools, value)
    case 'day':
      return eraseDay(tools, Number(value))
  }
}
