// The option table: the source of flags, environment variables, --help and docs/command-line.md.
import { isPrivateAddress, parseAddress } from '../lib/address/list.ts'
import { ExpectedError } from '../lib/errors.ts'
import { dataOptions } from './data-options.ts'
import type { Kind } from './kinds.ts'
import { mailOptions } from './mail-options.ts'
import { type CommandName, type Option, sendingMail, sendingWebhooks, serve, usingFile, usingShop } from './option.ts'
import { siteOptions } from './site-options.ts'

export type { CommandName, Option }

/** An invalid command line or environment. Its message is printed, and the exit code is 2. */
export class UsageError extends ExpectedError {
  override name = 'UsageError'
}

/** In the order of --help. */
export const options = { ...siteOptions, ...mailOptions, ...dataOptions }

/** Set only in the environment. Secrets are never flags: every user of the machine can see command lines. */
export const environmentOnly = {
  adminPassword: {
    secret: true,
    commands: serve,
    about: "Password of the user 'admin' created at the first start. Default: a generated password.",
  },
  jwtSecret: {
    secret: true,
    commands: serve,
    about:
      'Secret (at least 32 bytes) with which the host platform signs its user tokens. During a rotation: two secrets, ' +
      'separated by a space.',
  },
  jwtPublicKey: {
    secret: false,
    commands: serve,
    about: 'PEM of the Ed25519 public key of the host platform, instead of a secret.',
  },
  woocommerceKey: {
    secret: true,
    commands: usingShop,
    about: 'Consumer key (ck_…) of the shop at --woocommerce-url, with read permission.',
  },
  woocommerceSecret: { secret: true, commands: usingShop, about: 'Consumer secret (cs_…) of that key.' },
  woocommerceWebhookSecret: {
    secret: true,
    commands: usingShop,
    about: 'Secret that the shop signs its webhooks with.',
  },
  appPassword: {
    secret: true,
    commands: ['mcp', 'sites'],
    about:
      'Login and application password, as LOGIN:PASSWORD, for the service that is asked; of several, a line for each: its URL, a ' +
      'space, LOGIN:PASSWORD.',
  },
  smtpUrl: {
    secret: true,
    commands: sendingMail,
    about:
      'Mail server that messages are sent through: smtps://USER:PASSWORD@HOST:465, or smtp://USER:PASSWORD@HOST:587 with ' +
      'STARTTLS. Special characters in user and password are percent-encoded.',
  },
  webhookSecret: {
    secret: true,
    commands: sendingWebhooks,
    about: 'Secret that posts to --webhook are signed with.',
  },
  cacheDir: {
    secret: false,
    commands: usingFile,
    about: 'Folder for the SQLite library, if no other folder allows executables.',
  },
} satisfies Record<string, Pick<Option, 'commands' | 'about'> & { secret: boolean }>

export const secretNames = Object.entries(environmentOnly)
  .filter(([, { secret }]) => secret)
  .map(([name]) => name)

type Parsed<T extends { kind: Kind<unknown> }> = Exclude<ReturnType<T['kind']['parse']>, undefined>

export type OptionName = keyof typeof options

/** The parsed options: null if not set, lists without duplicates. */
export type Config = { [K in OptionName]: Parsed<(typeof options)[K]> }

export type Environment = Readonly<Record<string, string | undefined>>

/** Flags of the command line, by option name. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>

export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

/** Its name in JSON: base_path. */
export const fieldOf = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

export const variableOf = (name: string): string => `FOOTFALL_${fieldOf(name).toUpperCase()}`

const readOption = (name: OptionName, flags: Flags, env: Environment): unknown => {
  const option: Option = options[name]
  const flag = flags[name] === true ? 'true' : flags[name]
  const variable = env[variableOf(name)]
  // Compose writes an empty variable for one that is not set.
  const [source, text] =
    typeof flag === 'string'
      ? [flagOf(name), flag]
      : [variableOf(name), variable === undefined || variable.trim() === '' ? option.default : variable]
  const value = option.kind.parse(text)
  if (value !== undefined) return value
  const shown = option.kind.isSecret === true ? '' : `, not '${text}'`
  throw new UsageError(`${source} takes ${option.kind.expects}${shown}.`)
}

/**
 * Parses some options. Flags take precedence over the environment, and the environment over defaults.
 * @throws UsageError naming the invalid flag or variable
 */
export const readOptions = <K extends OptionName>(
  names: readonly K[],
  flags: Flags,
  env: Environment,
): Pick<Config, K> =>
  // fromEntries loses the type of each name; Config is derived from the same parsers.
  Object.fromEntries(names.map(name => [name, readOption(name, flags, env)])) as Pick<Config, K>

export const optionNames = Object.keys(options) as OptionName[]

/** Parses all options; see readOptions. */
export const parseConfig = (flags: Flags, env: Environment): Config => readOptions(optionNames, flags, env)

const isLocal = (host: string): boolean => {
  const address = parseAddress(host)
  if (address !== null) return isPrivateAddress(address)
  return /(^|\.)(localhost|local|internal|test)$/.test(host)
}

/** The addresses for listening on all networks. */
const everywhere = ['0.0.0.0', '::']

/**
 * Whether strangers can reach the service, as far as the options show: it listens beyond private networks, or the site
 * is public, whose visitors must reach it.
 */
export const isPublic = ({ host, siteUrl }: Pick<Config, 'host' | 'siteUrl'>): boolean =>
  everywhere.includes(host) || !isLocal(host) || (siteUrl !== null && !isLocal(new URL(siteUrl).hostname))

/** The URL at which browsers reach the service, with its root path; null if the options do not say. */
export const publicUrlOf = ({
  publicUrl,
  siteUrl,
  rootPath,
}: Pick<Config, 'publicUrl' | 'siteUrl' | 'rootPath'>): string | null => {
  if (publicUrl !== null) return publicUrl.endsWith(rootPath) ? publicUrl : publicUrl + rootPath
  // Without a root path the service has a host of its own, whose name is not known.
  return siteUrl === null || rootPath === '' ? null : new URL(siteUrl).origin + rootPath
}

/** The name of the site, its host, and the URL of its dashboard; null if the options do not say. */
export const siteAddresses = (config: Pick<Config, 'siteName' | 'publicUrl' | 'siteUrl' | 'rootPath'>) => {
  const site = config.siteUrl === null ? null : new URL(config.siteUrl).host
  return { name: config.siteName ?? site, site, dashboard: publicUrlOf(config) }
}

/** The hosts whose pages may send hits; empty if any host may. */
export const siteHosts = ({ siteUrl, allowedHosts }: Pick<Config, 'siteUrl' | 'allowedHosts'>): string[] => [
  ...(siteUrl === null ? [] : [new URL(siteUrl).host]),
  ...allowedHosts,
]

/** The addresses of the site: that of --site-url, and each allowed host with the same scheme (HTTPS without one). */
export const siteUrls = ({ siteUrl, allowedHosts }: Pick<Config, 'siteUrl' | 'allowedHosts'>): string[] => {
  const site = siteUrl === null ? null : new URL(siteUrl)
  const others = allowedHosts.filter(host => host !== site?.hostname)
  return [...(site === null ? [] : [site.href]), ...others.map(host => `${site?.protocol ?? 'https:'}//${host}/`)]
}
