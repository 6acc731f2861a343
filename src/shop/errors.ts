import { ExpectedError } from '../lib/errors.ts'

/**
 * Why the shop could not be read, as a sentence for the owner, without key and secret.
 * - `later`: the same request may succeed later; `retryAfter` is the shop's Retry-After in seconds
 * - `too_large`: the response exceeds the limit; a shorter page may not
 * - `refused`: retrying cannot help
 */
export class ShopError extends ExpectedError {
  override name = 'ShopError'
  readonly kind: 'later' | 'too_large' | 'refused'
  readonly status: number | null
  readonly retryAfter: number | null

  constructor(
    kind: ShopError['kind'],
    message: string,
    { status = null, retryAfter = null }: { status?: number | null; retryAfter?: number | null } = {},
  ) {
    super(message)
    this.kind = kind
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** Why work with the shop ended, as a sentence for the owner. */
export const sentenceOf = (error: unknown): string =>
  error instanceof ShopError ? error.message : 'An internal error of Footfall ended it. See the log.'
