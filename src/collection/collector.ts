import { parseAddressList } from '../lib/address/list.ts'
import { truncateAddress } from '../lib/address/text.ts'
import { isCode, isStorageError } from '../database/errors.ts'
import type { SyncFile } from '../database/log-sync.ts'
import type { Db } from '../database/query.ts'
import { ApiError, invalid, missing } from '../http/errors.ts'
import { noChanges, type Changes } from '../rollup/changes.ts'
import type { Settings } from '../settings/settings.ts'
import type { Zone } from '../lib/time.ts'
import { parseAgent } from './enrich/agent.ts'
import { isVisitorId, isWrong, type Body, type CommonFields, type Wrong } from './ingest/fields/common.ts'
import type { HitFields } from './ingest/fields/hit.ts'
import { parse, type Parsed } from './ingest/fields/parse.ts'
import { createClientWatch, type ClientWatch } from './ingest/clients.ts'
import { watchErasures } from './store/erasures.ts'
import { forgetVisitor } from './store/forget.ts'
import { foreignHost, plainHost, refuse, type Rules } from './ingest/gates.ts'
import { noPlace, type GeoReader } from '../geoip/reader.ts'
import { createLedger, type Ledger } from './store/ledger.ts'
import { createOrigins } from './enrich/origins.ts'
import { acceptedLanguage } from '../lib/locale.ts'
import { createQueue, type Queue } from './store/queue.ts'
import type { Common, HitRecord, Identity, Incoming, Outcome, VisitRecord, Waiter } from './record.ts'
import { createSalts, firstDayWithSalt, type Salts } from './enrich/salts.ts'
import type { Active } from './store/session.ts'
import { createWriter } from './store/writer.ts'

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
  /** Written with each group, in its transaction: how far an import has come. */
  alongside?: () => void
  /** Before each commit; throws where the file is not in its place any more. */
  check?: () => void
  /** After each commit; outside of any transaction. */
  onCommit: (changes: Changes) => void
  onError: (error: unknown) => void
  /** Hits are accepted again after a failed sync. */
  onRecover?: () => void
  /** The largest group of records of which nothing is written later. */
  flushThreshold?: number
  syncFile?: SyncFile | undefined
  /** Milliseconds between attempts to checkpoint after a failed sync. */
  retryAfter?: number | undefined
}

export type Collector = {
  /** Takes a parsed body through gates, enrichment and commit. Throws only for a bug. */
  collect: (incoming: Incoming, body: Body, waiter: Waiter) => void
  /** Erases what is kept under the id of a browser that consented to be known. */
  forget: (visitorId: string) => void
  /** Takes up what another process may have erased: visits under way, days to derive, the log to empty. */
  followErasures: () => void
  /** Whether the visitors' addresses are told apart. */
  clients: ClientWatch
  ledger: Ledger
  queue: Queue
  salts: Salts
  /** Visits with a view or engagement since a moment. */
  activeSince: (second: number) => Active[]
  /** Takes up the visits under way from the file. */
  restore: () => void
  prune: () => void
  /** Forgets ids by which repeats are known after 48 hours. */
  forgetRecent: () => void
}

const invalidHost = (): ApiError =>
  new ApiError(400, 'invalid_host', 'This host is not one of the site. Add it with --allowed-hosts if it is yours.')

const wrongFields = (wrong: Readonly<Record<string, string>>): ApiError =>
  invalid(
    Object.fromEntries(
      Object.entries(wrong).map(([name, message]) => [name, { code: 'rest_invalid_param', message, data: null }]),
    ),
  )

const hints = ({ headers }: Incoming) => ({
  brands: headers.get('sec-ch-ua-full-version-list') ?? headers.get('sec-ch-ua'),
  mobile: headers.get('sec-ch-ua-mobile'),
  platform: headers.get('sec-ch-ua-platform'),
  platformVersion: headers.get('sec-ch-ua-platform-version'),
  model: headers.get('sec-ch-ua-model'),
})

/** Rules by the settings they were made from: parsed once for each change of the settings. */
const createRules = ({ settings, allowedHosts, roleOf }: CollectorOptions): (() => Rules) => {
  const hosts = new Set(allowedHosts.map(plainHost))
  let made: Rules | null = null
  return () => {
    const current = settings()
    if (made?.settings !== current) {
      made = {
        settings: current,
        excludedAddresses: parseAddressList(current.excluded_ips).list,
        allowedHosts: hosts,
        roleOf,
      }
    }
    return made
  }
}

const wrongBody = ({ missing: keys, wrong }: Wrong): ApiError => (keys.length > 0 ? missing(keys) : wrongFields(wrong))

/** A record's life after its body was read: fields → gates → enrich → queue → one commit. */
export const createCollector = (options: CollectorOptions): Collector => {
  const { db, zone, now, keepQuery } = options
  const ledger = createLedger(now)
  const salts = createSalts(db, zone, 'site')
  const writer = createWriter(db, zone, options.flushThreshold)
  const clients = createClientWatch()
  const outdated = watchErasures(db)
  const followErasures = (): void => {
    if (!outdated()) return
    writer.restore(now())
    salts.truncateLater()
    options.onCommit({ ...noChanges(), whole: true })
  }
  const queue = createQueue({
    db,
    writer,
    ledger,
    now,
    follow: followErasures,
    alongside: options.alongside ?? (() => {}),
    check: options.check ?? (() => {}),
    onCommit: options.onCommit,
    onError: options.onError,
    onRecover: options.onRecover ?? (() => {}),
    syncFile: options.syncFile,
    retryAfter: options.retryAfter,
  })
  const rules = createRules(options)

  const place = (address: string | null) =>
    address === null || options.geo === null || !options.settings().geoip_enabled
      ? noPlace
      : options.geo.lookup(address)

  const identify = (incoming: Incoming, { consent, visitorId }: CommonFields): Identity => {
    const known = consent !== null && visitorId !== null && options.settings().consent_mode === 'full'
    const address = incoming.address === null ? '' : truncateAddress(incoming.address)
    const { visitor, previous } = salts.hash(incoming.second, address, incoming.userAgent)
    return { visitor, previous, lasting: known ? salts.lasting(visitorId) : null, consent }
  }

  const originOf = createOrigins(options.allowedHosts)

  const enrichHit = (incoming: Incoming, fields: HitFields, common: Common): HitRecord => {
    const { page, title, pvid, utm, screen, timezone, content, referrer, clickId } = fields
    return {
      ...common,
      kind: 'hit',
      page,
      title,
      pvid,
      utm,
      screen,
      timezone,
      content,
      dimensions: () => ({
        origin: originOf({ referrer, utm, clickId, host: fields.host }),
        place: place(incoming.address),
        agent: parseAgent(
          incoming.userAgent,
          hints(incoming),
          screen === null ? undefined : Number.parseInt(screen, 10),
        ),
        language: fields.language ?? acceptedLanguage(incoming.headers.get('accept-language')),
      }),
    }
  }

  /** The record waits with the request for its commit; nothing of the address or the user agent is written. */
  const enrich = (incoming: Incoming, parsed: Parsed): VisitRecord => {
    const { kind, fields } = parsed
    const common = { ...identify(incoming, fields), second: incoming.second - fields.age, arrival: incoming.second }
    if (kind === 'hit') return enrichHit(incoming, fields, common)
    if (kind === 'engagement')
      return { ...common, kind, pvid: fields.pvid, seconds: fields.seconds, scroll: fields.scroll }
    const { name, page, pvid, eventId, properties, value, orderId } = fields
    return { ...common, kind, name, page, pvid, eventId, properties, value, orderId }
  }

  /** Null where the file refuses the salt of a new day. */
  const enrichOr = (incoming: Incoming, parsed: Parsed): VisitRecord | null => {
    // A file that is locked costs the whole wait each time: not for each of the requests that wait already.
    if (incoming.second === refusedAt) return null
    const before = now()
    try {
      return enrich(incoming, parsed)
    } catch (error) {
      if (!isStorageError(error)) throw error
      options.onError(error)
      if (isCode(error, 'SQLITE_BUSY') && now() > before) refusedAt = now()
      return null
    }
  }
  let refusedAt = 0

  const refused = (incoming: Incoming, waiter: Waiter, outcome: Outcome, error?: ApiError): void => {
    ledger.count(zone.dayOf(incoming.second), outcome)
    waiter.settle(outcome, error)
  }

  const refusedHost = (incoming: Incoming, waiter: Waiter, host: string | null): void => {
    ledger.countForeignHost(zone.dayOf(incoming.second), foreignHost(incoming, host, rules()))
    refused(incoming, waiter, 'foreign_host', invalidHost())
  }

  return {
    clients,
    ledger,
    queue,
    salts: {
      ...salts,
      destroyExpired: second => {
        const destroyed = salts.destroyExpired(second)
        if (destroyed > 0) writer.forgetHashesBefore(firstDayWithSalt(zone, second))
        return destroyed
      },
    },
    forget: visitorId => {
      if (options.settings().consent_mode !== 'full' || !isVisitorId(visitorId)) return
      if (!forgetVisitor(db, zone, writer.sessions, salts.lasting(visitorId))) salts.truncateLater()
      writer.forgetVisitors()
      options.onCommit({ ...noChanges(), whole: true })
    },
    followErasures,
    activeSince: writer.sessions.activeSince,
    restore: () => writer.restore(now()),
    prune: () => {
      writer.sessions.prune(now())
      clients.note(db)
    },
    forgetRecent: () => writer.forgetRecent(now()),
    collect: (incoming, body, waiter) => {
      const parsed = parse(incoming, body, keepQuery)
      if (isWrong(parsed)) return refused(incoming, waiter, 'invalid', wrongBody(parsed))
      const refusal = refuse(incoming, parsed.fields, rules())
      if (refusal === 'foreign_host') return refusedHost(incoming, waiter, parsed.fields.host)
      if (refusal !== null) return refused(incoming, waiter, refusal)
      if (parsed.kind === 'hit') clients.see(incoming.address)
      const record = enrichOr(incoming, parsed)
      if (record === null) return refused(incoming, waiter, 'storage')
      const day = zone.dayOf(incoming.second)
      ledger.trim(day, parsed.fields.trimmed)
      queue.add(record, day, waiter)
    },
  }
}
