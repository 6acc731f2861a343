// The job of alerts without the service, for `cron`.
import { createAlertWatch } from '../alerts/watch/watch.ts'
import { readOptions } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import { toSeconds, type Zone } from '../lib/time.ts'
import { noteMail } from '../mail/state.ts'
import { openForReports } from '../reports/periods.ts'
import type { Call } from './command.ts'
import { addressesOf, mailerOf } from './digest-sending.ts'
import { reportContext } from './reports.ts'

export const runAlerts = async (
  { flags, env, clock }: Pick<Call, 'flags' | 'env' | 'clock'>,
  db: Db,
  zone: Zone,
): Promise<string> => {
  const config = readOptions(
    ['lang', 'siteUrl', 'publicUrl', 'mailTo', 'mailFrom', 'mailCommand', 'alertCommand'],
    flags,
    env,
  )
  const now = (): number => toSeconds(clock())
  const reports = openForReports(db.name)
  try {
    return await createAlertWatch({
      db,
      context: reportContext(reports, zone, clock),
      now,
      config,
      mailer: mailerOf({ env, clock }, config, { onResult: error => noteMail(db, now(), error) }),
      env,
      ...addressesOf(db, config),
    }).run()
  } finally {
    reports.close()
  }
}
