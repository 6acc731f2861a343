import { appPassword } from './app-password.ts'
import type { Entry } from './command.ts'
import { cron } from './cron.ts'
import { importCommand } from './import.ts'
import { rebuild } from './rebuild.ts'
import { report } from './report.ts'
import { serve } from './serve.ts'
import { shop } from './shop.ts'
import { tail } from './tail.ts'
import { user } from './user.ts'
import { version } from './version.ts'

/** Every command, in the order in which --help lists them. */
export const commands: readonly Entry[] = [serve, importCommand, rebuild, cron, report, tail, shop, user, appPassword, version]
