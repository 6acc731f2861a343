import { timeText } from '../../lib/time.ts'
import { heldTooLong } from '../diagnostics/rules/operation.ts'
import { say } from '../sentences.ts'
import { type Check, critical, warning } from './verdict.ts'

const day = 86_400
/** Days; a longer retention is a warning. */
const maxRetentionDays = 760
const purgeTolerance = 2 * day

/** Checks the setting that honours a privacy signal of the browser. */
const signalCheck = (id: string, name: string, setting: 'respect_dnt' | 'respect_gpc', header: string): Check => [
  id,
  say('signal_label', { name }),
  ({ content: { settings } }) => ({
    problem: critical(!settings[setting]),
    wrong: say('signal_wrong', { header, setting }),
    right: say('signal_right', { header }),
    evidence: `${setting} = ${settings[setting]}`,
  }),
]

/** Checks of the settings and the tables. */
export const contentChecks: readonly Check[] = [
  [
    'consent_mode',
    say('consent_mode_label'),
    ({ content: { settings } }) => ({
      problem: warning(settings.consent_mode === 'full'),
      wrong: say('consent_mode_full'),
      right: say('consent_mode_right'),
      evidence: `consent_mode = ${settings.consent_mode}`,
    }),
  ],
  signalCheck('dnt', 'Do Not Track', 'respect_dnt', 'DNT'),
  signalCheck('gpc', 'Global Privacy Control', 'respect_gpc', 'Sec-GPC'),
  [
    'retention',
    say('retention_label'),
    ({ content: { settings } }) => {
      const { retention_mode: mode, retention_days: days } = settings
      const kept = say('retention_days', { days })
      return {
        problem: mode === 'forever' ? 'critical' : warning(days > maxRetentionDays),
        wrong: mode === 'forever' ? say('retention_forever') : kept,
        right: kept,
        evidence: `retention_mode = ${mode}, retention_days = ${days}`,
      }
    },
  ],
  [
    'purge',
    say('purge_label'),
    ({ now, content: { oldestSession, logHeldSince, settings } }) => {
      const age = oldestSession === null ? 0 : now - oldestSession
      const isLate = settings.retention_mode !== 'forever' && age > settings.retention_days * day + purgeTolerance
      const since = heldTooLong(logHeldSince, now)
      const heldSince = since === null ? null : timeText(since)
      return {
        problem: critical(isLate || heldSince !== null),
        wrong: isLate || heldSince === null ? say('purge_wrong') : say('log_held', { at: heldSince }),
        right: say('purge_right'),
        evidence:
          `the oldest visit is ${Math.floor(age / day)} days old; ` +
          `still in the log: ${heldSince === null ? 'nothing' : `what was erased since ${heldSince}`}`,
      }
    },
  ],
]
