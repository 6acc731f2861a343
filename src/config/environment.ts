import { environmentOnly, optionNames, variableOf, type Environment } from './config.ts'

/** Levenshtein's distance: the number of letters to insert, delete or replace. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...b].entries()) {
      const change = (row[column] ?? 0) + Number(letter !== other)
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The name that was probably meant, at most three letters away. */
const nearest = (name: string, names: readonly string[]): string | undefined =>
  names
    .map(other => ({ other, far: distance(name, other) }))
    .filter(({ far }) => far <= 3)
    .sort((a, b) => a.far - b.far)[0]?.other

const known = [...optionNames, ...Object.keys(environmentOnly)].map(variableOf)

/** A sentence for each unknown FOOTFALL_ variable: a typo would otherwise go unnoticed. */
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
