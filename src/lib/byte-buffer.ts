/** Bytes that come in pieces, in one buffer: a list would take some 500 bytes for each piece, and a stranger may send bytes one by one. */
export type ByteBuffer = {
  size: () => number
  /** Most bodies come in one piece, which is kept as it is. */
  add: (piece: Uint8Array) => void
  /** Gives all of them, and keeps none. */
  take: () => Buffer
}

const nothing = new Uint8Array()

/** @param limit that the bytes will not exceed */
export const createByteBuffer = (limit = Infinity): ByteBuffer => {
  let bytes: Uint8Array = nothing
  let size = 0

  return {
    size: () => size,
    add: piece => {
      const needed = size + piece.length
      if (size === 0) bytes = piece
      else {
        if (needed > bytes.length) {
          const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(needed, 2 * bytes.length)))
          larger.set(bytes.subarray(0, size))
          bytes = larger
        }
        bytes.set(piece, size)
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
