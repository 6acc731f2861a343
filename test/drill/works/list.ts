import { archiveWork } from './archive.ts'
import { backfillWork } from './backfill.ts'
import { importWork } from './import.ts'
import { migrationWork } from './migration.ts'
import { fallbackPlacesWork, licensedPlacesWork } from './places.ts'
import { rebuildWork } from './rebuild.ts'
import { restoreWork } from './restore.ts'
import { retentionWork } from './retention.ts'
import type { Work } from './work.ts'

/** Long work that a kill may interrupt, one row a kind. */
export const works: readonly Work[] = [
  importWork,
  backfillWork,
  rebuildWork,
  retentionWork,
  archiveWork,
  restoreWork,
  migrationWork,
  fallbackPlacesWork,
  licensedPlacesWork,
]
