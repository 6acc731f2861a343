import { createHmac, timingSafeEqual } from 'node:crypto'

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#039;': "'",
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
}

/** WooCommerce decodes HTML entities in the secret before it signs. */
const decodeEntities = (secret: string): string =>
  secret.replace(/&(?:amp|quot|#0?39|lt|gt);/g, entity => entities[entity] ?? entity)

const sign = (bytes: Uint8Array, secret: string): Buffer =>
  Buffer.from(createHmac('sha256', secret).update(bytes).digest('base64'))

/** Whether a header looks like a signature: 32 bytes in base64. Rejects forgeries before their body is read. */
export const isSignature = (header: string): boolean => /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(header.trim())

/** Whether the header is the base64 HMAC-SHA256 of the body with the secret; compares in constant time. */
export const isSigned = (bytes: Uint8Array, header: string, secret: string): boolean => {
  const given = Buffer.from(header.trim())
  return [secret, decodeEntities(secret)]
    .map(key => sign(bytes, key))
    .map(expected => expected.length === given.length && timingSafeEqual(expected, given))
    .includes(true)
}
