import { alerts } from './commands/alerts.ts'
import { annotate } from './commands/annotate.ts'
import { appPassword } from './commands/app-password.ts'
import { ask } from './commands/ask.ts'
import { audit } from './commands/audit.ts'
import { backupCommand, restoreCommand } from './commands/backup.ts'
import { bots } from './commands/bots.ts'
import { check } from './commands/check.ts'
import type { Entry } from './commands/command.ts'
import { connect } from './commands/connect.ts'
import { cron } from './commands/cron.ts'
import { demo } from './commands/demo.ts'
import { diagnostics } from './commands/diagnostics.ts'
import { digest } from './commands/digest.ts'
import { exportCommand } from './commands/export.ts'
import { forget } from './commands/forget.ts'
import { funnel } from './commands/funnel.ts'
import { goal } from './commands/goal.ts'
import { health } from './commands/health.ts'
import { importCommand } from './commands/import.ts'
import { pagePatterns } from './commands/page-patterns.ts'
import { privacyAudit } from './commands/privacy-audit.ts'
import { rebuild } from './commands/rebuild.ts'
import { report } from './commands/report.ts'
import { rules } from './commands/rules.ts'
import { selfTestCommand } from './commands/self-test.ts'
import { serve } from './commands/serve.ts'
import { settings } from './commands/settings.ts'
import { shareLink } from './commands/share-link.ts'
import { shop } from './commands/shop.ts'
import { sites } from './commands/sites.ts'
import { tail } from './commands/tail.ts'
import { user } from './commands/user.ts'
import { version } from './commands/version.ts'
import { wordpressPlugin } from './commands/wordpress-plugin.ts'
import { mcp } from './mcp/command.ts'

/** All commands, in the order of --help. */
export const commands: readonly Entry[] = [
  serve,
  importCommand,
  exportCommand,
  rebuild,
  cron,
  report,
  sites,
  ask,
  mcp,
  digest,
  annotate,
  alerts,
  tail,
  shop,
  backupCommand,
  restoreCommand,
  settings,
  pagePatterns,
  bots,
  rules,
  forget,
  audit,
  diagnostics,
  check,
  health,
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
