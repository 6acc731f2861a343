import { archiveScenario } from './archive.ts'
import { backfillScenario } from './backfill.ts'
import { fallbackGeoipScenario, licensedGeoipScenario } from './geoip.ts'
import { importScenario } from './import.ts'
import { baseMigrationScenario, migrationScenario } from './migration.ts'
import { rebuildScenario } from './rebuild.ts'
import { restoreScenario } from './restore.ts'
import { retentionScenario } from './retention.ts'
import type { Scenario } from './scenario.ts'

/** Long-running operations that a kill may interrupt. */
export const scenarios: readonly Scenario[] = [
  importScenario,
  backfillScenario,
  rebuildScenario,
  retentionScenario,
  archiveScenario,
  restoreScenario,
  migrationScenario,
  baseMigrationScenario,
  fallbackGeoipScenario,
  licensedGeoipScenario,
]
