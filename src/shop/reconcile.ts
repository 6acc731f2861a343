import type { RunOptions } from './backfill-run.ts'
import { newestChange, storeChanges } from './changes.ts'
import { ShopError } from './errors.ts'
import { findReconcile, setReconcileAfter } from './reconcile-state.ts'

/**
 * Stores what has changed in the shop since the last run, because shops give up on failed webhook deliveries.
 * @throws ShopError, storage errors, and the signal's reason when it is aborted
 */
export const reconcile = async ({
  db,
  client,
  store,
  signal,
}: Pick<RunOptions, 'db' | 'client' | 'store' | 'signal'>): Promise<void> => {
  const { after } = findReconcile(db, client.address)
  if (after === null) throw new ShopError('refused', 'No backfill has run yet; it has to come before a reconcile.')
  // Requested first, so that later changes are read again by the next run.
  const { since } = await newestChange(client, signal)
  await storeChanges(client, store, after, signal)
  signal.throwIfAborted()
  setReconcileAfter(db, client.address, since > after ? since : after)
}
