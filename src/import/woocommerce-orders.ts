import type { UpsertResult } from '../shop/restore.ts'
import type { ShopStore } from '../shop/store.ts'
import { documentsOf, type JsonDocument } from './documents.ts'
import type { Source } from './source.ts'

export type OrderSummary = Record<UpsertResult['result'], number> & { orders: number }

const groupSize = 500

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Options = {
  store: ShopStore
  report: (position: number, reason: string) => void
  /** The share of the file that has been read. */
  progress: (share: number, orders: number) => void
  stopped: () => boolean
}

/** Stores all orders of a file, in groups. Storing is idempotent, so a stopped import can be repeated. */
export const importOrders = async (
  source: Source,
  { store, report, progress, stopped }: Options,
): Promise<OrderSummary> => {
  const summary: OrderSummary = { orders: 0, stored: 0, unchanged: 0, stale: 0, invalid: 0 }
  let group: JsonDocument[] = []
  let bytesRead = 0

  const write = (): void => {
    store.upsertAll(group.map(({ text }) => parse(text))).forEach(({ result, reason }, index) => {
      summary.orders += 1
      summary[result] += 1
      if (result === 'invalid') report(group[index]?.position ?? 0, reason ?? '')
    })
    group = []
    progress(source.bytes === 0 ? 1 : bytesRead / source.bytes, summary.orders)
  }

  try {
    for await (const document of documentsOf(source, bytes => {
      bytesRead += bytes.byteLength
    })) {
      group.push(document)
      if (group.length === groupSize) write()
      if (stopped()) break
    }
  } finally {
    write()
  }
  return summary
}
