import { appPassword } from './app-password.ts'
import { annotate } from './annotate.ts'
import { audit } from './audit.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { check } from './check.ts'
import type { Entry } from './command.ts'
import { ask } from './ask.ts'
import { connect } from './connect.ts'
import { cron } from './cron.ts'
import { demo } from './demo.ts'
import { diagnostics } from './diagnostics.ts'
import { digest } from './digest.ts'
import { exportCommand } from './export.ts'
import { forget } from './forget.ts'
import { funnel } from './funnel.ts'
import { goal } from './goal.ts'
import { importCommand } from './import.ts'
import { mcp } from './mcp.ts'
import { privacyAudit } from './privacy-audit.ts'
import { rebuild } from './rebuild.ts'
import { report } from './report.ts'
import { selfTestCommand } from './self-test.ts'
import { serve } from './serve.ts'
import { settings } from './settings.ts'
import { shareLink } from './share-link.ts'
import { shop } from './shop.ts'
import { tail } from './tail.ts'
import { user } from './user.ts'
import { wordpressPlugin } from './wordpress-plugin.ts'
import { version } from './version.ts'

/** All commands, in the order of --help. */
export const commands: readonly Entry[] = [
  serve,
  importCommand,
  exportCommand,
  rebuild,
  cron,
  report,
  ask,
  mcp,
  digest,
  annotate,
  tail,
  shop,
  backupCommand,
  restoreCommand,
  settings,
  forget,
  audit,
  diagnostics,
  check,
  selfTestCommand,
  privacyAudit,
  user,
  appPassword,
  goal,
  funnel,
  shareLink,
  connect,
  wordpressPlugin,
  demo,
  version,
]
