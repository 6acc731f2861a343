import { mayCall } from '../http/access.ts'
import { capabilitiesOf } from '../identity/roles.ts'
import { presentAt } from '../lib/calendar.ts'
import { errorText } from '../lib/errors.ts'
import { toSeconds } from '../lib/time.ts'
import { MailError } from '../mail/error.ts'
import type { Mailer } from '../mail/mailer.ts'
import { summary } from '../reports/of/summary.ts'
import { makeDigest } from './digest.ts'
import { isDue, lastWhole } from './period.ts'
import { isTimeToSend, type SendOptions, sendDueDigests } from './send.ts'
import { createSubscriptions, type Subscription } from './subscriptions.ts'

type Options = SendOptions & {
  /** For those who subscribed; its failures are no failures of --mail-to. */
  personal: Pick<Mailer, 'hasWay' | 'deliver'>
}

/** What the user of a subscription may see. */
const readerOf = ({ role, userId, held }: Subscription) => ({
  capabilities: capabilitiesOf(role),
  userId,
  ...(held !== null && { filters: held }),
})

/** The address at which a message's link ends the subscription. */
const unsubscribeUrl = (dashboard: string, token: string, language: string): string =>
  `${dashboard.replace(/\/+$/, '')}/unsubscribe?${new URLSearchParams({ token, lang: language })}`

/**
 * Sends what users have subscribed to and is due, each by itself: an address that fails keeps nobody else waiting.
 * @returns a sentence on it; empty if nothing was to be sent
 * @throws MailError if some were not sent, without any address
 */
const sendSubscribed = async ({ db, context, personal, name, dashboard, signal }: Options): Promise<string> => {
  const { zone, clock } = context
  const now = toSeconds(clock())
  if (!isTimeToSend(context)) return ''
  const present = presentAt(zone, now)
  const subscriptions = createSubscriptions(db, clock)
  const due = subscriptions
    .list()
    .filter(one => isDue(one.period, present) && one.sentTo < lastWhole(one.period, present).to)
    .filter(one => mayCall(summary, readerOf(one)))
  if (due.length === 0) return ''
  if (!personal.hasWay) return 'No digest of users is sent: neither FOOTFALL_SMTP_URL nor --mail-command is set.'
  // A digest that nobody could end is not sent.
  if (dashboard === null) return 'No digest of users is sent: --public-url is not set, so no link could end it.'
  const make = (one: Subscription) => {
    const { uuid, period, language, filters } = one
    const unsubscribe = unsubscribeUrl(dashboard, subscriptions.tokenOf(uuid), language)
    const range = lastWhole(period, present)
    const reader = readerOf(one)
    return makeDigest({ context, period, range, language, name, dashboard, signal, filters, reader, unsubscribe })
  }
  // Each reads many reports: they are made one after the other. Those that are tried again wait beside the others.
  let before: Promise<unknown> = Promise.resolve()
  const send = async (one: Subscription): Promise<void> => {
    const made = before.then(() => make(one))
    before = made.catch(() => {})
    await personal.deliver(await made, [one.address])
    subscriptions.noteSent(one.uuid, lastWhole(one.period, present).to)
  }
  const results = await Promise.allSettled(due.map(send))
  const [failure, ...more] = results.filter(({ status }) => status === 'rejected')
  if (failure?.status !== 'rejected') return `Sent to users: ${due.length}.`
  throw new MailError(
    `${more.length + 1} of ${due.length} digests of users could not be sent: ${errorText(failure.reason)}`,
    true,
  )
}

/**
 * Sends all digests that are due: those of the owner, and those of users.
 * @returns sentences on what was done
 * @throws MailError if one could not be sent; the others are
 */
export const sendAllDigests = async (options: Options): Promise<string> => {
  const results = await Promise.allSettled([sendDueDigests(options), sendSubscribed(options)])
  const failed = results.filter(result => result.status === 'rejected')
  if (failed.length === 1) throw failed[0]?.reason
  if (failed.length > 1) throw new MailError(failed.map(({ reason }) => errorText(reason)).join(' '), true)
  return results
    .flatMap(result => (result.status === 'fulfilled' && result.value !== '' ? [result.value] : []))
    .join(' ')
}
