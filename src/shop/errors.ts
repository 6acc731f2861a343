/**
 * Why the shop could not be read, as a sentence for the owner; it holds neither key nor secret.
 * - `later`: the same request may well succeed after a while; `after` are the seconds that the shop asked to wait
 * - `too_large`: the answer is over the limit; a shorter page may not be
 * - `refused`: only the owner can change that
 */
export class ShopError extends Error {
  override name = 'ShopError'
  readonly kind: 'later' | 'too_large' | 'refused'
  readonly status: number | null
  readonly after: number | null

  constructor(
    kind: ShopError['kind'],
    message: string,
    { status = null, after = null }: { status?: number | null; after?: number | null } = {},
  ) {
    super(message)
    this.kind = kind
    this.status = status
    this.after = after
  }
}
