// Files that an owner sends in pieces for an import: beside the database, readable by its owner alone, for a day.
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isCode } from '../../database/errors.ts'
import { ApiError } from '../../http/errors.ts'
import { shownName } from '../history/input.ts'

/** The most bytes of all files together, and of a piece. */
export const maxUploads = 2 * 2 ** 30
export const maxPiece = 4 * 2 ** 20
const maxFiles = 200
/** Bytes of a name, of which systems take 255. */
const maxName = 200
/** Milliseconds that a file is kept after its last piece. */
const maxAge = 24 * 3600 * 1000

/** A file of `bytes`, of which `received` are here. */
export type Upload = { id: string; name: string; bytes: number; received: number }

export type Uploads = {
  list: () => Upload[]
  /** @throws ApiError if there are too many, or they are too large together */
  add: (name: string, bytes: number) => Upload
  /** Appends a piece. @throws ApiError if it does not continue the file */
  append: (id: string, offset: number, piece: Uint8Array) => Upload
  remove: (id: string) => void
  /** Where complete files are. @throws ApiError if one is not there or not complete */
  pathsOf: (ids: readonly string[]) => string[]
  /** Removes what nobody has gone on with for a day. */
  prune: () => void
}

type Stored = Upload & { folder: string; path: string; changed: number }

/** The end of a long name is kept. A hidden one would be passed over as the leftover of another system. */
const nameOf = (given: string): string => {
  const name = [...shownName(given).replace(/^\.+/, '')]
  while (Buffer.byteLength(name.join('')) > maxName) name.shift()
  return name.join('') || 'file'
}

const notFound = (): ApiError => new ApiError(404, 'rest_upload_not_found', 'There is no such file. Send it again.')

const withoutSpace = <Result>(write: () => Result): Result => {
  try {
    return write()
  } catch (error) {
    if (!isCode(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES')) throw error
    throw new ApiError(507, 'rest_upload_no_space', 'The file cannot be kept beside the database. Is the disk full?')
  }
}

/**
 * @param database each file has a folder of its own beside it, whose name is its id and length
 * @param clock the current time in milliseconds
 */
export const createUploads = (database: string, clock: () => number): Uploads => {
  const root = `${database}-uploads`

  const read = (folderName: string): Stored[] => {
    const [, id, bytes] = /^([0-9a-f-]{36})-(\d+)$/.exec(folderName) ?? []
    if (id === undefined) return []
    const folder = join(root, folderName)
    const [name] = readdirSync(folder)
    if (name === undefined) return []
    const path = join(folder, name)
    const { size, mtimeMs } = statSync(path)
    return [{ id, name, bytes: Number(bytes), received: size, folder, path, changed: mtimeMs }]
  }
  const stored = (): Stored[] => {
    try {
      return readdirSync(root)
        .flatMap(read)
        .sort((one, other) => (one.name < other.name ? -1 : 1))
    } catch (error) {
      if (isCode(error, 'ENOENT')) return []
      throw error
    }
  }
  const shown = ({ id, name, bytes, received }: Stored): Upload => ({ id, name, bytes, received })
  const find = (id: string): Stored => {
    const found = stored().find(one => one.id === id)
    if (found === undefined) throw notFound()
    return found
  }
  const drop = ({ folder }: Stored): void => {
    rmSync(folder, { recursive: true, force: true })
    if (readdirSync(root).length === 0) rmSync(root, { recursive: true, force: true })
  }
  const prune = (): void => {
    for (const one of stored()) if (one.changed < clock() - maxAge) drop(one)
  }

  return {
    list: () => stored().map(shown),
    add: (name, bytes) => {
      prune()
      const others = stored()
      if (others.length >= maxFiles || others.reduce((sum, one) => sum + one.bytes, bytes) > maxUploads)
        throw new ApiError(
          413,
          'rest_upload_too_large',
          `At most ${maxFiles} files and ${maxUploads / 2 ** 30} GiB wait for an import. Remove some, or use the command line.`,
        )
      const id = randomUUID()
      const folder = join(root, `${id}-${bytes}`)
      const kept = nameOf(name)
      withoutSpace(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(join(folder, kept), '', { mode: 0o600 })
      })
      return { id, name: kept, bytes, received: 0 }
    },
    append: (id, offset, piece) => {
      const one = find(id)
      if (offset !== one.received || offset + piece.length > one.bytes)
        throw new ApiError(
          409,
          'rest_upload_offset',
          `${one.received} of ${one.bytes} bytes are here: go on from there.`,
          {
            received: one.received,
          },
        )
      withoutSpace(() => appendFileSync(one.path, piece))
      return { ...shown(one), received: one.received + piece.length }
    },
    remove: id => drop(find(id)),
    pathsOf: ids =>
      ids.map(id => {
        const { path, name, bytes, received } = find(id)
        if (received < bytes)
          throw new ApiError(
            409,
            'rest_upload_incomplete',
            `${name} is not here as a whole: ${received} of ${bytes} bytes.`,
          )
        return path
      }),
    prune,
  }
}
