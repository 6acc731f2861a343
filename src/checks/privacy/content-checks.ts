import { critical, warning, type Check } from './verdict.ts'

const day = 86_400
/** Days; a longer retention is a warning. */
const maxRetentionDays = 760
const purgeTolerance = 2 * day

/** Checks the setting that honours a privacy signal of the browser. */
const signalCheck = (id: string, name: string, setting: 'respect_dnt' | 'respect_gpc', header: string): Check => [
  id,
  `${name} is honoured`,
  ({ content: { settings } }) => ({
    problem: critical(!settings[setting]),
    wrong: `Visitors who send ${header}: 1 are still counted. Change it with 'footfall settings set ${setting}=true'.`,
    right: `Visitors who send ${header}: 1 are not counted.`,
    evidence: `${setting} = ${settings[setting]}`,
  }),
]

/** Checks of the settings and the tables. */
export const contentChecks: readonly Check[] = [
  [
    'consent_mode',
    'Nobody is recognized on a later day without consent',
    ({ content: { settings } }) => ({
      problem: warning(settings.consent_mode === 'full'),
      wrong: 'Visitors who agree are recognized on later days: the site needs a consent banner.',
      right: 'Visitors are told apart within one day only.',
      evidence: `consent_mode = ${settings.consent_mode}`,
    }),
  ],
  signalCheck('dnt', 'Do Not Track', 'respect_dnt', 'DNT'),
  signalCheck('gpc', 'Global Privacy Control', 'respect_gpc', 'Sec-GPC'),
  [
    'retention',
    'Single visits are kept for a limited time',
    ({ content: { settings } }) => {
      const { retention_mode: mode, retention_days: days } = settings
      const kept = `Single visits are kept for ${days} days.`
      return {
        problem: mode === 'forever' ? 'critical' : warning(days > maxRetentionDays),
        wrong:
          mode === 'forever'
            ? "Single visits are kept forever. Change it with 'footfall settings set retention_mode=delete'."
            : kept,
        right: kept,
        evidence: `retention_mode = ${mode}, retention_days = ${days}`,
      }
    },
  ],
  [
    'purge',
    'Single visits are deleted on time',
    ({ now, content: { oldestSession, settings } }) => {
      const age = oldestSession === null ? 0 : now - oldestSession
      return {
        problem: critical(
          settings.retention_mode !== 'forever' && age > settings.retention_days * day + purgeTolerance,
        ),
        wrong:
          "Some visits are older than the retention allows. 'footfall diagnostics' shows why the job does not run.",
        right: 'No visit is older than the retention allows.',
        evidence: `the oldest visit is ${Math.floor(age / day)} days old`,
      }
    },
  ],
]
