import { type Config, readOptions, UsageError } from '../config/config.ts'
import { smtpServer } from '../config/environment.ts'
import { openToRead } from '../database/open.ts'
import { makeDigest } from '../digest/digest.ts'
import { type DigestPeriod, digestPeriods, endingWith, lastWhole } from '../digest/period.ts'
import { type Present, presentAt } from '../lib/calendar.ts'
import { ExpectedError, errorText } from '../lib/errors.ts'
import { dateOf, dayText, toSeconds } from '../lib/time.ts'
import { composeMessage } from '../mail/compose.ts'
import { envelopeOf } from '../mail/mailer.ts'
import { noteMail } from '../mail/state.ts'
import { openForReports } from '../reports/periods.ts'
import type { Range } from '../reports/range.ts'
import { chooseZone } from '../rollup/zone.ts'
import { asService } from './as-service.ts'
import type { Call, Command } from './command.ts'
import { warnOfDemo, withDatabase } from './database.ts'
import { addressesOf, mailerOf, messageConfig } from './digest-sending.ts'
import { reportContext } from './reports.ts'

const formats = ['text', 'html', 'mail'] as const

const oneOf = <T extends string>(name: string, all: readonly T[], given: unknown): T => {
  const found = all.find(one => one === given)
  if (found !== undefined) return found
  throw new UsageError(`--${name} takes ${all.join(', ').replace(/, (?!.*, )/, ' or ')}, not '${String(given)}'.`)
}

const rangeOf = (period: DigestPeriod, to: unknown, present: Present): Range => {
  if (to === undefined) return lastWhole(period, present)
  const { today } = present
  const day = dateOf(String(to))
  if (day === null || day > today)
    throw new UsageError(
      `--to takes a day such as 2026-03-31, today (${dayText(today)}) at the latest, not '${String(to)}'.`,
    )
  return endingWith(period, day)
}

type Message = Awaited<ReturnType<typeof makeDigest>>

/** The outcome is noted for the diagnostics, as that of the service. */
const send = async (call: Call, config: Parameters<typeof mailerOf>[1], message: Message): Promise<void> => {
  const results: (string | null)[] = []
  const isSet = config.mailTo.length > 0 && (config.mailCommand !== null || smtpServer(call.env) !== null)
  try {
    // At a terminal, people try again by hand.
    const { deliver } = mailerOf(call, config, { onResult: result => results.push(result), pauses: [] })
    await deliver(message)
    for (const refused of results) if (refused !== null) call.warn(refused)
  } catch (error) {
    throw isSet ? error : new ExpectedError(`${errorText(error)}${asService(call)}`)
  } finally {
    await withDatabase(call, db => results.forEach(error => noteMail(db, 'mail', toSeconds(call.clock()), error)))
  }
}

const asMail = async ({ env, clock }: Call, config: Pick<Config, 'mailTo' | 'mailFrom'>, message: Message) => {
  const envelope = envelopeOf(config, smtpServer(env))
  if (envelope === null) throw new UsageError('--format mail needs --mail-to.')
  return (await composeMessage(message, envelope, clock())).toString()
}

export const digest: Command = {
  name: 'digest',
  example: 'digest --period month --format html --data footfall.db',
  about:
    'Print what happened in a day, week or month, as text, HTML or a message for a program such as sendmail. The service ' +
    'may be running.',
  flags: [
    { flag: '--period <PERIOD>', about: 'The last whole day, week or month.', default: 'week' },
    {
      flag: '--to <DAY>',
      about: 'Last day of a day, of seven days or of a month that end with it, such as 2026-03-31.',
    },
    { flag: '--format <FORMAT>', about: 'text, html, or mail: a message to --mail-to.', default: 'text' },
    { flag: '--send', about: 'Send it to --mail-to instead of printing it, in one attempt.' },
  ],
  run: async call => {
    const { flags, env, clock, print } = call
    const period = oneOf('period', digestPeriods, flags.period ?? 'week')
    const format = oneOf('format', formats, flags.format ?? 'text')
    const { data } = readOptions(['data'], flags, env)
    const db = openToRead(data, openForReports)
    try {
      const config = messageConfig({ flags, env }, db)
      const zone = chooseZone(db, null)
      const range = rangeOf(period, flags.to, presentAt(zone, toSeconds(clock())))
      warnOfDemo(call, db)
      const message = await makeDigest({
        context: reportContext(db, zone, clock),
        period,
        range,
        language: config.lang,
        ...addressesOf(db, config),
        signal: new AbortController().signal,
      })
      if (flags.send === true) await send(call, config, message)
      else if (format === 'mail') print((await asMail(call, config, message)).trimEnd())
      else print(message[format].trimEnd())
      return 0
    } finally {
      db.close()
    }
  },
}
