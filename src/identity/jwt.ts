import { decodeProtectedHeader, importSPKI, jwtVerify, type CryptoKey, type JWTPayload } from 'jose'
import type { Clock } from '../lib/time.ts'

/** What the host platform's tokens are checked with (api.md §2.3); nothing set: the scheme is off. */
export type JwtKeys = {
  /** Shared secrets for HS256, the newer first; two of them during a rotation. */
  secrets: readonly Uint8Array[]
  /** PEM of the key for EdDSA. */
  publicKey: string | null
}

/** Who the platform says is asking. */
export type JwtClaims = {
  sub: string
  name: string | null
  roles: readonly string[]
  capabilities: readonly string[] | null
}

export type JwtReader = {
  /** A token that speaks for a user of the platform; null for one that does not count. */
  identity: (token: string) => Promise<JwtClaims | null>
  /** The roles of a token that only keeps a visit from being counted. */
  visitRoles: (token: string) => Promise<readonly string[]>
}

const shortestSecret = 32
const maxLifetime = 10 * 60
const skew = 60
const maxTokenLength = 4096

/** Raised at start for a key that would be unsafe or cannot be used. */
export class JwtKeyError extends Error {
  override name = 'JwtKeyError'
}

const texts = (value: unknown): readonly string[] | null =>
  Array.isArray(value) && value.every(item => typeof item === 'string') ? value : null

/** PHP is likely to write the number of a user as one. */
const userId = (sub: unknown): string | null => {
  if (typeof sub === 'number') return Number.isSafeInteger(sub) && sub > 0 ? String(sub) : null
  return typeof sub === 'string' && sub !== '' ? sub : null
}

const toClaims = (payload: JWTPayload): JwtClaims | null => {
  const { iat, exp, name, roles, capabilities } = payload
  const sub = userId(payload.sub)
  if (sub === null || iat === undefined || exp === undefined || exp - iat > maxLifetime || exp <= iat) return null
  const given = capabilities === undefined ? null : (texts(capabilities) ?? [])
  return { sub, name: typeof name === 'string' ? name : null, roles: texts(roles) ?? [], capabilities: given }
}

const importKey = (pem: string): Promise<CryptoKey> =>
  importSPKI(pem.replaceAll('\\n', '\n'), 'EdDSA').catch(() => {
    throw new JwtKeyError('FOOTFALL_JWT_PUBLIC_KEY is not the PEM of an Ed25519 public key.')
  })

const refuseShort = (secrets: readonly Uint8Array[]): void => {
  if (secrets.some(secret => secret.length < shortestSecret)) {
    throw new JwtKeyError(
      `FOOTFALL_JWT_SECRET must have at least ${shortestSecret} bytes. Make one with: openssl rand -hex 32`,
    )
  }
}

/** Tokens of the host platform: HS256 only with the secret, EdDSA only with the key; whatever is wrong makes the caller a stranger. */
export const createJwtReader = async ({ secrets, publicKey }: JwtKeys, clock: Clock): Promise<JwtReader | null> => {
  if (secrets.length === 0 && publicKey === null) return null
  refuseShort(secrets)
  const key = publicKey === null ? null : await importKey(publicKey)

  const keysFor = (token: string): readonly (Uint8Array | CryptoKey)[] => {
    const { alg, typ, crit } = decodeProtectedHeader(token)
    if (crit !== undefined || (typ !== undefined && typ.toUpperCase() !== 'JWT')) return []
    if (alg === 'HS256') return secrets
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
      // No token at all: the caller is a stranger.
    }
    return null
  }

  return {
    identity: async token => {
      const payload = await verify(token, 'footfall')
      return payload === null ? null : toClaims(payload)
    },
    visitRoles: async token => texts((await verify(token, 'footfall-visit'))?.roles) ?? [],
  }
}
