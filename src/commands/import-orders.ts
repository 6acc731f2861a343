import { siteHosts } from '../config/config.ts'
import { readSources } from '../config/rule-files.ts'
import { createProgress } from '../import/progress.ts'
import { isZlib, type Source } from '../import/source.ts'
import { importOrders, type OrderSummary } from '../import/woocommerce-orders.ts'
import { ExpectedError } from '../lib/errors.ts'
import { countedStatuses } from '../shop/basis.ts'
import { createShopStore } from '../shop/store.ts'
import type { Call } from './command.ts'
import { noteCommand, optionsWith } from './database.ts'
import type { Place } from './import-beside.ts'
import { watchStopSignal } from './stop.ts'

const rows: readonly [key: keyof OrderSummary, label: string][] = [
  ['orders', 'orders'],
  ['stored', 'stored'],
  ['unchanged', 'unchanged'],
  ['stale', 'older than the stored version'],
  ['invalid', 'invalid'],
]

const describe = (summary: OrderSummary, seconds: number): string[] => [
  ...rows
    .filter(([key]) => summary[key] > 0 || key === 'orders')
    .map(([key, label]) => `${summary[key].toLocaleString('en').padStart(12)}  ${label}`),
  `${seconds.toFixed(1).padStart(12)}  seconds`,
]

/** Runs `import --format woocommerce-orders`. Returns the exit code, 1 if it was stopped or an order was invalid. */
export const runOrderImport = async (call: Call, source: Source, { db, zone, beside }: Place): Promise<number> => {
  const { clock, print, warn } = call
  const config = optionsWith(call, db, ['siteUrl', 'allowedHosts', 'keepQuery', 'sources', 'orderStatuses'])
  const store = createShopStore({
    db,
    zone,
    // Those by which the service counts, if one runs.
    paidStatuses: (beside === null ? null : countedStatuses(db)) ?? config.orderStatuses,
    siteHosts: siteHosts(config),
    keepQuery: config.keepQuery,
    corrections: readSources(config.sources),
  })
  if (beside === null) store.adopt()
  const isStopped = watchStopSignal(warn)
  const started = clock()
  const progress = createProgress(process.stderr, 'Importing orders', clock)
  const summary = await importOrders(source, {
    store,
    report: (place, reason) => {
      progress.clear()
      warn(`Order ${place}: ${reason}`)
    },
    progress: progress.show,
    stopped: isStopped,
    ...(beside !== null && { beside }),
  }).catch((error: unknown) => {
    if (isZlib(error)) throw new ExpectedError(`The file is cut off or damaged (${error.message}).`)
    throw error
  })
  progress.clear()
  // Attributes purchases that were imported before their orders; a service does so itself.
  while (beside === null && store.attribute() > 0);
  if (summary.stored > 0) noteCommand(call, db, 'import_done', { format: 'woocommerce-orders' })
  for (const line of describe(summary, (clock() - started) / 1000)) print(line)
  if (isStopped()) warn('Stopped. Run the same import again to resume: orders already stored are skipped.')
  return isStopped() || summary.invalid > 0 ? 1 : 0
}
