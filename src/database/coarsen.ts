// The migration to schema 15: visits keep less of screens, languages and versions, and no time zone.
import { hasVariants, majorVersion, olderLanguage, olderSystemVersion, olderValue, screenNamed } from '../lib/coarse.ts'
import { createZone, eachDay } from '../lib/time.ts'
import sqlText from '../sql/migrations/0015-coarse-visits.sql'
import type { Db } from './query.ts'
import { statements } from './statements.ts'

const sql = statements(sqlText)

type Label = { id: number; text: string }
type Client = { id: number; browser_version: string | null; os: string | null; os_version: string | null }

const coarseClient = (client: Client): Client => {
  const { browser_version, os, os_version } = client
  return {
    ...client,
    browser_version: browser_version === null ? null : majorVersion(browser_version),
    os_version: os_version === null ? null : olderSystemVersion(os, os_version),
  }
}

const rangeOf = (text: string): string | null => {
  const [, language] = /^([a-z]{2,3})-\*$/i.exec(text) ?? []
  return language === undefined ? null : hasVariants(language) ? text : language
}

/** A value of a filter. One that nothing can have any more is kept: it selects nothing, and the reader says why. */
const filterValue = (name: string, value: string): string => {
  if (name === 'screen') return value === '(other)' ? '' : (screenNamed(value) ?? value)
  return (name === 'language' ? rangeOf(value) : null) ?? olderValue(name, value)
}

const coarseFilters = ['screen', 'language', 'browser_version', 'os_version']

/** The text of a filter, such as `!de-CH,de-AT`; a value with a backslash stays as it is. */
const coarseFilter = (name: string, text: string): string => {
  if (!coarseFilters.includes(name)) return text
  const [, not = '', list = ''] = /^\s*(!?)(.*)$/s.exec(text) ?? []
  const values = list.split(/(?<!\\),/).map(value => value.trim())
  return `${not}${[...new Set(values.map(value => (value.includes('\\') ? value : filterValue(name, value))))].join(',')}`
}

const changeFilters = (db: Db, table: 'segment' | 'share-link' | 'app-password'): void => {
  const change = db.prepare(sql(`${table}.change`))
  for (const { id, filters } of db.prepare(sql(`${table}.filters`)).all() as { id: unknown; filters: string }[]) {
    const entries = Object.entries(JSON.parse(filters) as Record<string, string>)
    change.run({
      id,
      filters: JSON.stringify(Object.fromEntries(entries.map(([name, text]) => [name, coarseFilter(name, text)]))),
    })
  }
}

/** Marks the days on which merged values may count a visitor twice; those without single visits cannot be recalculated. */
const markDays = (db: Db): void => {
  const zone = createZone(String(db.prepare(sql('timezone')).pluck().get() ?? 'UTC'))
  const days = new Set<number>()
  for (const { started_at, ended_at } of db.prepare(sql('session.several')).iterate() as Iterable<{
    started_at: number
    ended_at: number
  }>)
    for (const day of eachDay(zone.dayOf(started_at), zone.dayOf(ended_at))) days.add(day)
  const mark = db.prepare(sql('dirty'))
  for (const day of days) mark.run(day)
}

export const coarsenVisits = (db: Db): void => {
  markDays(db)
  db.exec(sql('begin.script'))
  const addLabel = db.prepare(sql('add-label'))
  for (const { id, text } of db.prepare(sql('session.screens')).all() as Label[])
    addLabel.run('screen', id, screenNamed(text))
  for (const { id, text } of db.prepare(sql('session.languages')).all() as Label[])
    addLabel.run('language', id, olderLanguage(text))
  const addClient = db.prepare(sql('add-client'))
  for (const client of db.prepare(sql('session.clients')).all() as Client[]) addClient.run(coarseClient(client))
  const addValue = db.prepare(sql('add-value'))
  for (const { dimension, value } of db.prepare(sql('session.values')).all() as {
    dimension: string
    value: string
  }[]) {
    const coarse = olderValue(dimension, value)
    if (coarse !== value) addValue.run(dimension, value, coarse)
  }
  db.exec(sql('change.script'))
  for (const table of ['segment', 'share-link', 'app-password'] as const) changeFilters(db, table)
}
