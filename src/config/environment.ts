import { nearest } from '../lib/nearest.ts'
import { type Environment, environmentOnly, optionNames, UsageError, variableOf } from './config.ts'
import { readSmtpUrl, type SmtpServer } from './smtp-url.ts'

const knownVariables = [...optionNames, ...Object.keys(environmentOnly)].map(variableOf)

/** A warning for each unknown FOOTFALL_ variable, because a typo would otherwise go unnoticed. */
export const environmentWarnings = (env: Environment): string[] =>
  Object.keys(env)
    .filter(name => name.startsWith('FOOTFALL_') && !knownVariables.includes(name))
    .sort()
    .map(name => {
      const suggestion = nearest(name, knownVariables)
      const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
      return `Unknown environment variable ${name} is ignored.${hint}`
    })

/** The password for the first user, or null. It is not part of Config, which diagnostics may show. */
export const adminPassword = (env: Environment): string | null => env[variableOf('adminPassword')] || null

/** The secret of the shop's webhooks, or null. */
export const webhookSecret = (env: Environment): string | null => env[variableOf('woocommerceWebhookSecret')] || null

/** The secret that posts to --webhook are signed with, or null. */
export const postSecret = (env: Environment): string | null => env[variableOf('webhookSecret')] || null

/**
 * The mail server, or null.
 * @throws UsageError without the URL, which contains a password
 */
export const smtpServer = (env: Environment): SmtpServer | null => {
  const text = env[variableOf('smtpUrl')]?.trim() ?? ''
  const server = text === '' ? null : readSmtpUrl(text)
  if (server !== undefined) return server
  throw new UsageError(
    `${variableOf('smtpUrl')} takes a URL such as smtps://user:password@mail.example.org:465. Special characters in user ` +
      'and password must be percent-encoded.',
  )
}

/** The keys that verify tokens of the host platform. */
export const jwtKeys = (env: Environment): { secrets: Uint8Array[]; publicKey: string | null } => ({
  secrets: (env[variableOf('jwtSecret')] ?? '')
    .split(/\s+/)
    .filter(text => text !== '')
    .map(text => new TextEncoder().encode(text)),
  publicKey: env[variableOf('jwtPublicKey')] || null,
})

/** The service's key for the shop's API; null unless both halves are set. */
export const shopKey = (env: Environment): { key: string; secret: string } | null => {
  const [key, secret] = [env[variableOf('woocommerceKey')], env[variableOf('woocommerceSecret')]].map(
    text => text?.trim() ?? '',
  )
  return key === undefined || secret === undefined || key === '' || secret === '' ? null : { key, secret }
}
