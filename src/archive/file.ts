// Writes files atomically: a file is either complete or absent.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { draftOf, removeDrafts } from '../database/drafts.ts'
import { cleanOnSignal } from '../runtime/signals.ts'

export const ownerOnly = 0o600

export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Passes text through while computing its hash. */
const hashing = (text: Iterable<string>): { text: Iterable<string>; digest: () => string } => {
  const hash = createHash('sha256')
  const pass = function* (): Generator<string> {
    for (const chunk of text) {
      hash.update(chunk)
      yield chunk
    }
  }
  return { text: pass(), digest: () => hash.digest('hex') }
}

const writePartial = async (partial: string, text: Iterable<string>, packed: boolean): Promise<string> => {
  const hashed = hashing(text)
  const handle = await open(partial, 'wx', ownerOnly)
  try {
    const target = createWriteStream('', { fd: handle.fd, autoClose: false })
    const source = Readable.from(hashed.text, { objectMode: false })
    if (packed) await pipeline(source, createGzip(), target)
    else await pipeline(source, target)
    await handle.sync()
    return hashed.digest()
  } finally {
    await handle.close()
  }
}

export const readBack = async (path: string, packed: boolean): Promise<string> => {
  const hash = createHash('sha256')
  const source = createReadStream(path)
  if (packed) await pipeline(source, createGunzip(), hash)
  else await pipeline(source, hash)
  return hash.digest('hex')
}

/**
 * Writes text to a file that only its owner can read. An existing file is replaced after the new one was synced to disk
 * and verified by reading it back.
 * @param packed whether to compress with gzip
 */
export const writeAtomically = async (path: string, text: Iterable<string>, packed: boolean): Promise<void> => {
  removeDrafts(path)
  const partial = draftOf(path)
  const clean = (): void => removeDrafts(path)
  await cleanOnSignal(clean, async () => {
    const written = await writePartial(partial, text, packed)
    if ((await readBack(partial, packed)) !== written)
      throw new Error(`${partial} cannot be read back as it was written`)
    await rename(partial, path)
    await syncFolder(dirname(path))
  }).finally(clean)
}
