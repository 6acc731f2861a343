// Files that are either complete or absent.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

const ownerOnly = 0o600

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Passes text through, and computes its hash. */
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

const writeDraft = async (draft: string, text: Iterable<string>, packed: boolean): Promise<string> => {
  const hashed = hashing(text)
  const handle = await open(draft, 'wx', ownerOnly)
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

const readBack = async (path: string, packed: boolean): Promise<string> => {
  const hash = createHash('sha256')
  const source = createReadStream(path)
  if (packed) await pipeline(source, createGunzip(), hash)
  else await pipeline(source, hash)
  return hash.digest('hex')
}

/**
 * Writes text to a file that only its owner can read. The file is replaced once the new text is on disk and was read back
 * unchanged.
 * @param packed whether to compress with gzip
 */
export const writeWhole = async (path: string, text: Iterable<string>, packed: boolean): Promise<void> => {
  const draft = `${path}.part`
  await rm(draft, { force: true })
  try {
    const written = await writeDraft(draft, text, packed)
    if ((await readBack(draft, packed)) !== written) throw new Error(`${draft} cannot be read back as it was written`)
    await rename(draft, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
