import * as v from 'valibot'
import { all, query, type Db } from './database/query.ts'
import listSettings from './sql/setting.list.sql'

/** The ten settings (api.md §7) with their defaults; one row a setting. */
export const settingsSchema = v.object({
  tracking_enabled: v.optional(v.boolean(), true),
  respect_dnt: v.optional(v.boolean(), true),
  respect_gpc: v.optional(v.boolean(), true),
  consent_mode: v.optional(v.picklist(['full', 'cookieless', 'disabled-until-consent']), 'cookieless'),
  retention_days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(30), v.maxValue(3650)), 365),
  retention_mode: v.optional(v.picklist(['delete', 'archive', 'forever']), 'delete'),
  excluded_ips: v.optional(v.array(v.string()), []),
  excluded_roles: v.optional(v.array(v.string()), ['administrator']),
  geoip_enabled: v.optional(v.boolean(), true),
  geoip_license_key: v.optional(v.string(), ''),
})

export type Settings = v.InferOutput<typeof settingsSchema>

const listSettingsQuery = query(listSettings, v.object({}), v.object({ name: v.string(), value: v.string() }))

/** What the owner has set, with defaults for the rest. */
export const loadSettings = (db: Db): Settings => {
  const rows = all(db, listSettingsQuery, {})
  return v.parse(settingsSchema, Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)])))
}

/** The settings in force. `refresh` looks whether another process has changed the file, and takes them up again if so. */
export type SettingsStore = { current: () => Settings, refresh: () => void }

export const createSettings = (db: Db): SettingsStore => {
  const fileVersion = (): unknown => db.pragma('data_version', { simple: true })
  let seen = fileVersion()
  let settings = loadSettings(db)
  return {
    current: () => settings,
    refresh: () => {
      const version = fileVersion()
      if (version === seen) return
      settings = loadSettings(db)
      seen = version
    },
  }
}
