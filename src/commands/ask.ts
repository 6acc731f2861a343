import { resolve } from 'node:path'
import { createAnswers, type Envelope } from '../advisor/answers.ts'
import { chooseLanguage } from '../advisor/language.ts'
import { searchQuestions } from '../advisor/search.ts'
import { siteOf } from '../advisor/site.ts'
import { spokenRange } from '../advisor/spoken-range.ts'
import { readOptions } from '../config/config.ts'
import { inspectFile } from '../checks/diagnostics/file.ts'
import { asAudit } from '../checks/result.ts'
import { openForReports } from '../reports/periods.ts'
import type { Range } from '../reports/range.ts'
import { chooseZone } from '../rollup/zone.ts'
import { loadSettings } from '../settings/settings.ts'
import { dropControls } from '../lib/controls.ts'
import { dayText, toSeconds, type Zone } from '../lib/time.ts'
import { CommandError, type Call, type Command } from './command.ts'
import { warnOfDemo, withDatabase } from './database.ts'
import { diagnoseFile } from './diagnostics.ts'
import { jsonFlag, printRows } from './listing.ts'
import { auditFile } from './privacy-audit.ts'
import { readDays } from './range.ts'
import { reportContext } from './reports.ts'

/** The days of --from and --to, else those named in the question. */
const rangeOf = (call: Call, spoken: Range | null, zone: Zone, now: number): Range =>
  spoken !== null && call.flags.from === undefined && call.flags.to === undefined ? spoken : readDays(call, zone, now)

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

/** Prints the answer and, below it, the rows or facts it is based on. */
const printAnswer = (call: Call, answer: Envelope): void => {
  call.print(dropControls(answer.summary))
  if (answer.status === 'coming_soon') call.print(answer.hint)
  if (answer.status !== 'ok') return
  const { viz } = answer
  const rows =
    'rows' in viz
      ? viz.rows.map(row => Object.fromEntries(viz.columns.map(({ key, label }) => [label, textOf(row[key])])))
      : 'items' in viz
        ? viz.items.map(({ label, value, share }) => ({ '': label, value: textOf(value), share: textOf(share) }))
        : 'facts' in viz
          ? viz.facts.map(({ label, value }) => ({ '': label, value: textOf(value) }))
          : 'evidence' in viz
            ? viz.evidence.map(({ label, value }) => ({ '': label, value: textOf(value) }))
            : []
  if (rows.length === 0) return
  call.print('')
  printRows({ ...call, flags: {} }, rows, '')
}

export const ask: Command = {
  name: 'ask',
  arguments: ['<QUESTION>'],
  about:
    'Answer a question such as "how many visitors last week?", in English, German, French or Spanish. ' +
    'The service may be running.',
  flags: [
    {
      flag: '--from <DATE>',
      about: 'First day, YYYY-MM-DD. Default: the days named in the question, or the last 30 days.',
    },
    { flag: '--to <DATE>', about: 'Last day, YYYY-MM-DD.' },
    { flag: '--lang <LANGUAGE>', about: 'Language of the answer: en, de, fr or es. Default: that of the question.' },
    jsonFlag,
  ],
  run: async call => {
    const { args, flags, env, clock, print } = call
    const { data, plan, homeCountry } = readOptions(['data', 'plan', 'homeCountry'], flags, env)
    await withDatabase(call, () => {})
    const db = openForReports(data)
    try {
      warnOfDemo(call, db)
      const zone = chooseZone(db, null)
      const now = toSeconds(clock())
      const { range: spoken, rest } = spokenRange(args[0] ?? '', zone.dayOf(now))
      const range = rangeOf(call, spoken, zone, now)
      const language = typeof flags.lang === 'string' ? flags.lang : undefined
      const [match] = searchQuestions(rest, chooseLanguage([language, env.LC_ALL, env.LANG]).name)
      if (match === undefined)
        throw new CommandError(
          'No question matches these words. Try others, such as "top pages yesterday" or ' +
            '"visitors from google last month".',
        )
      const settings = loadSettings(db)
      const onError = (_: string, error: unknown): never => {
        throw error
      }
      const context = {
        ...reportContext(db, zone, clock),
        settings: { current: () => settings },
        advisor: { plan, homeCountry, hasCities: () => false, onError, now: () => performance.now() },
        privacyAudit: async () => asAudit(auditFile(call).results),
        diagnose: async () => diagnoseFile(call, inspectFile(resolve(data), now)),
      }
      const { answer } = createAnswers({
        context,
        signal: new AbortController().signal,
        language: chooseLanguage([language, match.lang]),
        range,
        filters: {},
        compare: 'previous',
        plan,
        site: siteOf(context),
        params: {},
        now: () => performance.now(),
        onError,
      })
      const envelope = await answer(match.id)
      if (flags.json === true)
        print(JSON.stringify({ ...envelope, from: dayText(range.from), to: dayText(range.to) }, null, 2))
      else printAnswer(call, envelope)
      return envelope.status === 'error' ? 1 : 0
    } finally {
      db.close()
    }
  },
}
