// The type of an option, and the commands that share options.
import type { Kind } from './kinds.ts'

export const serve = ['serve'] as const
/** Commands that use the database file. */
export const usingFile = [
  'serve',
  'import',
  'export',
  'rebuild',
  'cron',
  'report',
  'sites',
  'ask',
  'mcp',
  'tail',
  'shop',
  'backup',
  'restore',
  'settings',
  'forget',
  'page-patterns',
  'audit',
  'diagnostics',
  'self-test',
  'privacy-audit',
  'user',
  'app-password',
  'goal',
  'funnel',
  'share-link',
  'rules',
  'annotate',
  'alerts',
  'digest',
  'connect',
  'demo',
] as const
export const everyCommand = [...usingFile, 'check', 'health'] as const
/** Commands that know where the service listens. */
export const listening = ['serve', 'health'] as const
/** Commands that collect hits, from the network or from a recording. */
export const collecting = ['serve', 'import'] as const
/** Commands that use the shop's API. */
export const usingShop = ['serve', 'shop'] as const
/** Commands that look up places. */
export const usingGeoip = ['serve', 'import', 'cron', 'diagnostics', 'self-test', 'mcp'] as const
/** Commands that download the GeoIP database. */
export const downloadingGeoip = ['serve', 'cron'] as const
/** Commands that parse page URLs. */
export const readingUrls = ['serve', 'import', 'forget', 'goal', 'funnel'] as const
/** Commands that create a file. */
export const creatingFile = [...collecting, 'demo'] as const
/** Commands that answer the advisor's questions. */
export const answering = ['serve', 'ask', 'mcp'] as const

/** Commands that send mail. */
export const sendingMail = ['serve', 'cron', 'digest'] as const
/** Commands that post to --webhook. */
export const sendingWebhooks = ['serve', 'cron', 'alerts'] as const

export type CommandName = (typeof everyCommand)[number]

/** An option. Its flag and variable follow from its name: basePath is --base-path and FOOTFALL_BASE_PATH. */
export type Option<T = unknown> = {
  group: string
  /** The placeholder of the value in --help; '' for a flag without a value, true in the environment. */
  value: string
  kind: Kind<T>
  default: string
  about: string
  commands: readonly CommandName[]
}
