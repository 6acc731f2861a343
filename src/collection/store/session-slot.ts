import type { Session, Wait } from './session.ts'

/** Sessions for which memory is taken at once. */
export const perChunk = 1024
/** Numbers that each has, of 32 bits and of 53; where there may be none, 0 stands for it. */
const wordCount = 17
const numberCount = 5

const waits: readonly (Wait | null)[] = [null, 'opened', 'altered', 'grown', 'hurried']

export type Chunk = { words: Uint32Array; numbers: Float64Array; used: number }

export const makeChunk = (): Chunk => ({
  words: new Uint32Array(perChunk * wordCount),
  numbers: new Float64Array(perChunk * numberCount),
  used: 0,
})

/**
 * One session of the table, until it is let go; a free slot has the id 0. It is a class so that its accessors stand in one
 * place: closures made for each session that is looked at would cost more than what they read.
 */
export class Slot implements Session {
  slot: number
  private words: Uint32Array
  private numbers: Float64Array
  private word: number
  private number: number

  constructor({ words, numbers }: Chunk, slot: number) {
    this.slot = slot
    this.words = words
    this.numbers = numbers
    this.word = (slot % perChunk) * wordCount
    this.number = (slot % perChunk) * numberCount
  }

  /** To the next slot of the same chunk. */
  step(): void {
    this.slot += 1
    this.word += wordCount
    this.number += numberCount
  }

  get id(): number {
    return this.numbers[this.number] ?? 0
  }
  set id(id) {
    this.numbers[this.number] = id
  }
  get visitor_id(): number {
    return this.numbers[this.number + 1] ?? 0
  }
  set visitor_id(id) {
    this.numbers[this.number + 1] = id
  }
  get rekeyed_visitor_id(): number | null {
    return this.numbers[this.number + 2] || null
  }
  set rekeyed_visitor_id(id) {
    this.numbers[this.number + 2] = id ?? 0
  }
  get entry_view_id(): number {
    return this.numbers[this.number + 3] ?? 0
  }
  set entry_view_id(id) {
    this.numbers[this.number + 3] = id
  }
  get exit_view_id(): number {
    return this.numbers[this.number + 4] ?? 0
  }
  set exit_view_id(id) {
    this.numbers[this.number + 4] = id
  }

  get started_at(): number {
    return this.words[this.word] ?? 0
  }
  set started_at(second) {
    this.words[this.word] = second
  }
  get ended_at(): number {
    return this.words[this.word + 1] ?? 0
  }
  set ended_at(second) {
    this.words[this.word + 1] = second
  }
  get seen_at(): number {
    return this.words[this.word + 2] ?? 0
  }
  set seen_at(second) {
    this.words[this.word + 2] = second
  }
  get views(): number {
    return this.words[this.word + 3] ?? 0
  }
  set views(count) {
    this.words[this.word + 3] = count
  }
  get events(): number {
    return this.words[this.word + 4] ?? 0
  }
  set events(count) {
    this.words[this.word + 4] = count
  }
  get entry_page_id(): number {
    return this.words[this.word + 5] ?? 0
  }
  set entry_page_id(id) {
    this.words[this.word + 5] = id
  }
  get exit_page_id(): number {
    return this.words[this.word + 6] ?? 0
  }
  set exit_page_id(id) {
    this.words[this.word + 6] = id
  }
  get origin_id(): number {
    return this.words[this.word + 7] ?? 0
  }
  set origin_id(id) {
    this.words[this.word + 7] = id
  }
  get client_id(): number {
    return this.words[this.word + 8] ?? 0
  }
  set client_id(id) {
    this.words[this.word + 8] = id
  }
  get campaign_id(): number | null {
    return this.words[this.word + 9] || null
  }
  set campaign_id(id) {
    this.words[this.word + 9] = id ?? 0
  }
  get place_id(): number | null {
    return this.words[this.word + 10] || null
  }
  set place_id(id) {
    this.words[this.word + 10] = id ?? 0
  }
  get screen_id(): number | null {
    return this.words[this.word + 11] || null
  }
  set screen_id(id) {
    this.words[this.word + 11] = id ?? 0
  }
  get language_id(): number | null {
    return this.words[this.word + 12] || null
  }
  set language_id(id) {
    this.words[this.word + 12] = id ?? 0
  }
  get timezone_id(): number | null {
    return this.words[this.word + 13] || null
  }
  set timezone_id(id) {
    this.words[this.word + 13] = id ?? 0
  }

  get waits(): Wait | null {
    return waits[this.words[this.word + 14] ?? 0] ?? null
  }
  set waits(wait) {
    this.words[this.word + 14] = waits.indexOf(wait)
  }
  get gone(): boolean {
    return this.words[this.word + 15] === 1
  }
  set gone(gone) {
    this.words[this.word + 15] = gone ? 1 : 0
  }

  /** The slot of the next session in the same list of the table's, counted from 1; 0 for none. */
  get next(): number {
    return this.words[this.word + 16] ?? 0
  }
  set next(slot) {
    this.words[this.word + 16] = slot
  }
}
