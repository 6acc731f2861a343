import { isAddress } from '../../channel/referrer.ts'
import type { Observation } from '../../collection/ingest/clients.ts'
import { demoSentence } from '../../database/demo-mark.ts'
import { newestVersion, schema } from '../../database/migrate.ts'
import type { GeoipStatus, Trouble } from '../../geoip/status.ts'
import { timeText } from '../../lib/time.ts'
import type { Content, FileFacts } from './file.ts'

export type Severity = 'info' | 'warning' | 'critical'
/** What is wrong, as a sentence, and what to do about it. */
export type Finding = { id: string; severity: Severity; message: string; hint: string }

/**
 * Seconds since 1970. `storage`: why the file cannot be written; null where it can, or that is not known. `inPlace`: false
 * where it was deleted or moved away under the service. `running`: a service has the file. `anyHost`: no host of the site is set; null
 * where that is not known.
 */
export type Facts = {
  now: number
  file: FileFacts
  integrity: string
  storage: string | null
  inPlace: boolean
  places: GeoipStatus
  running: boolean
  clients: Observation | null
  anyHost: boolean | null
}

type Found = Omit<Finding, 'id'> | null
type Rule = readonly [id: string, find: (facts: Facts, content: Content) => Found | readonly Found[]]

const day = 86_400
const mebibyte = 2 ** 20
const walLimit = 64 * mebibyte
const oldPlaces = 180 * day
const clockSlack = 3600
const fewestForeign = 10
const purgeSlack = 2 * day

const warning = (message: string, hint: string): Found => ({ severity: 'warning', message, hint })
const critical = (message: string, hint: string): Found => ({ severity: 'critical', message, hint })
const mebibytes = (bytes: number): string => `${(bytes / mebibyte).toFixed(0)} MiB`
const refusedIn = ({ outcomes }: Content): number =>
  Object.entries(outcomes)
    .filter(([name]) => !['received', 'accepted', 'repeated', 'trimmed'].includes(name))
    .reduce((sum, [, count]) => sum + count, 0)

const proxyLine =
  'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; (nginx) or RequestHeader and ProxyAddHeaders (Apache)'

const again = ({ retryAt }: Trouble): string =>
  retryAt === null ? 'It is tried again by itself' : `It is tried again by itself from ${timeText(retryAt)} on`

/** What to do about a database that cannot be had. */
const placesHint = (trouble: Trouble): string => {
  const isLicensed = trouble.which === 'licensed'
  const address = isLicensed ? '--geoip-licensed-url' : '--geoip-fallback-url'
  const hints: Readonly<Record<Trouble['kind'], string>> = {
    refused: isLicensed
      ? "Look at the vendor whether the key is active and may download, and give it anew with 'footfall settings set geoip_license_key=-' (as KEY, or as ACCOUNT:KEY). A new key is tried at once."
      : `Look whether the address of ${address} is open to this machine.`,
    missing: isLicensed
      ? `Look whether --geoip-edition names a database that the key includes, and ${address} is right.`
      : `Look whether ${address} is right.`,
    disk: `Make room, or the folder of the database writable. ${again(trouble)}.`,
    broken: `${again(trouble)}; what is in use stays. If it goes on, look at what the address of ${address} sends.`,
    later: `${again(trouble)}. If it goes on, look whether this machine reaches the address of ${address}.`,
  }
  return hints[trouble.kind]
}

/** What may be wrong, one row a finding. */
const rules: readonly Rule[] = [
  [
    'demo_data',
    (_, { demo }) =>
      demo === null
        ? null
        : {
            severity: 'info',
            message: demoSentence(demo),
            hint: 'Count real visits in another file: name a new one with --data.',
          },
  ],
  [
    'tracking_off',
    (_, { settings }) =>
      settings.tracking_enabled
        ? null
        : warning(
            'Collection is turned off: no visit is counted.',
            "Turn it on with 'footfall settings set tracking_enabled=true'.",
          ),
  ],
  [
    'nothing_collected',
    ({ now }, { newestView, settings }) =>
      !settings.tracking_enabled || (newestView !== null && newestView > now - day)
        ? null
        : warning(
            newestView === null
              ? 'No visit has been counted yet.'
              : `No visit has been counted since ${timeText(newestView)}.`,
            "Run 'footfall check' with the address of a page of the site: it tells whether the tracker's line is there and its way to the service works.",
          ),
  ],
  [
    'unnamed_clients',
    ({ clients }) =>
      clients?.unnamed !== true
        ? null
        : warning(
            'A trusted proxy does not name the visitors: nearly all hits come without an address, and cannot be told apart.',
            `Add to the proxy: ${proxyLine}.`,
          ),
  ],
  [
    'private_clients',
    ({ clients }) =>
      clients?.private !== true
        ? null
        : warning(
            'More than 90 % of the hits come from private addresses: probably these are those of a proxy, and its visitors count as one.',
            'Name the network of the proxy with --trust-proxy, such as --trust-proxy 10.0.0.0/8, and let it send X-Forwarded-For.',
          ),
  ],
  [
    'one_client',
    ({ clients }) =>
      clients?.one !== true || clients.private
        ? null
        : warning(
            'More than 90 % of the hits come from one address: probably it is that of a proxy or CDN, and its visitors count as one.',
            'Name the networks of the proxy with --trust-proxy, and let it send X-Forwarded-For.',
          ),
  ],
  [
    'foreign_host',
    (_, content) => {
      const { foreign_host: refused = 0 } = content.outcomes
      if (refused < fewestForeign || refused * 2 < refusedIn(content) || content.foreignHost === null) return null
      const { host } = content.foreignHost
      const named = isAddress(host) || host === '' ? 'an address instead of a host name' : `the host ${host}`
      return warning(
        `${refused} requests of the last 24 hours were refused because they came from a host that is not one of the site's, most of them from ${named}.`,
        isAddress(host) || host === ''
          ? 'Name the hosts of the site with --allowed-hosts.'
          : `If it is one of the site, add it: --allowed-hosts ${host}.`,
      )
    },
  ],
  [
    'any_host',
    ({ anyHost }) =>
      anyHost !== true
        ? null
        : warning(
            'Any site may send hits, for no host of the site is set.',
            'Name the site with --site-url https://example.org, and further hosts with --allowed-hosts.',
          ),
  ],
  [
    'shop_import_failed',
    (_, { shop }) =>
      shop.backfill !== 'failed'
        ? null
        : warning(
            `The import of the shop's orders has failed: ${(shop.backfillError ?? 'the reason is not known').replace(/\.$/, '')}.`,
            'Mend the reason, then start it again with POST /revenue/backfill; it goes on where it was.',
          ),
  ],
  [
    'webhooks_rejected',
    (_, { shop }) =>
      shop.rejected === 0 || shop.lastReceivedAt !== null
        ? null
        : warning(
            `${shop.rejected} deliveries of the shop's webhooks were refused, and none was taken.`,
            'Set FOOTFALL_WOOCOMMERCE_WEBHOOK_SECRET to the secret that the shop shows for the webhook, then start the service again.',
          ),
  ],
  [
    'storage_refusals',
    (_, { outcomes: { storage = 0 } }) =>
      storage === 0
        ? null
        : critical(
            `${storage} requests of the last 24 hours could not be written.`,
            'Look into the log for the reason: a full disk, a read-only folder, or another program that locks the file.',
          ),
  ],
  [
    'clock',
    ({ now }, { newestView }) =>
      newestView === null || newestView <= now + clockSlack
        ? null
        : critical(
            `The newest visit is of ${timeText(newestView)}, later than now (${timeText(now)}): the clock was or is wrong.`,
            'Set the clock of this machine by NTP; visits of the future leave the reports when their time has come.',
          ),
  ],
  [
    'bounds',
    (_, { full }) =>
      full.length === 0
        ? null
        : warning(
            `So many new values came within a day that further ones are counted as (other): ${full.join(', ')}.`,
            'Look into the reports whether someone fills them on purpose; see --allowed-hosts and excluded_ips. Sums stay exact.',
          ),
  ],
  [
    'stale_job',
    (_, { jobs }) =>
      jobs
        .filter(({ stale }) => stale)
        .map(({ name, dueAt }) =>
          warning(
            `The job ${name} should have run at ${timeText(dueAt ?? 0)}.`,
            `Run it with 'footfall cron ${name}' while no service runs, or see why the service does not.`,
          ),
        ),
  ],
  // Of the places' database there is a finding of its own, with the next step.
  [
    'failed_job',
    (_, { jobs }) =>
      jobs
        .filter(({ name, lastError }) => lastError !== null && name !== 'geoip')
        .map(({ name, lastError }) =>
          warning(
            `The job ${name} failed: ${lastError}.`,
            'It runs again by itself at its next time; the log tells more.',
          ),
        ),
  ],
  [
    'rollups_behind',
    ({ running }, { dirtyDays }) =>
      dirtyDays === 0 || running
        ? null
        : {
            severity: 'info',
            message: `${dirtyDays} days are not derived yet.`,
            hint: "They are when 'footfall serve' starts.",
          },
  ],
  [
    'purge_behind',
    ({ now }, { settings, oldestSession }) =>
      settings.retention_mode === 'forever' ||
      oldestSession === null ||
      oldestSession >= now - settings.retention_days * day - purgeSlack
        ? null
        : warning(
            `There are single visits of ${timeText(oldestSession)}, older than the ${settings.retention_days} days for which they are kept.`,
            "They are deleted within the hour while the service runs, or now with 'footfall cron retention'.",
          ),
  ],
  [
    'first_password',
    (_, { firstPassword }) =>
      firstPassword === null
        ? null
        : warning(
            `The user '${firstPassword}' still has the password that the first start printed; it may stand in a log.`,
            `Change it with 'footfall user password ${firstPassword}'.`,
          ),
  ],
  [
    'places_missing',
    ({ places }, { settings }) =>
      !settings.geoip_enabled || places.source !== 'none'
        ? null
        : warning(
            `Countries stay unknown: ${places.error ?? 'there is no GeoIP database'}.`,
            'Name a usable file with --geoip-city, or leave the option out for the built-in database of countries.',
          ),
  ],
  [
    'places_damaged',
    ({ places }, { settings }) =>
      !settings.geoip_enabled || places.error === null || places.source === 'none'
        ? null
        : warning(
            `A city database cannot be used: ${places.error}.`,
            'One that was fetched is fetched again by itself; your own is read again as soon as a sound one is in its place. Until then the next best is used.',
          ),
  ],
  [
    'places_not_renewed',
    ({ places: { trouble } }, { settings }) =>
      !settings.geoip_enabled || trouble === null
        ? null
        : warning(
            `The ${trouble.which === 'licensed' ? 'licensed' : 'free'} city database could not be had: ${trouble.message}.`,
            placesHint(trouble),
          ),
  ],
  [
    'places_key_unused',
    (_, { settings, service }) =>
      settings.geoip_license_key === '' || (service?.config.geoip_city ?? null) === null
        ? null
        : {
            severity: 'info',
            message: 'A license key for city data is set, but the file of --geoip-city is used instead.',
            hint: 'Leave --geoip-city out to have the licensed database fetched, or take the key out of the settings.',
          },
  ],
  [
    'places_old',
    ({ places, now }, { settings }) =>
      !settings.geoip_enabled || places.builtAt === null || now - places.builtAt < oldPlaces
        ? null
        : warning(
            `The GeoIP database is of ${timeText(places.builtAt).slice(0, 10)}: newer networks get no place or a wrong one.`,
            'Bring a newer city database with --geoip-city or by a license key (geoip_license_key), or install a newer Footfall.',
          ),
  ],
]

/** The ids of what `outside` finds. */
const outsideIds = [
  'file_moved',
  'storage',
  'database_damaged',
  'schema_behind',
  'schema_ahead',
  'disk_full',
  'wal_large',
  'file_mode',
] as const

/** Every id that a finding may have. */
export const findingIds: readonly string[] = [...outsideIds, ...rules.map(([id]) => id)]

/** What can be told without the tables. */
const outside = ({
  file,
  integrity,
  storage,
  inPlace,
}: Facts): ((Finding & { id: (typeof outsideIds)[number] }) | null)[] => {
  const { free, size } = file.disk
  const share = free / size
  const full = `The disk of ${file.path} has ${mebibytes(free)} left (${(share * 100).toFixed(1)} %).`
  const make = 'Make room: delete old backups, or keep single visits for fewer days (retention_days).'
  return [
    inPlace
      ? null
      : {
          id: 'file_moved',
          severity: 'critical',
          message: `${file.path} or its log was deleted, moved away or replaced under the service, which takes no visits any more.`,
          hint: "Move it back, and the service goes on by itself. Else stop the service: it keeps what it held in a file beside, which 'footfall restore FILE' brings back.",
        },
    !inPlace || storage === null
      ? null
      : {
          id: 'storage',
          severity: 'critical',
          message: `The database cannot be written: ${storage}. Visitors are answered with 503 and come again later.`,
          hint: 'Look at the room on the disk, at owner and mode of file and folder, and for programs that lock the file. The service goes on by itself when that is over.',
        },
    !inPlace || (file.error === null && (integrity === 'ok' || integrity === 'checking'))
      ? null
      : {
          id: 'database_damaged',
          severity: 'critical',
          message: `The database cannot be read in full: ${file.error ?? integrity}.`,
          hint: "Stop the service, then put the last backup in its place with 'footfall restore FILE'; the damaged file is kept.",
        },
    file.schema === null || file.content !== null
      ? null
      : file.schema < newestVersion()
        ? {
            id: 'schema_behind',
            severity: 'warning',
            message: `The file is of an older version (schema ${file.schema}; this one knows ${newestVersion()}): little can be told of it.`,
            hint:
              file.schema < schema.version
                ? 'Export it with the version that wrote it, then import the archive into a new database with this one.'
                : "'footfall serve' brings it to the newest schema, with a copy of it beside.",
          }
        : {
            id: 'schema_ahead',
            severity: 'critical',
            message: `The file was written by a newer Footfall (schema ${file.schema}; this one knows ${newestVersion()}).`,
            hint: 'Use the newer version, or restore the copy that it made before it changed the file.',
          },
    share > 0.05
      ? null
      : {
          id: 'disk_full',
          severity: share > 0.01 && free > 32 * mebibyte ? 'warning' : 'critical',
          message: full,
          hint: make,
        },
    file.walBytes <= walLimit
      ? null
      : {
          id: 'wal_large',
          severity: 'warning',
          message: `The write-ahead log has ${mebibytes(file.walBytes)} and does not shrink: some program keeps reading an old state.`,
          hint: 'End programs that have the file open for long (sqlite3, backups of other tools); a restart of the service empties the log.',
        },
    !file.openToOthers
      ? null
      : {
          id: 'file_mode',
          severity: 'warning',
          message: 'Other users of this machine may read the database.',
          hint: `Run 'chmod 600 ${file.path}'.`,
        },
  ]
}

/** All that is wrong, the gravest first. */
export const findFindings = (facts: Facts): Finding[] => {
  const { content } = facts.file
  const inside =
    content === null
      ? []
      : rules.flatMap(([id, find]) =>
          [find(facts, content)].flat().flatMap(found => (found === null ? [] : [{ id, ...found }])),
        )
  const order: readonly Severity[] = ['critical', 'warning', 'info']
  return [...outside(facts).filter(found => found !== null), ...inside].sort(
    (one, other) => order.indexOf(one.severity) - order.indexOf(other.severity),
  )
}
