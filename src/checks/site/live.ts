// `footfall check` from the service, which asks no other host than the site's.
import { plainHost } from '../../lib/plain-host.ts'
import type { Language } from '../../lib/texts.ts'
import { asSiteCheck, type SiteCheck } from '../result.ts'
import { defaultLimits, portOf } from './load.ts'
import { type CheckOptions, checkSite } from './run.ts'

const maxBytes = 2 * 2 ** 20

type LiveOptions = Pick<CheckOptions, 'tracker' | 'trackerPaths'> & {
  /** The addresses of the site. */
  siteUrls: readonly string[]
  /** The addresses of the service, as it listens and as the public reaches it. */
  ownUrls: () => readonly string[]
}

/** One check at a time: it returns `busy` while another one runs. */
export const createSiteCheck = ({ siteUrls, ownUrls, ...options }: LiveOptions) => {
  const hosts = new Set(siteUrls.map(url => plainHost(new URL(url).hostname)))
  // Other ports of these hosts may be programs that the caller is not meant to reach.
  const ports = (port: string): boolean =>
    port === '80' || port === '443' || [...siteUrls, ...ownUrls()].some(url => portOf(new URL(url)) === port)
  const allowed = { hosts: (hostname: string) => hosts.has(plainHost(hostname)), ports }
  const limits = { ...defaultLimits, bytes: maxBytes, allowed }
  let running = false
  return async (page: string, language: Language): Promise<SiteCheck | 'busy'> => {
    if (running) return 'busy'
    running = true
    try {
      return asSiteCheck(await checkSite({ ...options, page, limits }), language)
    } finally {
      running = false
    }
  }
}
