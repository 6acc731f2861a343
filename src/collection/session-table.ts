import { currentVisitor, type NewSession, type Session, type Wait } from './session.ts'

/**
 * Sessions by their visitors, in arrays of numbers: 104 bytes each, and nothing that the garbage collector has to look
 * at. As objects they took twice as much, and each was copied twice before it was old.
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

/** Sessions for which memory is taken at once. */
const perChunk = 1024
/** Numbers that each has, of 32 bits and of 53; where there may be none, 0 stands for it. */
const wordCount = 16
const numberCount = 5

const waits: readonly (Wait | null)[] = [null, 'opened', 'altered', 'grown', 'hurried']

type Chunk = { words: Uint32Array, numbers: Float64Array, used: number }

const makeChunk = (): Chunk => ({ words: new Uint32Array(perChunk * wordCount), numbers: new Float64Array(perChunk * numberCount), used: 0 })

/**
 * One session of the table, until it is let go; a free slot has the id 0. It is a class so that its accessors stand in one
 * place: closures made for each session that is looked at would cost more than what they read.
 */
class Slot implements Session {
  slot: number
  private words: Uint32Array
  private numbers: Float64Array
  private word: number
  private number: number

  constructor({ words, numbers }: Chunk, slot: number) {
    this.slot = slot
    this.words = words
    this.numbers = numbers
    this.word = slot % perChunk * wordCount
    this.number = slot % perChunk * numberCount
  }

  /** To the next slot of the same chunk. */
  step(): void {
    this.slot += 1
    this.word += wordCount
    this.number += numberCount
  }

  get id(): number { return this.numbers[this.number] ?? 0 }
  set id(id) { this.numbers[this.number] = id }
  get visitor_id(): number { return this.numbers[this.number + 1] ?? 0 }
  set visitor_id(id) { this.numbers[this.number + 1] = id }
  get rekeyed_visitor_id(): number | null { return this.numbers[this.number + 2] || null }
  set rekeyed_visitor_id(id) { this.numbers[this.number + 2] = id ?? 0 }
  get entry_view_id(): number { return this.numbers[this.number + 3] ?? 0 }
  set entry_view_id(id) { this.numbers[this.number + 3] = id }
  get exit_view_id(): number { return this.numbers[this.number + 4] ?? 0 }
  set exit_view_id(id) { this.numbers[this.number + 4] = id }

  get started_at(): number { return this.words[this.word] ?? 0 }
  set started_at(second) { this.words[this.word] = second }
  get ended_at(): number { return this.words[this.word + 1] ?? 0 }
  set ended_at(second) { this.words[this.word + 1] = second }
  get seen_at(): number { return this.words[this.word + 2] ?? 0 }
  set seen_at(second) { this.words[this.word + 2] = second }
  get views(): number { return this.words[this.word + 3] ?? 0 }
  set views(count) { this.words[this.word + 3] = count }
  get events(): number { return this.words[this.word + 4] ?? 0 }
  set events(count) { this.words[this.word + 4] = count }
  get entry_page_id(): number { return this.words[this.word + 5] ?? 0 }
  set entry_page_id(id) { this.words[this.word + 5] = id }
  get exit_page_id(): number { return this.words[this.word + 6] ?? 0 }
  set exit_page_id(id) { this.words[this.word + 6] = id }
  get origin_id(): number { return this.words[this.word + 7] ?? 0 }
  set origin_id(id) { this.words[this.word + 7] = id }
  get client_id(): number { return this.words[this.word + 8] ?? 0 }
  set client_id(id) { this.words[this.word + 8] = id }
  get campaign_id(): number | null { return this.words[this.word + 9] || null }
  set campaign_id(id) { this.words[this.word + 9] = id ?? 0 }
  get place_id(): number | null { return this.words[this.word + 10] || null }
  set place_id(id) { this.words[this.word + 10] = id ?? 0 }
  get screen_id(): number | null { return this.words[this.word + 11] || null }
  set screen_id(id) { this.words[this.word + 11] = id ?? 0 }
  get language_id(): number | null { return this.words[this.word + 12] || null }
  set language_id(id) { this.words[this.word + 12] = id ?? 0 }
  get timezone_id(): number | null { return this.words[this.word + 13] || null }
  set timezone_id(id) { this.words[this.word + 13] = id ?? 0 }

  get waits(): Wait | null { return waits[this.words[this.word + 14] ?? 0] ?? null }
  set waits(wait) { this.words[this.word + 14] = waits.indexOf(wait) }
  get gone(): boolean { return this.words[this.word + 15] === 1 }
  set gone(gone) { this.words[this.word + 15] = gone ? 1 : 0 }
}

const nowhere = { words: new Uint32Array(0), numbers: new Float64Array(0), used: 0 }

export const createSessionTable = (): SessionTable => {
  let chunks: (Chunk | null)[] = []
  let free: number[] = []
  /** The slots of each visitor's sessions; nearly every one has one. */
  const byVisitor = new Map<number, number | readonly number[]>()

  const chunkOf = (slot: number): Chunk => chunks[Math.floor(slot / perChunk)] ?? nowhere

  const at = (slot: number): Session => new Slot(chunkOf(slot), slot)

  const keep = (session: Session): void => {
    const visitor = currentVisitor(session)
    const slots = byVisitor.get(visitor)
    byVisitor.set(visitor, slots === undefined ? session.slot : [slots, session.slot].flat())
  }

  const leave = (session: Session): void => {
    const visitor = currentVisitor(session)
    const slots = byVisitor.get(visitor)
    if (typeof slots === 'object' && slots.length > 1) byVisitor.set(visitor, slots.filter(slot => slot !== session.slot))
    else byVisitor.delete(visitor)
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
      const slots = byVisitor.get(visitor)
      return slots === undefined ? [] : typeof slots === 'number' ? [at(slots)] : slots.map(at)
    },
    move: (session, change) => {
      leave(session)
      change()
      keep(session)
    },
    leave,
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
      keep(session)
      return session
    },
    remove: session => {
      session.id = 0
      chunkOf(session.slot).used -= 1
      free.push(session.slot)
    },
    each: work => {
      for (const [index, chunk] of chunks.entries()) {
        if (chunk === null) continue
        const session = new Slot(chunk, index * perChunk)
        for (let n = 0; n < perChunk; n++) {
          if (session.id !== 0) work(session)
          session.step()
        }
      }
    },
    trim: () => {
      free = free.filter(slot => chunkOf(slot).used > 0)
      chunks = chunks.map(chunk => chunk?.used === 0 ? null : chunk)
    },
    clear: () => {
      chunks = []
      free = []
      byVisitor.clear()
    },
  }
}
