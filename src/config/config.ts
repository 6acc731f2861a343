// The option table: flags, environment variables, --help and docs/command-line.md are made from it.
import { dataOptions } from './data-options.ts'
import { UsageError } from './errors.ts'
import type { Kind } from './kinds.ts'
import { everyCommand, serve, usingShop, type CommandName, type Option } from './option.ts'
import { siteOptions } from './site-options.ts'

export type { CommandName, Option }

/** In the order in which --help lists them. */
export const options = { ...siteOptions, ...dataOptions }

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
      'Secret (32 bytes at least) with which the host platform signs its user tokens. Two, separated by a space, during a rotation.',
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
  woocommerceSecret: { secret: true, commands: usingShop, about: 'Consumer secret (cs_…) that belongs to it.' },
  woocommerceWebhookSecret: {
    secret: true,
    commands: usingShop,
    about: 'Secret with which the shop signs its webhooks.',
  },
  cacheDir: {
    secret: false,
    commands: everyCommand,
    about: 'Folder to load the SQLite library from, where no other folder allows executables.',
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

/** Hosts whose pages may send hits; empty if any host may. */
export const siteHosts = ({ siteUrl, allowedHosts }: Pick<Config, 'siteUrl' | 'allowedHosts'>): string[] => [
  ...(siteUrl === null ? [] : [new URL(siteUrl).host]),
  ...allowedHosts,
]
