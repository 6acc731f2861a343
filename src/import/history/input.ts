// The files of an import: single ones, those of folders, and the entries of ZIP archives.
import { createHash } from 'node:crypto'
import { readdirSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { ExpectedError } from '../../lib/errors.ts'
import { bytesOf, closeSource, isZlib, openFile, type Source, spool } from '../source.ts'

/** A file, its name as it is reported, and the hash of its unpacked content. */
export type InputFile = { name: string; source: Source; hash: string }

const maxEntries = 200
const maxUnpacked = 2 * 2 ** 30

/** What systems and their archive programs leave next to files. */
const isLeftover = (name: string): boolean => /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/.test(name)

const beginsWith = ({ file }: Source, signature: readonly number[]): boolean => {
  const start = Buffer.alloc(signature.length)
  return (
    readSync(file, start, 0, start.length, 0) === start.length &&
    signature.every((byte, index) => byte === start[index])
  )
}

const isZip = (source: Source): boolean => beginsWith(source, [0x50, 0x4b, 0x03, 0x04])

/** Names of files are shown, never used. */
export const shownName = (name: string): string =>
  basename(name.replaceAll('\\', '/')).replace(/[^\p{L}\p{N} ._()+-]/gu, '_')

const openEntry = async (zip: ZipFile, entry: Entry, database: string): Promise<Source> => {
  const source = await spool(await zip.openReadStreamPromise(entry), database)
  if (!isZip(source)) return source
  closeSource(source)
  throw new ExpectedError(`${shownName(entry.fileName)} is a ZIP archive within a ZIP archive. Unpack it first.`)
}

/** Entries are unpacked into unlinked files next to the database, as they are read more than once. */
async function* unzip(zipped: Source, name: string, database: string): AsyncGenerator<[string, Source]> {
  const zip = await fromFdPromise(zipped.file, { autoClose: false, lazyEntries: true, strictFileNames: false })
  if (zip.entryCount > maxEntries) throw new ExpectedError(`${name} has more than ${maxEntries} files.`)
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/') || isLeftover(entry.fileName.replaceAll('\\', '/'))) continue
    unpacked += entry.uncompressedSize
    if (unpacked > maxUnpacked) throw new ExpectedError(`${name} unpacks to more than 2 GiB.`)
    yield [entry.fileName, await openEntry(zip, entry, database)]
  }
}

const pathsOf = (path: string): string[] => {
  if (path === '-') return [path]
  try {
    if (!statSync(path).isDirectory()) return [path]
    return readdirSync(path, { withFileTypes: true })
      .filter(entry => entry.isFile() && !isLeftover(entry.name))
      .map(entry => join(path, entry.name))
      .sort()
  } catch {
    throw new ExpectedError(`${path} cannot be read. Name files, folders or ZIP archives.`)
  }
}

const hashOf = async (source: Source): Promise<string> => {
  const hash = createHash('sha256')
  for await (const bytes of bytesOf(source)) hash.update(bytes)
  return hash.digest('hex')
}

async function* openPath(path: string, database: string): AsyncGenerator<[string, Source]> {
  const source = path === '-' ? await spool(process.stdin, database) : openFile(path)
  if (!isZip(source)) return yield [path, source]
  try {
    yield* unzip(source, path, database)
  } catch (error) {
    if (error instanceof ExpectedError) throw error
    throw new ExpectedError(
      `${path} is cut off, damaged or encrypted (${error instanceof Error ? error.message : ''}).`,
    )
  } finally {
    closeSource(source)
  }
}

/**
 * Opens the files in folders and ZIP archives, each content once.
 * @param database next to which entries of ZIP archives are unpacked
 * @throws ExpectedError
 */
export const openInput = async (paths: readonly string[], database: string): Promise<InputFile[]> => {
  const files = new Map<string, InputFile>()
  for (const path of paths.flatMap(pathsOf)) {
    for await (const [name, source] of openPath(path, database)) {
      try {
        const hash = await hashOf(source)
        if (files.has(hash)) closeSource(source)
        else files.set(hash, { name: shownName(name), source, hash })
      } catch (error) {
        if (!isZlib(error)) throw error
        throw new ExpectedError(`${shownName(name)} is cut off or damaged (${error.message}). Nothing was imported.`)
      }
    }
  }
  return [...files.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

export const closeInput = (files: readonly InputFile[]): void => {
  for (const { source } of files) closeSource(source)
}

/** The same files in any packing have the same fingerprint. */
export const fingerprintOf = (files: readonly InputFile[], ...others: string[]): string =>
  createHash('sha256')
    .update([...files.map(({ hash }) => hash).sort(), ...others].join('\n'))
    .digest('hex')
