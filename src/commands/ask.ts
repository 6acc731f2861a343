import type { Envelope } from '../advisor/answers.ts'
import { type AskBatch, type Asked, ask as askAdvisor, askedBody } from '../advisor/ask/ask.ts'
import { siteOf } from '../advisor/site.ts'
import { readOptions, UsageError } from '../config/config.ts'
import { openToRead } from '../database/open.ts'
import { dropControls } from '../lib/controls.ts'
import { ExpectedError } from '../lib/errors.ts'
import { toSeconds, type Zone } from '../lib/time.ts'
import { openForReports } from '../reports/periods.ts'
import { chooseZone } from '../rollup/zone.ts'
import { advisorContext, advisorOptions } from './advisor-context.ts'
import { answerRows } from './answer-rows.ts'
import type { Call, Command } from './command.ts'
import { warnOfDemo } from './database.ts'
import { jsonFlag, printRows } from './listing.ts'
import { readDays } from './range.ts'

const maxText = 300

/** The days of --from and --to, checked. */
const daysOf = (call: Call, zone: Zone, now: number): AskBatch['days'] => {
  readDays(call, zone, now)
  const [from, to] = [call.flags.from, call.flags.to].map(day => (typeof day === 'string' ? day : undefined))
  return { from, to }
}

const textOf = (args: readonly string[]): string => {
  const [text = ''] = args
  if (text === '' || text.length > maxText) throw new UsageError(`The question must have 1 to ${maxText} characters.`)
  return text
}

/** Prints the answer and, below it, the rows or facts it is based on. */
const printAnswer = (call: Call, answer: Envelope): void => {
  call.print(dropControls(answer.summary))
  if (answer.status === 'coming_soon') call.print(answer.hint)
  if (answer.status !== 'ok') return
  const rows = answerRows(answer.viz)
  if (rows.length === 0) return
  call.print('')
  printRows({ ...call, flags: {} }, rows, '')
}

/** Days and filters, as the question was understood. */
const understoodText = ({ from, to, filters }: ReturnType<typeof askedBody>['understood']): string =>
  [from === to ? from : `${from} to ${to}`, ...Object.entries(filters).map(([key, value]) => `${key}=${value}`)].join(
    ', ',
  )

/** Prints what was understood and the best answer, of two questions both. */
const printAsked = (call: Call, asked: Asked): number => {
  const [answer] = asked.answers
  for (const { question, summary } of asked.readings) {
    call.print(dropControls(question ?? ''))
    call.print(`  ${dropControls(summary)}`)
  }
  if (answer === undefined) throw new ExpectedError(dropControls(asked.message ?? ''))
  for (const part of asked.answers.slice(0, asked.parts)) printAnswer(call, part)
  call.warn(dropControls(`(${understoodText(askedBody(asked).understood)})`))
  if (asked.message !== null) call.warn(dropControls(asked.message))
  return answer.status === 'error' ? 1 : 0
}

export const ask: Command = {
  name: 'ask',
  example: 'ask "how many visitors last week?"',
  arguments: ['<QUESTION>'],
  about:
    'Answer a question such as "how many visitors last week?", in English, German, French or Spanish. ' +
    'The service may be running.',
  flags: [
    {
      flag: '--from <DATE>',
      about: 'First day, YYYY-MM-DD, of a question that names no days. Default: the last 30 days.',
    },
    { flag: '--to <DATE>', about: 'Last day, YYYY-MM-DD.' },
    { flag: '--lang <LANGUAGE>', about: 'Language of the answer: en, de, fr or es. Default: that of the question.' },
    jsonFlag,
  ],
  run: async call => {
    const { args, flags, env, clock, print } = call
    const options = readOptions(advisorOptions, flags, env)
    const { data, plan } = options
    const db = openToRead(data, openForReports)
    try {
      warnOfDemo(call, db)
      const zone = chooseZone(db, null)
      const now = toSeconds(clock())
      const language = typeof flags.lang === 'string' ? flags.lang : undefined
      const onError = (_: string, error: unknown): never => {
        throw error
      }
      const context = advisorContext(call, db, options, onError)
      const asked = await askAdvisor({
        context,
        signal: new AbortController().signal,
        text: textOf(args),
        days: daysOf(call, zone, now),
        languages: [language, env.LC_ALL, env.LANG],
        answerIn: language,
        plan,
        site: siteOf(context),
        now: () => performance.now(),
        onError,
      })
      if (flags.json !== true) return printAsked(call, asked)
      print(JSON.stringify(askedBody(asked), null, 2))
      return asked.answers[0] === undefined || asked.answers[0].status === 'error' ? 1 : 0
    } finally {
      db.close()
    }
  },
}
