import { hasAddress } from '../lib/address/find.ts'

/** The origin of a link: a web host, or the package of an Android app. */
export type Place = { host: string; app: boolean }

const appAddress = /^android-app:\/\/([a-z]\w*(?:\.\w+)+)(?:[/?#]|$)/i
const hostName = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/
const ipv4 = /^\d+\.\d+\.\d+\.\d+$/
const maxHostLength = 253

/** A host without trailing dot and `www.`. */
export const bareHost = (host: string): string => {
  const name = host.endsWith('.') ? host.slice(0, -1) : host
  return /^www\..+\./.test(name) ? name.slice(4) : name
}

/** Whether a host is or contains an IP address, which may be the visitor's own and must not appear in reports. */
export const isAddress = (host: string): boolean => host.startsWith('[') || ipv4.test(host) || hasAddress(host)

/** The name of all such hosts in reports. */
export const addressHost = 'IP address'

const webHost = (referrer: string): string | null => {
  if (!URL.canParse(referrer)) return null
  const { protocol, hostname } = new URL(referrer)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  const host = bareHost(hostname)
  const usable = host.length <= maxHostLength && (isAddress(host) || hostName.test(host))
  return usable ? host : null
}

/** The place that a referrer names; null for none, for other schemes, and for invalid URLs. Never throws. */
export const placeOf = (referrer: string | null): Place | null => {
  if (referrer === null) return null
  const app = appAddress.exec(referrer.trim())?.[1]
  if (app !== undefined) return app.length > maxHostLength ? null : { host: app.toLowerCase(), app: true }
  const host = webHost(referrer)
  return host === null ? null : { host, app: false }
}

/**
 * The only part of a referrer that is ever stored: its host in lower case, punycode, without `www.`, port, credentials
 * and path; of an Android app its package (`com.google.android.gm`). Null if there is no usable one.
 */
export const referrerHost = (referrer: string | null): string | null => placeOf(referrer)?.host ?? null
