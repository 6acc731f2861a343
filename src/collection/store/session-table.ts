import { currentVisitor, type NewSession, type Session } from './session.ts'
import { makeChunk, perChunk, Slot, type Chunk } from './session-slot.ts'

/**
 * Sessions by their visitors, in arrays of numbers: 108 bytes each, some 8 more to be found, and nothing that the garbage
 * collector has to look at. As objects they took twice as much, and each was copied twice before it was old.
 */
export type SessionTable = {
  add: (session: NewSession, id: number) => Session
  /** The session in a slot: one that was let go waits for nothing, and later it may be another one. */
  at: (slot: number) => Session
  of: (visitor: number) => readonly Session[]
  /** Changes which visitor a session belongs to. */
  move: (session: Session, change: () => void) => void
  /** Takes a session from its visitor: nothing finds it any more. */
  leave: (session: Session) => void
  /** Lets go of a session that was taken from its visitor; its slot is given to another one. */
  remove: (session: Session) => void
  /** Calls with each session: with an object that moves on, to be looked at during the call only. */
  each: (work: (session: Session) => void) => void
  /** Gives memory back that no session needs any more. */
  trim: () => void
  clear: () => void
}

/** Lists that there are at least. */
const fewest = 1024

const nowhere = { words: new Uint32Array(0), numbers: new Float64Array(0), used: 0 }
const none: readonly Session[] = []

export const createSessionTable = (): SessionTable => {
  let chunks: (Chunk | null)[] = []
  let free: number[] = []
  let count = 0
  /**
   * Where lists begin, by the remainder of the visitor's number: slots, counted from 1, each of which names the next. As
   * visitors are numbered in a row, a list seldom has the sessions of two.
   */
  let lists = new Uint32Array(fewest)

  const chunkOf = (slot: number): Chunk => chunks[Math.floor(slot / perChunk)] ?? nowhere

  const at = (slot: number): Slot => new Slot(chunkOf(slot), slot)

  const listOf = (session: Session): number => currentVisitor(session) % lists.length

  const keep = (session: Slot): void => {
    const list = listOf(session)
    session.next = lists[list] ?? 0
    lists[list] = session.slot + 1
  }

  const unlink = (session: Session): void => {
    const list = listOf(session)
    let before: Slot | null = null
    for (let one = lists[list] ?? 0; one > 0; one = before.next) {
      const found = at(one - 1)
      if (found.slot === session.slot) {
        if (before === null) lists[list] = found.next
        else before.next = found.next
        return
      }
      before = found
    }
  }

  const each = (work: (session: Slot) => void): void => {
    for (const [index, chunk] of chunks.entries()) {
      if (chunk === null) continue
      const session = new Slot(chunk, index * perChunk)
      for (let n = 0; n < perChunk; n++) {
        if (session.id !== 0) work(session)
        session.step()
      }
    }
  }

  const makeLists = (length: number): void => {
    lists = new Uint32Array(length)
    each(session => {
      if (!session.gone) keep(session)
    })
  }

  /** Takes memory for more; a gap that trimming has left is filled first. */
  const grow = (): void => {
    const gap = chunks.indexOf(null)
    const index = gap === -1 ? chunks.length : gap
    chunks[index] = makeChunk()
    for (let slot = (index + 1) * perChunk - 1; slot >= index * perChunk; slot--) free.push(slot)
  }

  return {
    at,
    of: visitor => {
      let found = none
      for (let one = lists[visitor % lists.length] ?? 0; one > 0; ) {
        const session = at(one - 1)
        if (currentVisitor(session) === visitor) found = found.length === 0 ? [session] : [...found, session]
        one = session.next
      }
      return found
    },
    move: (session, change) => {
      unlink(session)
      change()
      keep(at(session.slot))
    },
    leave: session => {
      unlink(session)
      session.gone = true
    },
    add: (given, id) => {
      if (free.length === 0) grow()
      const slot = free.pop() ?? 0
      const chunk = chunkOf(slot)
      chunk.used += 1
      const session = new Slot(chunk, slot)
      session.id = id
      session.visitor_id = given.visitor_id
      session.rekeyed_visitor_id = given.rekeyed_visitor_id
      session.entry_view_id = given.entry_view_id
      session.exit_view_id = given.exit_view_id
      session.started_at = given.started_at
      session.ended_at = given.ended_at
      session.seen_at = given.seen_at
      session.views = given.views
      session.events = given.events
      session.entry_page_id = given.entry_page_id
      session.exit_page_id = given.exit_page_id
      session.origin_id = given.origin_id
      session.client_id = given.client_id
      session.campaign_id = given.campaign_id
      session.place_id = given.place_id
      session.screen_id = given.screen_id
      session.language_id = given.language_id
      session.timezone_id = given.timezone_id
      session.waits = null
      session.gone = false
      count += 1
      if (count > lists.length) makeLists(lists.length * 2)
      else keep(session)
      return session
    },
    remove: session => {
      session.id = 0
      count -= 1
      chunkOf(session.slot).used -= 1
      free.push(session.slot)
    },
    each,
    trim: () => {
      free = free.filter(slot => chunkOf(slot).used > 0)
      chunks = chunks.map(chunk => (chunk?.used === 0 ? null : chunk))
      if (lists.length > fewest && count < lists.length / 4) makeLists(lists.length / 2)
    },
    clear: () => {
      chunks = []
      free = []
      count = 0
      lists = new Uint32Array(fewest)
    },
  }
}
