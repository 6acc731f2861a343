import { type CryptoKey, decodeProtectedHeader, importSPKI, type JWTPayload, jwtVerify } from 'jose'
import { ExpectedError } from '../lib/errors.ts'
import { canonicalLanguage } from '../lib/locale.ts'
import type { Clock } from '../lib/time.ts'

/** The configured keys that verify tokens of the host platform (api.md §2.3). */
export type JwtKeys = {
  /** Shared secrets for HS256, newest first; two during a rotation. */
  secrets: readonly Uint8Array[]
  /** PEM of the key for EdDSA. */
  publicKey: string | null
}

/** Further secrets for HS256, which may change while the service runs. */
type PairedSecrets = () => readonly Uint8Array[]

/** The user in a token. */
export type JwtClaims = {
  sub: string
  name: string | null
  /** A language tag; null without one that is valid. */
  locale: string | null
  roles: readonly string[]
  capabilities: readonly string[] | null
}

export type JwtReader = {
  /** The user of an API token; null if it is invalid. */
  identity: (token: string) => Promise<JwtClaims | null>
  /** The roles of a visit token, which only excludes visits from counting. */
  visitRoles: (token: string) => Promise<readonly string[]>
}

const minSecretLength = 32
const maxLifetime = 10 * 60
/** Visit tokens are printed into pages, which are open for long; they only exclude visits from counting. */
const maxVisitLifetime = 24 * 3600
const skew = 60
const maxTokenLength = 4096

const texts = (value: unknown): readonly string[] | null =>
  Array.isArray(value) && value.every(item => typeof item === 'string') ? value : null

/** PHP often writes user ids as numbers. */
const userId = (sub: unknown): string | null => {
  if (typeof sub === 'number') return Number.isSafeInteger(sub) && sub > 0 ? String(sub) : null
  return typeof sub === 'string' && sub !== '' ? sub : null
}

const isWithin = ({ iat, exp }: JWTPayload, lifetime: number): boolean =>
  iat !== undefined && exp !== undefined && exp > iat && exp - iat <= lifetime

/** WordPress writes `de_DE`, and `de_DE_formal` for some languages. */
const localeOf = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  const [language = '', region] = value.split(/[_-]/, 2)
  return canonicalLanguage(region === undefined ? language : `${language}-${region}`)
}

const toClaims = (payload: JWTPayload): JwtClaims | null => {
  const { name, locale, roles, capabilities } = payload
  const sub = userId(payload.sub)
  if (sub === null || !isWithin(payload, maxLifetime)) return null
  return {
    sub,
    name: typeof name === 'string' ? name : null,
    locale: localeOf(locale),
    roles: texts(roles) ?? [],
    capabilities: capabilities === undefined ? null : (texts(capabilities) ?? []),
  }
}

const importKey = (pem: string): Promise<CryptoKey> =>
  importSPKI(pem.replaceAll('\\n', '\n'), 'EdDSA').catch(() => {
    throw new ExpectedError('FOOTFALL_JWT_PUBLIC_KEY is not the PEM of an Ed25519 public key.')
  })

const rejectShort = (secrets: readonly Uint8Array[]): void => {
  if (secrets.some(secret => secret.length < minSecretLength)) {
    throw new ExpectedError(
      `FOOTFALL_JWT_SECRET must have at least ${minSecretLength} bytes. Generate one with: openssl rand -hex 32`,
    )
  }
}

/**
 * Verifies tokens of the host platform: HS256 only with a secret, EdDSA only with the key. With an invalid token the
 * caller is anonymous.
 */
export const createJwtReader = async (
  { secrets, publicKey }: JwtKeys,
  paired: PairedSecrets,
  clock: Clock,
): Promise<JwtReader> => {
  rejectShort(secrets)
  const key = publicKey === null ? null : await importKey(publicKey)

  const keysFor = (token: string): readonly (Uint8Array | CryptoKey)[] => {
    const { alg, typ, crit } = decodeProtectedHeader(token)
    if (crit !== undefined || (typ !== undefined && typ.toUpperCase() !== 'JWT')) return []
    if (alg === 'HS256') return [...secrets, ...paired()]
    return alg === 'EdDSA' && key !== null ? [key] : []
  }

  const verify = async (token: string, audience: string): Promise<JWTPayload | null> => {
    if (token.length > maxTokenLength) return null
    try {
      for (const candidate of keysFor(token)) {
        const options = {
          audience,
          algorithms: [candidate instanceof Uint8Array ? 'HS256' : 'EdDSA'],
          clockTolerance: skew,
          currentDate: new Date(clock()),
          requiredClaims: ['exp', 'iat'],
        }
        const payload = await jwtVerify(token, candidate, options).then(
          result => result.payload,
          () => null,
        )
        if (payload !== null && payload.aud === audience && (payload.iat ?? 0) <= clock() / 1000 + skew) return payload
      }
    } catch {
      // Not a token: the caller is anonymous.
    }
    return null
  }

  return {
    identity: async token => {
      const payload = await verify(token, 'footfall')
      return payload === null ? null : toClaims(payload)
    },
    visitRoles: async token => {
      const payload = await verify(token, 'footfall-visit')
      return payload === null || !isWithin(payload, maxVisitLifetime) ? [] : (texts(payload.roles) ?? [])
    },
  }
}
