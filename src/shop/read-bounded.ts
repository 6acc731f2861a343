import { ShopError } from './errors.ts'

const tooLarge = (limit: number): ShopError =>
  new ShopError('too_large', `The shop's answer is larger than ${Math.round((limit / 1024 / 1024) * 10) / 10} MiB.`)

/**
 * Reads a response body, up to a limit, whatever its Content-Length says. The limit applies to the decompressed bytes.
 * @throws ShopError too_large
 */
export const readBounded = async (response: Response, limit: number): Promise<{ text: string; bytes: number }> => {
  if (Number(response.headers.get('content-length') ?? 0) > limit) {
    await response.body?.cancel()
    throw tooLarge(limit)
  }
  const parts: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop cancels the body.
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > limit) throw tooLarge(limit)
    parts.push(part)
  }
  return { text: Buffer.concat(parts).toString('utf8'), bytes }
}
