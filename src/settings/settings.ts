import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { noteAction, type Origin } from '../audit/audit.ts'
import { all, type Db, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/setting.sql'

const sql = statements(sqlText)

/** The ten settings (api.md §7), with their types and descriptions. */
const entries = {
  tracking_enabled: v.pipe(v.boolean(), v.description('Turns collection on or off.')),
  respect_dnt: v.pipe(v.boolean(), v.description('Does not count browsers that send DNT: 1.')),
  respect_gpc: v.pipe(v.boolean(), v.description('Does not count browsers that send Sec-GPC: 1.')),
  consent_mode: v.pipe(
    v.picklist(['full', 'cookieless', 'disabled-until-consent']),
    v.description('What is recorded with and without consent.'),
  ),
  retention_days: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(30),
    v.maxValue(3650),
    v.description('Days for which single visits are kept; reports by day stay.'),
  ),
  retention_mode: v.pipe(
    v.picklist(['delete', 'archive', 'forever']),
    v.description('What happens to single visits after that.'),
  ),
  excluded_ips: v.pipe(v.array(v.string()), v.description('Addresses and networks that are not counted.')),
  excluded_roles: v.pipe(
    v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(60))),
    v.maxLength(100),
    v.description('Roles whose logged-in users are not counted.'),
  ),
  geoip_enabled: v.pipe(v.boolean(), v.description('Looks up countries, and cities where a city database is present.')),
  geoip_license_key: v.pipe(
    v.string(),
    v.maxLength(200),
    v.description("Key for the vendor's city database; reads back as a mask."),
  ),
}

export const settingsSchema = v.object(entries)
export type Settings = v.InferOutput<typeof settingsSchema>

/** Entries for a change, in which every key is optional. */
export const settingsEntries = entries

const defaults: Settings = {
  tracking_enabled: true,
  respect_dnt: true,
  respect_gpc: true,
  consent_mode: 'cookieless',
  retention_days: 365,
  retention_mode: 'delete',
  excluded_ips: [],
  excluded_roles: ['administrator'],
  geoip_enabled: true,
  geoip_license_key: '',
}

export const mask = '********'

/** The settings as shown to users: the license key never leaves the service. */
export const shown = (settings: Settings): Settings => ({
  ...settings,
  geoip_license_key: settings.geoip_license_key === '' ? '' : mask,
})

const setting = { name: v.string(), value: v.string() }
const listQuery = query(sql('list'), none, v.object(setting))
const saveQuery = query(sql('save'), v.object(setting))

/** The stored settings, with defaults for the others. */
export const loadSettings = (db: Db): Settings => {
  const rows = all(db, listQuery, {})
  return v.parse(settingsSchema, {
    ...defaults,
    ...Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)])),
  })
}

type OnChange = (before: Settings, after: Settings) => void

/** The current settings. */
export type SettingsStore = {
  current: () => Settings
  /** Calls the listener after every change, also by another process. */
  onChange: (listener: OnChange) => void
  /** Changes settings, all or none, and records who did it (never the license key or an address). */
  save: (changes: Partial<Settings>, who: string | null, at: number) => Settings
  /** Reloads the settings if another process has changed the file. */
  refresh: () => void
}

const auditText = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value))

/** The license key and addresses are stored only in the setting itself. */
const noteChange = (db: Db, origin: Origin, name: string, from: unknown, to: unknown): void => {
  if (name === 'geoip_license_key') noteAction(db, origin, 'setting_secret_changed', { setting: name })
  else if (name === 'excluded_ips' && Array.isArray(from) && Array.isArray(to))
    noteAction(db, origin, 'setting_entries_changed', { setting: name, from: from.length, to: to.length })
  else noteAction(db, origin, 'setting_changed', { setting: name, from: auditText(from), to: auditText(to) })
}

export const createSettings = (db: Db): SettingsStore => {
  const listeners: OnChange[] = []
  const fileVersion = (): unknown => db.pragma('data_version', { simple: true })
  let seen = fileVersion()
  let settings = loadSettings(db)

  const reload = (): Settings => {
    const before = settings
    settings = loadSettings(db)
    for (const listener of listeners) listener(before, settings)
    return settings
  }

  return {
    current: () => settings,
    onChange: listener => {
      listeners.push(listener)
    },
    save: (changes, who, at) => {
      db.transaction(() => {
        // Read again: another process may already have set the same value.
        const before: Partial<Record<string, unknown>> = loadSettings(db)
        for (const [name, value] of Object.entries(changes).filter(
          ([key, given]) => !isDeepStrictEqual(given, before[key]),
        )) {
          run(db, saveQuery, { name, value: JSON.stringify(value) })
          noteChange(db, { at, who }, name, before[name], value)
        }
      }).immediate()
      return reload()
    },
    refresh: () => {
      const version = fileVersion()
      if (version === seen) return
      seen = version
      reload()
    },
  }
}
