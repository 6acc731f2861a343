import { type AlertState, alertStates } from '../alerts/alerts.ts'
import type { AlertKind } from '../alerts/kinds.ts'
import { alertSentences } from '../alerts/sentences.ts'
import { type Evaluation, evaluate } from '../alerts/watch/evaluate.ts'
import { readOptions, UsageError } from '../config/config.ts'
import { openToRead } from '../database/open.ts'
import { ExpectedError } from '../lib/errors.ts'
import { chooseLanguage, type Language, languageNameOf, languageNames } from '../lib/texts.ts'
import { timeText, toSeconds } from '../lib/time.ts'
import { type MailState, mailState } from '../mail/state.ts'
import { openForReports } from '../reports/periods.ts'
import { chooseZone } from '../rollup/zone.ts'
import { asService } from './as-service.ts'
import type { Call, Command } from './command.ts'
import { warnOfDemo, withDatabase } from './database.ts'
import { addressesOf, siteOptions, webhookOf, webhookOptions } from './digest-sending.ts'
import { jsonFlag } from './listing.ts'
import { reportContext } from './reports.ts'

const languageOf = ({ flags: { lang }, env }: Call): Language => {
  if (lang === undefined) return chooseLanguage([env.LC_ALL, env.LANG])
  if (languageNameOf(String(lang)) === undefined)
    throw new UsageError(`--lang takes ${languageNames.join(', ')}, not '${String(lang)}'.`)
  return chooseLanguage([String(lang)])
}

const findingOf = (evaluation: Evaluation, kind: AlertKind) => evaluation.get(kind)?.finding ?? null

const namesOf = (states: readonly AlertState[]): string => states.map(({ kind }) => kind).join(', ') || 'none'

const lastResult = ({ sentAt, error, failedAt }: MailState): string =>
  error !== null
    ? `The last message failed at ${timeText(failedAt ?? 0)}: ${error}`
    : sentAt === null
      ? 'No message has been posted so far.'
      : `The last message was posted at ${timeText(sentAt)}.`

/** The result is noted for the diagnostics, as that of the service. */
const sendTest = async (call: Call, language: Language): Promise<number> => {
  const { flags, env, print } = call
  const config = readOptions([...siteOptions, ...webhookOptions], flags, env)
  if (config.webhook === null) throw new ExpectedError(`--webhook is not set.${asService(call)}`)
  return withDatabase(call, async db => {
    print(lastResult(mailState(db, 'webhook')))
    const webhook = webhookOf(call, db, config, [])
    const { name, dashboard } = addressesOf(db, config)
    const message = alertSentences(chooseZone(db, null), language).test({ name: name ?? 'Footfall', url: dashboard })
    await webhook.deliver(message, { event: 'test', facts: {} })
    print(`Posted to ${new URL(config.webhook ?? '').host}.`)
    return 0
  })
}

export const alerts: Command = {
  name: 'alerts',
  example: 'alerts --lang de',
  about:
    'Look for anything unusual now, by the alerts that are turned on in the settings: no visits, many more or fewer ' +
    'visitors, refused requests, missing pages, goals, disk space. The service may be running. Exit code 1 if one is raised, ' +
    'for timers.',
  flags: [
    {
      flag: '--lang <LANGUAGE>',
      about: `Language of the sentences: ${languageNames.join(', ')}. Default: that of the environment.`,
    },
    jsonFlag,
    { flag: '--test', about: 'Post a test message to --webhook instead, in one attempt, and print the result.' },
  ],
  run: async call => {
    const { flags, env, clock, print, warn } = call
    const language = languageOf(call)
    if (flags.test === true) return sendTest(call, language)
    const db = openToRead(readOptions(['data'], flags, env).data, openForReports)
    try {
      warnOfDemo(call, db)
      const zone = chooseZone(db, null)
      const evaluation = await evaluate(db, reportContext(db, zone, clock), toSeconds(clock()))
      const { title, sentence, fix } = alertSentences(zone, language)
      const states = alertStates(db)
      const raised = states.flatMap(({ kind }) => {
        const finding = findingOf(evaluation, kind)
        return finding === null ? [] : [{ kind, title: title(kind), text: sentence(kind, finding), ...finding }]
      })
      const isOn = states.filter(({ enabled }) => enabled)
      if (flags.json === true) print(JSON.stringify({ raised, enabled: isOn.map(({ kind }) => kind) }, null, 2))
      else {
        for (const one of raised)
          for (const line of [one.title, `  ${one.text}`, `  ${fix(one.kind, one)}`]) print(line)
        if (raised.length === 0) print(`No alert is raised. Turned on: ${namesOf(isOn)}.`)
        for (const { kind } of isOn.filter(({ hasSignal }) => !hasSignal))
          warn(`The alert ${kind} has nothing to look at: ${missingText[kind] ?? ''}`)
      }
      return raised.length === 0 ? 0 : 1
    } finally {
      db.close()
    }
  },
}

/** Why there is no signal. */
const missingText: Readonly<Partial<Record<AlertKind, string>>> = {
  not_found: 'no page has reported that it was not found (data-status="404" on the tracking snippet).',
  goal: 'there is no goal.',
}
