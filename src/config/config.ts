// The one table of options: it makes the flags, the variables of the environment, --help and docs/command-line.md.
import { UsageError } from './errors.ts'
import { choice, kinds, optional, type Kind } from './kinds.ts'
import { logLevels } from '../runtime/log.ts'

export type CommandName = (typeof all)[number]

/** One row. Its flag and its variable are made from its name: basePath is --base-path and FOOTFALL_BASE_PATH. */
export type Option<T = unknown> = {
  group: string
  /** What stands for the value in --help. */
  value: string
  kind: Kind<T>
  default: string
  about: string
  commands: readonly CommandName[]
}

const serve = ['serve'] as const
const all = [
  'serve',
  'import',
  'export',
  'rebuild',
  'cron',
  'report',
  'ask',
  'tail',
  'shop',
  'backup',
  'restore',
  'settings',
  'forget',
  'diagnostics',
  'self-test',
  'privacy-audit',
  'check',
  'user',
  'app-password',
  'demo',
] as const
/** What collects: by the port, and from a recording. */
const collecting = ['serve', 'import'] as const
/** What asks the shop. */
const selling = ['serve', 'shop'] as const
/** What looks up places. */
const placing = ['serve', 'import', 'cron', 'diagnostics', 'self-test'] as const
/** What fetches the places' database. */
const fetching = ['serve', 'cron'] as const
/** What reads the addresses of pages. */
const addressing = ['serve', 'import', 'forget'] as const
/** What begins a file. */
const beginning = [...collecting, 'demo'] as const
/** What answers questions. */
const answering = ['serve', 'ask'] as const

const loopback = '127.0.0.0/8,::1/128'
const plainPermalinks = 'p,page_id,attachment_id,cat,tag,m,author'

export const options = {
  host: {
    group: 'Address',
    value: 'HOST',
    kind: kinds.host,
    default: '127.0.0.1',
    commands: serve,
    about: 'Address to listen on. 0.0.0.0 or :: opens the port to the network.',
  },
  port: {
    group: 'Address',
    value: 'PORT',
    kind: kinds.port,
    default: '8787',
    commands: serve,
    about: 'Port to listen on. 0 picks a free one.',
  },
  metricsListen: {
    group: 'Address',
    value: 'HOST:PORT',
    kind: optional(kinds.listen),
    default: '',
    commands: serve,
    about: 'A second port that answers /metrics without authentication, for the monitoring alone.',
  },
  rootPath: {
    group: 'Address',
    value: 'PATH',
    kind: kinds.prefix,
    default: '',
    commands: serve,
    about: 'Path that everything lies under (dashboard, tracker, API), for a shared host.',
  },
  basePath: {
    group: 'Address',
    value: 'PATH',
    kind: kinds.prefix,
    default: '',
    commands: serve,
    about: "Path before the API's own /analytics/v1, such as /wp-json beside WordPress.",
  },
  trustProxy: {
    group: 'Address',
    value: 'NETWORKS',
    kind: kinds.networks,
    default: loopback,
    commands: serve,
    about: 'Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.',
  },
  siteUrl: {
    group: 'Site',
    value: 'URL',
    kind: optional(kinds.siteUrl),
    default: '',
    commands: ['serve', 'import', 'privacy-audit'],
    about: 'Address of the site that is counted. Its host may send hits.',
  },
  allowedHosts: {
    group: 'Site',
    value: 'HOSTS',
    kind: kinds.hosts,
    default: '',
    commands: collecting,
    about: 'Further hosts that may send hits. With neither this nor --site-url, any host may.',
  },
  timezone: {
    group: 'Site',
    value: 'ZONE',
    kind: optional(kinds.zone),
    default: '',
    commands: beginning,
    about: "Time zone in which a day begins at midnight. Not given: the file's own, UTC in a new file.",
  },
  trackerPath: {
    group: 'Site',
    value: 'PATH',
    kind: kinds.path,
    default: '/tracker.js',
    commands: ['serve', 'check'],
    about: 'A further path at which the tracker is served.',
  },
  homeCountry: {
    group: 'Site',
    value: 'CODE',
    kind: optional(kinds.country),
    default: '',
    commands: [...answering, 'demo'],
    about: 'Country (ISO 3166-1, such as DE) that the advisor takes for home. Not given: that of the time zone.',
  },
  plan: {
    group: 'Site',
    value: 'PLAN',
    kind: choice('free', 'paid'),
    default: 'paid',
    commands: answering,
    about: 'Which questions the advisor answers: free, or with paid all of them.',
  },
  keepQuery: {
    group: 'Site',
    value: 'NAMES',
    kind: kinds.names,
    default: plainPermalinks,
    commands: [...addressing, 'demo'],
    about: "Query parameters that belong to a page's address.",
  },
  throttleHits: {
    group: 'Site',
    value: 'BURST/RATE',
    kind: kinds.limit,
    default: '60/5',
    commands: serve,
    about: 'Hits, and events, that one visitor address may send: at once, and per second afterwards.',
  },
  throttleEngagement: {
    group: 'Site',
    value: 'BURST/RATE',
    kind: kinds.limit,
    default: '120/20',
    commands: serve,
    about: 'The same for engagement updates.',
  },
  wordpressUrl: {
    group: 'Site',
    value: 'URL',
    kind: optional(kinds.siteUrl),
    default: '',
    commands: serve,
    about: 'Address of a WordPress whose users may use the API with what they log in with there.',
  },
  woocommerceUrl: {
    group: 'Shop',
    value: 'URL',
    kind: optional(kinds.siteUrl),
    default: '',
    commands: selling,
    about: 'Address of a WooCommerce shop whose orders are read. Its key comes from the environment.',
  },
  orderStatuses: {
    group: 'Shop',
    value: 'STATUSES',
    kind: kinds.statuses,
    default: 'processing,completed,refunded',
    commands: beginning,
    about: 'Statuses of orders that count as revenue.',
  },
  data: {
    group: 'Data',
    value: 'FILE',
    kind: kinds.file,
    default: './footfall.db',
    commands: all,
    about: 'The database: one file, created at the first start.',
  },
  backupFolder: {
    group: 'Data',
    value: 'FOLDER',
    kind: optional(kinds.file),
    default: '',
    commands: ['serve', 'cron'],
    about: 'Folder for a copy of the database each night.',
  },
  backupKeep: {
    group: 'Data',
    value: 'NUMBER',
    kind: kinds.days,
    default: '7',
    commands: ['serve', 'cron'],
    about: 'How many nights their copies stay in that folder.',
  },
  geoipCity: {
    group: 'Data',
    value: 'FILE',
    kind: optional(kinds.file),
    default: '',
    commands: placing,
    about: 'City database (MMDB), instead of the built-in one of countries.',
  },
  geoipFallbackUrl: {
    group: 'Data',
    value: 'URL',
    kind: kinds.template,
    default: 'https://download.db-ip.com/free/dbip-city-lite-{year}-{month}.mmdb.gz',
    commands: fetching,
    about:
      "Where the free city database is fetched when it is enabled, packed with gzip or not. Not given: DB-IP's of the month.",
  },
  geoipEdition: {
    group: 'Data',
    value: 'NAME',
    kind: kinds.edition,
    default: 'GeoLite2-City',
    commands: fetching,
    about: 'City database that is fetched with the license key (geoip_license_key), such as GeoIP2-City.',
  },
  geoipLicensedUrl: {
    group: 'Data',
    value: 'URL',
    kind: optional(kinds.licensedTemplate),
    default: '',
    commands: fetching,
    about:
      'Where it is fetched, with {edition}, {suffix} and, if the key stands in the address, {key}. Not given: at MaxMind.',
  },
  logLevel: {
    group: 'Log',
    value: 'LEVEL',
    kind: choice(...logLevels),
    default: 'info',
    commands: all,
    about: 'How much is logged: error, warn, info or debug.',
  },
  logFormat: {
    group: 'Log',
    value: 'FORMAT',
    kind: choice('text', 'json'),
    default: 'text',
    commands: serve,
    about: 'Format of a log line: text or json.',
  },
} satisfies Record<string, Option>

/** What only the environment sets. Secrets are never flags: a command line is visible to every user of the machine. */
export const environmentOnly = {
  adminPassword: {
    secret: true,
    commands: serve,
    about: "Password of the user 'admin' that the first start creates. Not set: one is generated.",
  },
  jwtSecret: {
    secret: true,
    commands: serve,
    about:
      'Secret (32 bytes at least) by which the host platform signs who its users are. Two, separated by a space, during a rotation.',
  },
  jwtPublicKey: {
    secret: false,
    commands: serve,
    about: 'PEM of the Ed25519 key by which the host platform signs, instead of a secret.',
  },
  woocommerceKey: {
    secret: true,
    commands: selling,
    about: 'Consumer key (ck_…) of the shop at --woocommerce-url, with the right to read.',
  },
  woocommerceSecret: { secret: true, commands: selling, about: 'Consumer secret (cs_…) that belongs to it.' },
  woocommerceWebhookSecret: {
    secret: true,
    commands: selling,
    about: 'Secret by which the shop signs the orders that its webhooks bring.',
  },
  cacheDir: {
    secret: false,
    commands: all,
    about: 'Folder to load the SQLite library by way of, where no other folder lets programs run.',
  },
} satisfies Record<string, Pick<Option, 'commands' | 'about'> & { secret: boolean }>

export const secretNames = Object.entries(environmentOnly)
  .filter(([, { secret }]) => secret)
  .map(([name]) => name)

type Parsed<T extends { kind: Kind<unknown> }> = Exclude<ReturnType<T['kind']['parse']>, undefined>

export type OptionName = keyof typeof options

/** The options as values: null where nothing is set, lists without repeats. */
export type Config = { [K in OptionName]: Parsed<(typeof options)[K]> }

export type Environment = Readonly<Record<string, string | undefined>>

/** Flags as typed, by option name. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>

export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

export const variableOf = (name: string): string =>
  `FOOTFALL_${name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`

const readOption = (name: OptionName, flags: Flags, env: Environment): unknown => {
  const option: Option = options[name]
  const flag = flags[name]
  const [source, text] =
    typeof flag === 'string' ? [flagOf(name), flag] : [variableOf(name), env[variableOf(name)] ?? option.default]
  const value = option.kind.parse(text)
  if (value === undefined) throw new UsageError(`${source} takes ${option.kind.expects}, not '${text}'.`)
  return value
}

/**
 * Some options' values: flags before environment before defaults.
 * @throws UsageError naming the flag or variable that is wrong
 */
export const readOptions = <K extends OptionName>(
  names: readonly K[],
  flags: Flags,
  env: Environment,
): Pick<Config, K> =>
  // fromEntries forgets which name has which type; Config is made from the same parsers.
  Object.fromEntries(names.map(name => [name, readOption(name, flags, env)])) as Pick<Config, K>

export const optionNames = Object.keys(options) as OptionName[]

/** All options' values; see readOptions. */
export const parseConfig = (flags: Flags, env: Environment): Config => readOptions(optionNames, flags, env)
