import { createHash } from 'node:crypto'
import type { Address } from './request.ts'
import { type Unpack, unpackGzip, unpackTar } from './unpack.ts'

/** Where a database is downloaded from. */
export type Source = {
  /** Tried in order; the first that exists is used. */
  files: readonly Address[]
  /** The file with its SHA-256; null if the vendor provides none. */
  checksum: Address | null
  unpack: Unpack
}

/** The files of this month and the month before, because a new one is published some days late. */
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

/** A hash, because it is stored in the database, which never contains an IP address: the host may be one. */
const nameOf = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16)

/** The free database of the month. */
export const fallbackSource = (template: string, milliseconds: number): Source => ({
  files: urlsAt(template, milliseconds).map(url => ({ url, name: nameOf(url), authorization: null, secrets: [] })),
  checksum: null,
  unpack: unpackGzip,
})

const vendor = 'https://download.maxmind.com'
/** The two URLs of the vendor: with an account id and a key, or with a key alone. */
const byAccount = `${vendor}/geoip/databases/{edition}/download?suffix={suffix}`
const byKey = `${vendor}/app/geoip_download?edition_id={edition}&license_key={key}&suffix={suffix}`

/**
 * The licensed database. The setting is a key, or ACCOUNT:KEY.
 * A custom template may contain {key}; without it, account and key are sent by HTTP Basic.
 */
export const licensedSource = (setting: string, edition: string, template: string | null): Source => {
  const [, account = '', key = setting.trim()] = /^(\d{1,12}):(.+)$/.exec(setting.trim()) ?? []
  const pattern = template ?? (account === '' ? byKey : byAccount)
  const basic = btoa(String.fromCharCode(...new TextEncoder().encode(`${account}:${key}`)))
  const at = (suffix: string): Address => {
    const withoutKey = pattern.replaceAll('{edition}', edition).replaceAll('{suffix}', suffix)
    const keyInUrl = withoutKey.includes('{key}')
    return {
      name: nameOf(withoutKey),
      url: withoutKey.replaceAll('{key}', () => encodeURIComponent(key)),
      authorization: keyInUrl ? null : `Basic ${basic}`,
      secrets: [key, basic],
    }
  }
  return { files: [at('tar.gz')], checksum: at('tar.gz.sha256'), unpack: unpackTar }
}
