// A file system of which a power cut leaves what was synced, and any part of the rest.
import { dirname } from 'node:path'
import type { RandomSource } from '../random.ts'
import type { Call } from './trace.ts'

/** The contents of files by their paths. */
export type Files = ReadonlyMap<string, Buffer>

type Change = { at: number; bytes: Buffer } | { size: number }
/** `end` is where a write without a place goes. */
type Content = { synced: Buffer; pending: { number: number; change: Change }[]; end: number }
type Naming = { number: number; folder: string; apply: (names: Map<string, Content>) => void }

const sector = 512

const applyAll = (bytes: Buffer, changes: readonly Change[]): Buffer => {
  const size = changes.reduce(
    (most, change) => Math.max(most, 'size' in change ? change.size : change.at + change.bytes.length),
    bytes.length,
  )
  // One buffer for all: the files are read at a thousand points.
  const whole = Buffer.alloc(size)
  bytes.copy(whole)
  let end = bytes.length
  for (const change of changes) {
    if ('size' in change) {
      if (change.size < end) whole.fill(0, change.size, end)
      end = change.size
    } else {
      change.bytes.copy(whole, change.at)
      end = Math.max(end, change.at + change.bytes.length)
    }
  }
  return whole.subarray(0, end)
}

/** A write of which any sectors reach the disk. */
const torn = (change: Change, random: RandomSource): Change[] => {
  if ('size' in change) return [change]
  const parts: Change[] = []
  for (let from = 0; from < change.bytes.length; ) {
    const to = Math.min(change.bytes.length, from + sector - ((change.at + from) % sector))
    if (random.chance(0.5)) parts.push({ at: change.at + from, bytes: change.bytes.subarray(from, to) })
    from = to
  }
  return parts
}

/** What is left of changes that were not synced: none, the first ones, or any of them, whole or torn. */
const left = (pending: readonly Change[], random: RandomSource): Change[] => {
  const how = random.below(4)
  if (how === 0) return []
  if (how === 1) {
    const first = pending.slice(0, random.below(pending.length + 1))
    const last = first.pop()
    return last === undefined ? [] : [...first, ...torn(last, random)]
  }
  return pending.flatMap(change => {
    const fate = random.below(how === 2 ? 2 : 3)
    return fate === 0 ? [] : fate === 1 ? [change] : torn(change, random)
  })
}

/** @param files what is there, and on the disk, before the first call */
export const createDisk = (files: Files) => {
  const contentOf = (bytes: Buffer): Content => ({ synced: bytes, pending: [], end: 0 })
  const names = new Map<string, Content>([...files].map(([path, bytes]) => [path, contentOf(bytes)]))
  const syncedNames = new Map(names)
  let pendingNames: Naming[] = []
  let number = 0

  const name = (path: string, apply: Naming['apply']): void => {
    apply(names)
    pendingNames.push({ number, folder: dirname(path), apply })
  }
  const change = (content: Content, made: Change): void => {
    content.pending.push({ number, change: made })
  }
  const sync = (path: string, since: number): void => {
    const content = names.get(path)
    if (content !== undefined) {
      const done = content.pending.filter(one => one.number < since)
      content.pending = content.pending.filter(one => one.number >= since)
      content.synced = applyAll(
        content.synced,
        done.map(one => one.change),
      )
      return
    }
    for (const { apply } of pendingNames.filter(one => one.folder === path && one.number < since)) apply(syncedNames)
    pendingNames = pendingNames.filter(one => one.folder !== path || one.number >= since)
  }

  return {
    /** Takes the next call of a trace. */
    take: (call: Call): void => {
      switch (call.do) {
        case 'create': {
          const known = names.get(call.path)
          if (known !== undefined) {
            if (call.truncate) change(known, { size: 0 })
            known.end = 0
          } else {
            const made = contentOf(Buffer.alloc(0))
            name(call.path, all => all.set(call.path, made))
          }
          break
        }
        case 'write': {
          // A file without a name is nobody's any more.
          const content = names.get(call.path)
          if (content === undefined) break
          const at = call.at ?? content.end
          change(content, { at, bytes: call.bytes })
          if (call.at === null) content.end = at + call.bytes.length
          break
        }
        case 'truncate': {
          const content = names.get(call.path)
          if (content !== undefined) change(content, { size: call.size })
          break
        }
        case 'copy': {
          const [content, from] = [names.get(call.path), names.get(call.from)]
          if (content === undefined || from === undefined) break
          const bytes = applyAll(
            from.synced,
            from.pending.map(one => one.change),
          ).subarray(content.end, content.end + call.size)
          change(content, { at: content.end, bytes: Buffer.from(bytes) })
          content.end += bytes.length
          break
        }
        case 'sync':
          sync(call.path, call.since)
          break
        case 'rename':
        case 'link': {
          const content = names.get(call.from)
          if (content === undefined) break
          name(call.path, all => {
            all.set(call.path, content)
            if (call.do === 'rename') all.delete(call.from)
          })
          break
        }
        case 'remove':
          if (names.has(call.path)) name(call.path, all => all.delete(call.path))
          break
        case 'answer':
          break
      }
      number += 1
    },
    /** What a power cut now leaves. Names change in their order, each whole or not at all. */
    cut: (random: RandomSource): Map<string, Buffer> => {
      const found = new Map(syncedNames)
      for (const { apply } of pendingNames.slice(0, random.below(pendingNames.length + 1))) apply(found)
      const contents = new Map<Content, Buffer>()
      return new Map(
        [...found].map(([path, content]) => {
          const bytes =
            contents.get(content) ??
            applyAll(
              content.synced,
              left(
                content.pending.map(one => one.change),
                random,
              ),
            )
          contents.set(content, bytes)
          return [path, bytes]
        }),
      )
    },
    /** The files as the program sees them. */
    whole: (): Map<string, Buffer> =>
      new Map(
        [...names].map(([path, { synced, pending }]) => [
          path,
          applyAll(
            synced,
            pending.map(one => one.change),
          ),
        ]),
      ),
  }
}
