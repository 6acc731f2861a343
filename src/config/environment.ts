import { environmentOnly, optionNames, variableOf, type Environment } from './config.ts'
import { nearest } from './nearest.ts'

const known = [...optionNames, ...Object.keys(environmentOnly)].map(variableOf)

/** A sentence for each FOOTFALL_ variable that means nothing here: a typo would otherwise go unnoticed. */
export const environmentWarnings = (env: Environment): string[] =>
  Object.keys(env)
    .filter(name => name.startsWith('FOOTFALL_') && !known.includes(name))
    .sort()
    .map(name => {
      const meant = nearest(name, known)
      return `${name} in the environment is unknown and ignored.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
    })

/** The password for the first user, or null. It is no part of Config, which diagnostics may show. */
export const adminPassword = (env: Environment): string | null => env[variableOf('adminPassword')] || null

/** The secret of the shop's webhooks, or null. */
export const webhookSecret = (env: Environment): string | null => env[variableOf('woocommerceWebhookSecret')] || null

/** What the tokens of the host platform are checked with. */
export const jwtKeys = (env: Environment): { secrets: Uint8Array[]; publicKey: string | null } => ({
  secrets: (env[variableOf('jwtSecret')] ?? '')
    .split(/\s+/)
    .filter(text => text !== '')
    .map(text => new TextEncoder().encode(text)),
  publicKey: env[variableOf('jwtPublicKey')] || null,
})

/** What the shop knows this service by; null unless both halves are set. */
export const shopKey = (env: Environment): { key: string; secret: string } | null => {
  const [key, secret] = [env[variableOf('woocommerceKey')], env[variableOf('woocommerceSecret')]].map(
    text => text?.trim() ?? '',
  )
  return key === undefined || secret === undefined || key === '' || secret === '' ? null : { key, secret }
}
