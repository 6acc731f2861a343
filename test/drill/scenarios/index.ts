import { archiveScenario } from './archive.ts'
import { backfillScenario } from './backfill.ts'
import { backupScenario } from './backup.ts'
import { fallbackGeoipScenario, licensedGeoipScenario } from './geoip.ts'
import { importScenario } from './import.ts'
import { baseMigrationScenario, migrationScenario } from './migration.ts'
import { rebuildScenario } from './rebuild.ts'
import { restoreScenario } from './restore.ts'
import { retentionScenario } from './retention.ts'
import type { Scenario } from './scenario.ts'

/** Those that are commands: a kill may interrupt them at any time, and a power cut at any write. */
export const commandScenarios: readonly Scenario[] = [
  importScenario,
  rebuildScenario,
  retentionScenario,
  archiveScenario,
  backupScenario,
  restoreScenario,
  migrationScenario,
  baseMigrationScenario,
]

/** Long-running operations that a kill may interrupt. */
export const scenarios: readonly Scenario[] = [
  ...commandScenarios,
  backfillScenario,
  fallbackGeoipScenario,
  licensedGeoipScenario,
]
