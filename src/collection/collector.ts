import { classify } from '../channel.ts'
import type { Db } from '../database/query.ts'
import { ApiError, invalid, missing } from '../http/errors.ts'
import type { Settings } from '../settings.ts'
import type { Zone } from '../time.ts'
import { parseAddressList } from '../address/list.ts'
import { truncateAddress } from '../address/text.ts'
import { parseAgent } from './agent.ts'
import { canonicalLanguage, parseHit, type Body } from './fields.ts'
import { headerText, plainHost, refuse, type Rules } from './gates.ts'
import { noPlace, type GeoReader } from './geo.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createQueue, type Queue } from './queue.ts'
import type { HitFields, HitRecord, Incoming, Outcome } from './record.ts'
import { createSalts, type Salts } from './salts.ts'
import type { Session } from './sessions.ts'
import { createWriter } from './writer.ts'

export type CollectorOptions = {
  db: Db
  zone: Zone
  /** Seconds since 1970. */
  now: () => number
  settings: () => Settings
  geo: GeoReader | null
  allowedHosts: readonly string[]
  /** Query parameters that belong to the page, sorted. */
  keepQuery: readonly string[]
  roleOf: (cookie: string | undefined) => string | null
  /** After each commit; outside of any transaction. */
  committed: () => void
  failed: (error: unknown) => void
}

/** What became of a request; `error` only where the client did something wrong. */
export type Collected = { outcome: Outcome, error?: ApiError }

export type Collector = {
  /** Takes a parsed body through gates, enrichment and commit. Throws only for a bug. */
  collect: (incoming: Incoming, body: Body) => Collected | Promise<Collected>
  ledger: Ledger
  queue: Queue
  salts: Salts
  /** Sessions with a view or engagement since a moment. */
  activeSince: (second: number) => Session[]
  /** Takes up the visits under way from the file. */
  restore: () => void
  prune: () => void
  /** Forgets ids by which repeats are known after 48 hours. */
  forgetRecent: () => void
}

const invalidHost = (): ApiError =>
  new ApiError(400, 'invalid_host', 'This host is not one of the site. Add it with --allowed-hosts if it is yours.')

const wrongFields = (wrong: Readonly<Record<string, string>>): ApiError =>
  invalid(Object.fromEntries(Object.entries(wrong).map(([name, message]) => [name, { code: 'rest_invalid_param', message, data: null }])))

const acceptedLanguage = (header: string | undefined): string | null =>
  header === undefined ? null : canonicalLanguage(header.slice(0, 100).split(/[,;]/)[0]?.trim() ?? '')

const hints = (incoming: Incoming) => ({
  brands: headerText(incoming, 'sec-ch-ua-full-version-list') ?? headerText(incoming, 'sec-ch-ua'),
  mobile: headerText(incoming, 'sec-ch-ua-mobile'),
  platform: headerText(incoming, 'sec-ch-ua-platform'),
  platformVersion: headerText(incoming, 'sec-ch-ua-platform-version'),
  model: headerText(incoming, 'sec-ch-ua-model'),
})

/** Rules by the settings they were made from: parsed once for each change of the settings. */
const createRules = ({ settings, allowedHosts, roleOf }: CollectorOptions): () => Rules => {
  const hosts = new Set(allowedHosts.map(plainHost))
  let made: Rules | null = null
  return () => {
    const current = settings()
    if (made?.settings !== current) {
      made = { settings: current, excludedAddresses: parseAddressList(current.excluded_ips).list, allowedHosts: hosts, roleOf }
    }
    return made
  }
}

/** A hit's life after its body was read: fields → gates → enrich → queue → one commit. */
export const createCollector = (options: CollectorOptions): Collector => {
  const { db, zone, now, keepQuery } = options
  const ledger = createLedger()
  const salts = createSalts(db, zone, 'site')
  const writer = createWriter(db, zone)
  const queue = createQueue({ db, writer, ledger, now, committed: options.committed, failed: options.failed })
  const rules = createRules(options)

  const place = (address: string | null) =>
    address === null || options.geo === null || !options.settings().geoip_enabled ? noPlace : options.geo.lookup(address)

  /** From here on nobody knows the address or the user agent any more. */
  const enrich = (incoming: Incoming, fields: HitFields): HitRecord => {
    const siteHosts = [...options.allowedHosts, ...fields.host === null ? [] : [fields.host]]
    const width = fields.screen === null ? undefined : Number.parseInt(fields.screen, 10)
    return {
      kind: 'hit',
      second: incoming.second - fields.age,
      arrival: incoming.second,
      ...salts.hash(incoming.second, incoming.address === null ? '' : truncateAddress(incoming.address), incoming.userAgent),
      page: fields.page,
      title: fields.title,
      pvid: fields.pvid,
      origin: classify({ referrer: fields.referrer, utm: fields.utm, clickId: fields.clickId, siteHosts }),
      utm: fields.utm,
      place: place(incoming.address),
      agent: parseAgent(incoming.userAgent, hints(incoming), width),
      screen: fields.screen,
      language: fields.language ?? acceptedLanguage(headerText(incoming, 'accept-language')),
      timezone: fields.timezone,
    }
  }

  const refused = (incoming: Incoming, outcome: Outcome, error?: ApiError): Collected => {
    ledger.count(zone.dayOf(incoming.second), outcome)
    return error === undefined ? { outcome } : { outcome, error }
  }

  return {
    ledger,
    queue,
    salts,
    activeSince: writer.sessions.activeSince,
    restore: () => writer.restore(now()),
    prune: () => writer.sessions.prune(now()),
    forgetRecent: () => writer.forgetRecent(now()),
    collect: (incoming, body) => {
      const fields = parseHit(body, keepQuery)
      if ('wrong' in fields) {
        return refused(incoming, 'invalid', fields.missing.length > 0 ? missing(fields.missing) : wrongFields(fields.wrong))
      }
      const refusal = refuse(incoming, fields, rules())
      if (refusal !== null) return refused(incoming, refusal, refusal === 'foreign_host' ? invalidHost() : undefined)
      const day = zone.dayOf(incoming.second)
      ledger.trim(day, fields.trimmed)
      return queue.add(enrich(incoming, fields), day).then(outcome => ({ outcome }))
    },
  }
}
