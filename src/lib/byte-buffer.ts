/**
 * Appends chunks to one buffer: in a list each chunk would cost about 500 bytes, and a client may send single bytes.
 */
export type ByteBuffer = {
  size: () => number
  /** Most bodies are a single chunk, which is kept without a copy. */
  add: (chunk: Uint8Array) => void
  /** Returns all bytes and empties the buffer. */
  take: () => Buffer
}

const nothing = new Uint8Array()

/** @param limit maximum size, enforced by the caller */
export const createByteBuffer = (limit = Infinity): ByteBuffer => {
  let bytes: Uint8Array = nothing
  let size = 0

  return {
    size: () => size,
    add: chunk => {
      const needed = size + chunk.length
      if (size === 0) bytes = chunk
      else {
        if (needed > bytes.length) {
          const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(needed, 2 * bytes.length)))
          larger.set(bytes.subarray(0, size))
          bytes = larger
        }
        bytes.set(chunk, size)
      }
      size = needed
    },
    take: () => {
      const all = Buffer.from(bytes.buffer, bytes.byteOffset, size)
      bytes = nothing
      size = 0
      return all
    },
  }
}
