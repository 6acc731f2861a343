import { classify, type Origin, type Utm } from '../../channel/channel.ts'
import type { Corrections } from '../../channel/corrections.ts'
import { memoize } from '../../lib/lru-cache.ts'
import { noUtm } from '../ingest/page.ts'

const cacheSize = 5000

type Arrival = { referrer: string | null; utm: Utm; clickId: string | null; host: string | null }

/** Classifies where visits come from. Results without campaign tags are cached, since most visits share few of them. */
export const createOrigins = (
  allowedHosts: readonly string[],
  corrections: Corrections,
): ((arrival: Arrival) => Origin) => {
  const origin = ({ host, ...arrival }: Arrival): Origin =>
    classify({ ...arrival, corrections, siteHosts: host === null ? allowedHosts : [...allowedHosts, host] })

  // Hosts contain no line breaks.
  const untagged = memoize(cacheSize, key => {
    const [host = '', referrer = ''] = key.split('\n', 2)
    return origin({
      referrer: referrer === '' ? null : referrer,
      host: host === '' ? null : host,
      utm: noUtm,
      clickId: null,
    })
  })

  return arrival => {
    const { referrer, utm, clickId, host } = arrival
    const tagged = clickId !== null || Object.values(utm).some(value => value !== null)
    return tagged || referrer?.includes('\n') === true ? origin(arrival) : untagged(`${host ?? ''}\n${referrer ?? ''}`)
  }
}
