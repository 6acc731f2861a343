import * as v from 'valibot'
import { referrerHost } from '../channel/channel.ts'
import { createSalts } from '../collection/enrich/salts.ts'
import { parsePage, storedHost } from '../collection/ingest/page.ts'
import { beginErasure, chooseSpan, type ErasedRows, eraseRows } from '../collection/store/erase.ts'
import { eraseVisitor } from '../collection/store/forget.ts'
import { type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { removeGoalDay } from '../goals/stored-days.ts'
import { plainHost } from '../lib/plain-host.ts'
import type { Day, Zone } from '../lib/time.ts'
import { markDirty } from '../rollup/changes.ts'
import { spanOf } from '../rollup/derive.ts'
import { breakPeriods } from '../rollup/periods.ts'
import { rollupTables } from '../rollup/tables.ts'
import sqlText from '../sql/erasure-targets.sql'

const sql = statements(sqlText)

const value = v.object({ value: v.string() })
const pageQuery = query(sql('erasure.page.choose'), v.object({ value: v.string(), host: v.nullable(v.string()) }))
const hostQuery = query(sql('erasure.host.choose'), value)
const hostTexts = [
  sql('erasure.host-rollup.remove'),
  sql('erasure.host-refusals.remove'),
  sql('erasure.host-name.remove'),
].map(one => query(one, value))
const eventQuery = query(sql('erasure.event.choose'), value)
const propertyQuery = query(sql('erasure.property.choose'), value)
const propertyCountQuery = query(sql('erasure.property.count'), none, v.object({ events: v.number() }))
const goalQuery = query(sql('erasure.goal.remove'), value)
const referrerQuery = query(sql('erasure.referrer.choose'), value)

/** `rollups`: whether the target's own rollup rows are erased too, also those of days without raw rows. */
export type Erased = ErasedRows & { rollups: boolean }

export const targets = ['visitor', 'page', 'host', 'referrer', 'event', 'property', 'day'] as const
export type Target = (typeof targets)[number]

type ErasureContext = { db: Db; zone: Zone; keepQuery: readonly string[] }

/** Erases the rows that a script selects for the chosen target. */
const runScript = ({ db, zone }: ErasureContext, script: string): Erased => {
  db.exec(script)
  db.exec(sql('erasure.touched.script'))
  const erased = eraseRows(db, zone)
  for (const day of erased.days) markDirty(db, day)
  return { ...erased, rollups: true }
}

/** Chooses the first spelling that the database has. */
const choose = (db: Db, find: typeof eventQuery, spellings: readonly (string | null | undefined)[]): boolean =>
  spellings.some(spelling => typeof spelling === 'string' && run(db, find, { value: spelling }) > 0)

type PageKey = { value: string; host: string | null }

/** What a text can mean: a path of any host, a path with its host, or a URL; '' is the host of pages that have none. */
const pageKeys = (text: string, keepQuery: readonly string[]): PageKey[] => {
  const parsed = [text, `https://${text}`].flatMap(url => parsePage(url, null, keepQuery) ?? [])
  return [
    { value: text, host: null },
    ...parsed.flatMap(({ page, host }): PageKey[] => {
      const hosts = host === null ? [null] : [storedHost(host), '']
      return hosts.map(one => ({ value: page, host: one }))
    }),
  ]
}

/** @param text a page as shown in reports, or its URL */
const erasePage = (context: ErasureContext, text: string): Erased | null => {
  const key = pageKeys(text, context.keepQuery).find(one => run(context.db, pageQuery, one) > 0)
  if (key === undefined) return null
  for (const name of [key.value, `${key.host ?? ''}${key.value}`]) run(context.db, goalQuery, { value: name })
  return runScript(context, sql('erasure.page.script'))
}

/** @param text a host, as in reports or as in an address */
const eraseHost = (context: ErasureContext, text: string): Erased | null => {
  const host = [text, plainHost(text)].find(spelling => choose(context.db, hostQuery, [spelling]))
  if (host === undefined) return null
  const erased = runScript(context, sql('erasure.page.script'))
  for (const remove of hostTexts) run(context.db, remove, { value: host })
  return erased
}

const eraseEvent = (context: ErasureContext, name: string): Erased | null => {
  if (!choose(context.db, eventQuery, [name])) return null
  run(context.db, goalQuery, { value: name })
  return runScript(context, sql('erasure.event.script'))
}

/** Its events stay: `events` says how many have lost it. */
const eraseProperty = (context: ErasureContext, key: string): Erased | null => {
  if (!choose(context.db, propertyQuery, [key])) return null
  const events = get(context.db, propertyCountQuery, {})?.events ?? 0
  return { ...runScript(context, sql('erasure.property.script')), events }
}

const eraseReferrer = (context: ErasureContext, text: string): Erased | null => {
  const spellings = [text, referrerHost(text), referrerHost(`https://${text}`)]
  return choose(context.db, referrerQuery, spellings) ? runScript(context, sql('erasure.referrer.script')) : null
}

const eraseDay = (context: ErasureContext, day: Day): Erased | null => {
  const { db, zone } = context
  const { first_view_id, next_view_id } = spanOf(zone, day)
  chooseSpan(db, first_view_id, next_view_id)
  const erased = runScript(context, sql('erasure.day.script'))
  const rollups = rollupTables.reduce((sum, { clear }) => sum + run(db, clear, { period: day }), 0)
  removeGoalDay(db, day)
  // A day without raw rows is not rebuilt, so nothing else would remove it from the longer periods.
  breakPeriods(db, day)
  return rollups + erased.views + erased.events === 0 ? null : erased
}

const eraseBrowser = ({ db, zone }: ErasureContext, browser: string): Erased | null => {
  const hash = createSalts(db, zone, 'site').existingLasting(browser)
  const erased = hash === null ? null : eraseVisitor(db, zone, hash)
  return erased === null ? null : { ...erased, rollups: false }
}

/**
 * Erases the raw rows of a target, its texts and its own rollup rows, and marks its days for a rebuild. Must be called
 * in a transaction.
 * @param name the target's name; for a visitor the id that a browser sent (consent mode `full`), a day as yyyymmdd
 * @returns null if the target is not stored
 */
export const erase = (context: ErasureContext, target: Target, name: string): Erased | null => {
  beginErasure(context.db)
  switch (target) {
    case 'visitor':
      return eraseBrowser(context, name)
    case 'page':
      return erasePage(context, name)
    case 'host':
      return eraseHost(context, name)
    case 'referrer':
      return eraseReferrer(context, name)
    case 'event':
      return eraseEvent(context, name)
    case 'property':
      return eraseProperty(context, name)
    case 'day':
      return eraseDay(context, Number(name))
  }
}
