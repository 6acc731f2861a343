import type { AlertWatch } from '../alerts/watch/watch.ts'
import { archiveFolder } from '../archive/retention.ts'
import { removeOwnDrafts } from '../database/drafts.ts'
import { saveRescueCopy } from '../database/rescue.ts'
import type { MetricsListener } from '../metrics/listener.ts'
import type { Pool } from '../reports/pool.ts'
import type { Administration } from './administration.ts'
import type { Collection } from './collection.ts'
import type { Messengers } from './mail.ts'
import type { Base } from './storage.ts'

type Running = Messengers & {
  collection: Collection
  administration: Administration
  alerts: AlertWatch
  pool: Pool
  /** Lets running requests finish; no later one is served. */
  endRequests: () => Promise<void>
  timers: { stop: () => void }
  metricsListener: () => MetricsListener | null
}

/** Writes everything in memory: deliveries of the shop, queued records, the ledger. */
const commitAll = ({ db }: Base, { collector, shop }: Collection): void => {
  shop.deliveries.write()
  collector.queue.flush()
  db.transaction(() => collector.ledger.write(db)).immediate()
  collector.ledger.settle()
}

const removeUnfinished = ({ path, config }: Base): void => {
  removeOwnDrafts(archiveFolder(path))
  if (config.backupFolder !== null) removeOwnDrafts(config.backupFolder)
}

/** Finishes pending requests, commits pending records, checkpoints, and unlocks the file. */
export const stopService = async (
  base: Base,
  {
    collection,
    administration,
    alerts,
    mailer,
    alerter,
    tester,
    personal,
    webhook,
    pool,
    endRequests,
    timers,
    metricsListener,
  }: Running,
): Promise<void> => {
  const { db, path, clock, log } = base
  timers.stop()
  await Promise.all([alerts.stop(), mailer.stop(), alerter.stop(), tester.stop(), personal.stop(), webhook.stop()])
  await collection.geoip.stop()
  await collection.shop.jobs.stop()
  await collection.shop.comparison.stop()
  await endRequests()
  await metricsListener()?.close()
  // It goes on where it was when it is started again.
  await collection.importing.importer.close()
  commitAll(base, collection)
  await collection.refresher.stop()
  // What the thread leaves unfinished goes at once, as checking a copy may take longer than the stop.
  const closed = collection.thread.close()
  removeUnfinished(base)
  await closed
  removeUnfinished(base)
  await administration.stop()
  await pool.close()
  if (!base.fileIdentity.isKept()) saveRescueCopy(db, path, clock, log)
  db.pragma('wal_checkpoint(truncate)')
  base.release()
  collection.collector.queue.close()
  db.close()
}
