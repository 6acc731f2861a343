import type { UpsertResult } from '../shop/restore.ts'
import type { ShopStore } from '../shop/store.ts'
import { documentsOf, type JsonDocument } from './documents.ts'
import type { Beside } from './history/prepare.ts'
import { maxDocument, type Source, tooLong } from './source.ts'

export type OrderSummary = Record<UpsertResult['result'], number> & { orders: number }

const groupSize = 500
/** Beside a service, whose hits wait for a group. */
const groupBeside = 50
/** Characters of a group, for memory: orders may be long. */
const groupLength = 16 * 2 ** 20

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
  /** How a running service goes on meanwhile. */
  beside?: Beside
}

/** Stores all orders of a file, in groups. Storing is idempotent, so a stopped import can be repeated. */
export const importOrders = async (
  source: Source,
  { store, report, progress, stopped, beside }: Options,
): Promise<OrderSummary> => {
  const summary: OrderSummary = { orders: 0, stored: 0, unchanged: 0, stale: 0, invalid: 0 }
  let group: { document: unknown; position: number }[] = []
  let length = 0
  let bytesRead = 0

  const reject = (position: number, reason: string): void => {
    summary.invalid += 1
    report(position, reason)
  }

  const write = (): void => {
    store.upsertAll(group.map(({ document }) => document)).forEach(({ result, reason }, index) => {
      if (result === 'invalid') reject(group[index]?.position ?? 0, reason ?? '')
      else summary[result] += 1
    })
    group = []
    length = 0
  }

  const add = async ({ text, position }: JsonDocument): Promise<void> => {
    summary.orders += 1
    if (text === null) return reject(position, `It is ${tooLong(maxDocument)}.`)
    group.push({ document: parse(text), position })
    length += text.length
    if (group.length < (beside === undefined ? groupSize : groupBeside) && length <= groupLength) return
    write()
    await beside?.pause()
  }

  const documents = documentsOf(source, bytes => {
    bytesRead += bytes.length
    progress(bytesRead / source.bytes, summary.orders)
  })
  try {
    for await (const document of documents) {
      await add(document)
      if (stopped()) break
    }
  } finally {
    write()
  }
  return summary
}
