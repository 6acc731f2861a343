import type { RunOptions } from './backfill-run.ts'
import { newestChange, storeChanges } from './changes.ts'
import { ShopError } from './errors.ts'
import { findReconcile, setReconcileAfter } from './reconcile-state.ts'

/**
 * Stores what was changed in the shop since the last time, as shops give failed deliveries of webhooks up.
 * @throws ShopError, errors of the storage, and the signal's reason when that is aborted
 */
export const reconcile = async ({
  db,
  client,
  store,
  signal,
}: Pick<RunOptions, 'db' | 'client' | 'store' | 'signal'>): Promise<void> => {
  const { after } = findReconcile(db, client.address)
  if (after === null) throw new ShopError('refused', 'There was no backfill yet, which comes before a reconcile.')
  // Asked before, so that what changes meanwhile is read again the next time.
  const { since } = await newestChange(client, signal)
  await storeChanges(client, store, after, signal)
  signal.throwIfAborted()
  // biome-ignore lint/complexity/useMathMinMax: they are texts
  setReconcileAfter(db, client.address, since > after ? since : after)
}
