// What an import of recorded requests or an access log has done, for the terminal.
import type { Summary } from '../import/run.ts'

type Duration = { importing: number; rebuilding: number }

export const formatted = (count: number): string => count.toLocaleString('en')
const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

const maxReasons = 24

/** What was skipped, most frequent first: endings of paths, methods, statuses. */
const skippedLines = (reasons: ReadonlyMap<string, number>): string[] => {
  const sorted = [...reasons].sort(([, one], [, other]) => other - one)
  const shown = sorted.slice(0, maxReasons).map(([reason, count]) => `${formatted(count)} ${reason}`)
  const rest = sumOf(new Map(sorted.slice(maxReasons)))
  if (shown.length === 0) return []
  return [
    `Skipped: ${[...shown, ...(rest > 0 ? [`${formatted(rest)} others`] : [])].join(', ')}. To count some of these paths, ` +
      'name them with --page-pattern.',
  ]
}

/** The rows of the summary. */
export const describeSummary = (summary: Summary, days: number, { importing, rebuilding }: Duration): string[] => {
  const { lines, skipped, passedOver, taken, left, outcomes, invalid } = summary
  const done = lines - skipped
  const rows: [string, number][] = [
    ['lines', done],
    ...outcomes,
    ['skipped (no page view)', sumOf(passedOver)],
    ['imported before', taken],
    ['left for later', left],
    ['invalid', invalid],
    ['days rebuilt', days],
  ]
  const pace = formatted(Math.round(done / Math.max(importing, 0.001)))
  return [
    ...rows
      .filter(([name, count]) => count > 0 || name === 'lines')
      .map(([name, count]) => `${formatted(count).padStart(12)}  ${name}`),
    ...skippedLines(passedOver),
    `${importing.toFixed(1).padStart(12)}  seconds (${pace} lines per second), ` +
      `and ${rebuilding.toFixed(1)} to rebuild the days`,
  ]
}

/** What to do about a reason for which everything was refused. */
const remedies: Readonly<Record<string, string>> = {
  foreign_host: 'Their host is not one of the site: name it with --site-url or --allowed-hosts.',
  bot: 'Their user agents are those of bots, or empty.',
  excluded_ip: 'Their addresses are in the setting excluded_ips.',
  dnt: 'Their browsers ask not to be tracked, and the setting respect_dnt is on.',
  gpc: 'Their browsers ask not to be tracked, and the setting respect_gpc is on.',
  rule: "A rule of 'footfall rules' refuses them.",
  off: 'The setting tracking_enabled is off.',
  no_consent: 'The setting consent_mode asks for consent, which no recording of a server has.',
}

/** Why an import has counted nothing, if all that could be counted was refused for one reason; else null. */
export const whyNothing = ({ outcomes, taken, left, skipped, invalid }: Summary): string | null => {
  const [[reason, count] = ['', 0], ...others] = [...outcomes]
  if (reason === '' || reason === 'accepted' || reason === 'repeated' || others.length > 0) return null
  if (taken + left + skipped + invalid > 0) return null
  return `Nothing was counted: all ${formatted(count)} requests were refused as ${reason}. ${remedies[reason] ?? ''}`.trim()
}
