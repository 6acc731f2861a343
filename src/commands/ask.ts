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
import { dayText, toSeconds, type Zone } from '../lib/time.ts'
import { CommandError, type Call, type Command } from './command.ts'
import { tellDemo, withDatabase } from './database.ts'
import { diagnoseFile } from './diagnostics.ts'
import { jsonFlag, printRows } from './listing.ts'
import { auditFile } from './privacy-audit.ts'
import { readDays } from './range.ts'
import { reportContext } from './reports.ts'

/** Days given by flags, or else by the question itself. */
const rangeOf = (call: Call, spoken: Range | null, zone: Zone, second: number): Range =>
  spoken !== null && call.flags.from === undefined && call.flags.to === undefined
    ? spoken
    : readDays(call, zone, second)

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

/** The sentence, and below it the rows or points that it rests on. */
const printAnswer = (call: Call, answer: Envelope): void => {
  call.print(answer.summary)
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
    'Answer a question such as "how many visitors last week?", in English, German, French or Spanish. The service may be running.',
  flags: [
    {
      flag: '--from <DATE>',
      about: 'First day, YYYY-MM-DD. Default: the days that the question names, or the last 30 days.',
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
      tellDemo(call, db)
      const zone = chooseZone(db, null)
      const second = toSeconds(clock())
      const { range: spoken, rest } = spokenRange(args[0] ?? '', zone.dayOf(second))
      const range = rangeOf(call, spoken, zone, second)
      const wished = typeof flags.lang === 'string' ? flags.lang : undefined
      const [found] = searchQuestions(rest, chooseLanguage([wished, env.LC_ALL, env.LANG]).name)
      if (found === undefined)
        throw new CommandError(
          'No question matches these words. Try others, such as "top pages yesterday" or "visitors from google last month".',
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
        diagnose: async () => diagnoseFile(call, inspectFile(resolve(data), second)),
      }
      const { answer } = createAnswers({
        context,
        signal: new AbortController().signal,
        language: chooseLanguage([wished, found.lang]),
        range,
        plan,
        site: siteOf(context),
        params: {},
        now: () => performance.now(),
        onError,
      })
      const envelope = await answer(found.id)
      if (flags.json === true)
        print(JSON.stringify({ ...envelope, from: dayText(range.from), to: dayText(range.to) }, null, 2))
      else printAnswer(call, envelope)
      return envelope.status === 'error' ? 1 : 0
    } finally {
      db.close()
    }
  },
}
