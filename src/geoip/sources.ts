import { createHash } from 'node:crypto'
import type { Address } from './request.ts'
import { unpackGzip, unpackTar, type Unpack } from './unpack.ts'

/** Where a database comes from. */
export type Source = {
  /** Where it may be; the first that is there counts. */
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

/** Kept in the file, which never holds an address of a network: a mirror may be named by one. */
const nameOf = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16)

/** The free database of the month. */
export const fallbackSource = (template: string, milliseconds: number): Source => ({
  files: urlsAt(template, milliseconds).map(url => ({ url, name: nameOf(url), authorization: null, secrets: [] })),
  checksum: null,
  unpack: unpackGzip,
})

const vendor = 'https://download.maxmind.com'
/** The vendor's two ways: by the account's number and a key, or by a key alone. */
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
