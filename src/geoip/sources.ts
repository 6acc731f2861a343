import { createHash } from 'node:crypto'
import type { Address } from './request.ts'
import { unpackGzip, unpackTar, type Unpack } from './unpack.ts'

/** Where a database is downloaded from. */
export type Source = {
  /** Tried in order; the first that exists is used. */
  files: readonly Address[]
  /** Where its SHA-256 is; null for a supplier that gives none. */
  checksum: Address | null
  unpack: Unpack
}

/** The files of this month and of the month before, as a new one appears some days late. */
export const urlsAt = (template: string, milliseconds: number): string[] => [
  ...new Set(
    [0, 1].map(back => {
      const date = new Date(milliseconds)
      date.setUTCDate(1)
      date.setUTCMonth(date.getUTCMonth() - back)
      return template
        .replaceAll('{year}', String(date.getUTCFullYear()))
        .replaceAll('{month}', String(date.getUTCMonth() + 1).padStart(2, '0'))
    }),
  ),
]

/** Stored in the file, which never holds an IP address: the host of a mirror may be one. */
const nameOf = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16)

/** The free database of the month. */
export const fallbackSource = (template: string, milliseconds: number): Source => ({
  files: urlsAt(template, milliseconds).map(url => ({ url, name: nameOf(url), authorization: null, secrets: [] })),
  checksum: null,
  unpack: unpackGzip,
})

const vendor = 'https://download.maxmind.com'
/** The vendor's two URLs: with the account's number and a key, or with a key alone. */
const byAccount = `${vendor}/geoip/databases/{edition}/download?suffix={suffix}`
const byKey = `${vendor}/app/geoip_download?edition_id={edition}&license_key={key}&suffix={suffix}`

/**
 * The licensed database. The setting holds a key, or ACCOUNT:KEY.
 * In a template of one's own, {key} says where the key stands; without it, account and key are sent as HTTP Basic.
 */
export const licensedSource = (setting: string, edition: string, template: string | null): Source => {
  const [, account = '', key = setting.trim()] = /^(\d{1,12}):(.+)$/.exec(setting.trim()) ?? []
  const pattern = template ?? (account === '' ? byKey : byAccount)
  const basic = btoa(String.fromCharCode(...new TextEncoder().encode(`${account}:${key}`)))
  const at = (suffix: string): Address => {
    const bare = pattern.replaceAll('{edition}', edition).replaceAll('{suffix}', suffix)
    const keyInUrl = bare.includes('{key}')
    return {
      name: nameOf(bare),
      url: bare.replaceAll('{key}', () => encodeURIComponent(key)),
      authorization: keyInUrl ? null : `Basic ${basic}`,
      secrets: [key, basic],
    }
  }
  return { files: [at('tar.gz')], checksum: at('tar.gz.sha256'), unpack: unpackTar }
}
