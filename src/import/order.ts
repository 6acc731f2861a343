import { createHash } from 'node:crypto'
import type { Format } from './line.ts'
import { linesOf, type Source } from './source.ts'

/** A recording's number of lines, first second, first line out of order, and the hash that identifies its content. */
export type Order = { fingerprint: string; lines: number; first: number | null; outOfOrder: number | null }

/** Reads only the times, before anything is imported: a recording out of order is refused as a whole. */
export const checkOrder = async (source: Source, { timeOf, disorder }: Format): Promise<Order> => {
  const hash = createHash('sha256')
  const order: Order = { fingerprint: '', lines: 0, first: null, outOfOrder: null }
  let newest = 0
  for await (const text of linesOf(source, bytes => hash.update(bytes))) {
    order.lines += 1
    const second = timeOf(text)
    if (second === null) continue
    order.first ??= second
    if (second < newest - disorder) order.outOfOrder ??= order.lines
    newest = Math.max(newest, second)
  }
  return { ...order, fingerprint: hash.digest('hex') }
}

/** The lines sorted by time, in memory; those without a time stay behind the line before them. */
export const sortLines = async (lines: AsyncIterable<string>, { timeOf }: Format): Promise<string[]> => {
  const timed: { text: string; second: number }[] = []
  for await (const text of lines) timed.push({ text, second: timeOf(text) ?? timed.at(-1)?.second ?? 0 })
  return timed.sort((a, b) => a.second - b.second).map(({ text }) => text)
}
