/** The text of a response's body. */
export type BoundedText = {
  text: string
  /** Length of `text` in UTF-8, of decompressed bytes. */
  bytes: number
  /** Whether there was more than the limit allows. */
  cut: boolean
}

/** Reads at most `maxBytes` of a body, whatever its Content-Length says; the rest is cancelled. */
export const boundedText = async ({ body }: Pick<Response, 'body'>, maxBytes: number): Promise<BoundedText> => {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop closes the connection.
  for await (const part of body ?? []) {
    parts.push(part)
    size += part.byteLength
    if (size > maxBytes) break
  }
  const bytes = Math.min(size, maxBytes)
  return { text: Buffer.concat(parts).toString('utf8', 0, bytes), bytes, cut: size > maxBytes }
}
