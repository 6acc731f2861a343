import type { UpsertResult } from '../shop/restore.ts'
import type { ShopStore } from '../shop/store.ts'
import { documentsOf, type Found } from './documents.ts'
import type { Source } from './source.ts'

export type OrderSummary = Record<UpsertResult['result'], number> & { orders: number }

const atOnce = 500

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Options = {
  store: ShopStore
  report: (place: number, reason: string) => void
  /** The share of the file that has been read. */
  progress: (share: number, orders: number) => void
  stopped: () => boolean
}

/** Stores all orders of a file, in groups. Told twice they change nothing, so an import that was stopped is simply run again. */
export const importOrders = async (
  source: Source,
  { store, report, progress, stopped }: Options,
): Promise<OrderSummary> => {
  const summary: OrderSummary = { orders: 0, stored: 0, unchanged: 0, stale: 0, invalid: 0 }
  let waiting: Found[] = []
  let read = 0

  const write = (): void => {
    store.upsertAll(waiting.map(({ text }) => parse(text))).forEach(({ result, reason }, index) => {
      summary.orders += 1
      summary[result] += 1
      if (result === 'invalid') report(waiting[index]?.place ?? 0, reason ?? '')
    })
    waiting = []
    progress(source.bytes === 0 ? 1 : read / source.bytes, summary.orders)
  }

  try {
    for await (const found of documentsOf(source, bytes => {
      read += bytes.byteLength
    })) {
      waiting.push(found)
      if (waiting.length === atOnce) write()
      if (stopped()) break
    }
  } finally {
    write()
  }
  return summary
}
