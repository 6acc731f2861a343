import * as v from 'valibot'
import type { Config } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'
import { presentAt } from '../lib/calendar.ts'
import { type Day, dayText, toSeconds } from '../lib/time.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Webhook } from '../mail/webhook.ts'
import type { ReportContext } from '../reports/context.ts'
import { type DigestOptions, makeDigest } from './digest.ts'
import { type DigestPeriod, isDue, lastWhole } from './period.ts'

const stateSchema = v.object({ sent: v.record(v.string(), v.number()) })

/** The last day of the last digest that was sent, by period. */
const sentDays = (db: Db): Readonly<Record<string, Day>> => loadState(db, 'digest', stateSchema)?.sent ?? {}

/** Seconds after midnight: 06:30. */
const sendingTime = 6.5 * 3600

export type SendOptions = Pick<DigestOptions, 'name' | 'dashboard' | 'signal'> & {
  db: Db
  context: ReportContext
  config: Pick<Config, 'digest' | 'lang'>
  mailer: Pick<Mailer, 'isReady' | 'deliver'>
  webhook: Pick<Webhook, 'takes' | 'deliver'>
}

export const isTimeToSend = ({ zone, clock }: Pick<ReportContext, 'zone' | 'clock'>): boolean =>
  zone.timeOf(toSeconds(clock())) >= sendingTime

/** The periods whose digest is to be sent today and was not. */
const duePeriods = ({ db, context, config }: SendOptions): DigestPeriod[] => {
  if (!isTimeToSend(context)) return []
  const [present, sent] = [presentAt(context.zone, toSeconds(context.clock())), sentDays(db)]
  return config.digest.filter(period => isDue(period, present) && sent[period] !== lastWhole(period, present).to)
}

/**
 * Sends a digest in all ways. One that works is enough: another try would repeat it there.
 * @throws MailError if none does
 */
const sendDigest = async (options: SendOptions, period: DigestPeriod, range: { from: Day; to: Day }): Promise<void> => {
  const { context, config, mailer, webhook, name, dashboard, signal } = options
  const digest = await makeDigest({ context, period, range, language: config.lang, name, dashboard, signal })
  const facts = { period, from: dayText(range.from), to: dayText(range.to) }
  const posts = webhook.takes('digests')
  const results = await Promise.allSettled([
    // Without any way, the mailer says what is missing.
    ...(mailer.isReady || !posts ? [mailer.deliver(digest)] : []),
    ...(posts ? [webhook.deliver(digest, { event: 'digest', facts })] : []),
  ])
  const failures = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  if (failures.length === results.length) throw failures[0]
}

/**
 * Sends the digests that are due. What was sent is noted in the file, so that no start sends it again.
 * @returns a sentence on what was done
 * @throws MailError if one could not be sent; the others are
 */
export const sendDueDigests = async (options: SendOptions): Promise<string> => {
  const { db, config } = options
  const { zone, clock } = options.context
  if (config.digest.length === 0) return 'No digest is sent: --digest is not set.'
  const due = duePeriods(options)
  let failure: unknown = null
  for (const period of due) {
    const range = lastWhole(period, presentAt(zone, toSeconds(clock())))
    try {
      await sendDigest(options, period, range)
      saveState(db, 'digest', { sent: { ...sentDays(db), [period]: range.to } })
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== null) throw failure
  return due.length === 0 ? 'No digest is due.' : `Sent: ${due.join(', ')}.`
}
