// Sending without the service: by `digest --send`, and by `cron`.
import { serviceNoteSchema } from '../checks/diagnostics/file.ts'
import { type Config, siteAddresses } from '../config/config.ts'
import { postSecret, smtpServer } from '../config/environment.ts'
import type { Db } from '../database/query.ts'
import { loadState } from '../database/saved-state.ts'
import { sendAllDigests } from '../digest/send-subscribed.ts'
import { sleep } from '../lib/sleep.ts'
import { toSeconds, type Zone } from '../lib/time.ts'
import { createMailer, type Mailer } from '../mail/mailer.ts'
import { noteMail } from '../mail/state.ts'
import { createWebhook, type Webhook } from '../mail/webhook.ts'
import { openForReports } from '../reports/periods.ts'
import type { Call } from './command.ts'
import { optionsWith } from './database.ts'
import { reportContext } from './reports.ts'

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** What messages say of the site: as given, else as the service on the file was started. */
export const addressesOf = (db: Db, { siteName, siteUrl, publicUrl }: Pick<Config, SiteOption>) => {
  const started = loadState(db, 'service', serviceNoteSchema)?.config ?? {}
  return siteAddresses({
    siteName: siteName ?? textOrNull(started.site_name),
    siteUrl: siteUrl ?? textOrNull(started.site_url),
    publicUrl: publicUrl ?? textOrNull(started.public_url),
    rootPath: publicUrl === null ? (textOrNull(started.root_path) ?? '') : '',
  })
}

/** The options that addressesOf takes. */
export const siteOptions = ['siteName', 'siteUrl', 'publicUrl'] as const
type SiteOption = (typeof siteOptions)[number]

type MailConfig = Pick<Config, 'mailTo' | 'mailFrom' | 'mailCommand'>

type MailerOptions = Pick<Parameters<typeof createMailer>[0], 'onResult' | 'pauses'>

export const mailerOf = (
  { env, clock }: Pick<Call, 'env' | 'clock'>,
  config: MailConfig,
  options: MailerOptions,
): Mailer => createMailer({ config, smtp: smtpServer(env), env, clock, sleep, ...options })

export const webhookOptions = ['webhook', 'webhookFormat', 'webhookEvents', 'webhookAllowPrivate'] as const
const messageOptions = ['mailTo', 'mailFrom', 'mailCommand', ...webhookOptions] as const

/** All options of messages, with those of the file. */
export const messageConfig = (call: Pick<Call, 'flags' | 'env'>, db: Db) =>
  optionsWith(call, db, ['digest', 'lang', 'alertCommand', ...siteOptions, ...messageOptions])

type Noted = Pick<Call, 'env' | 'clock'>

/** @param pauses in milliseconds before further attempts: as the service without it */
export const webhookOf = (
  { env, clock }: Noted,
  db: Db,
  config: Pick<Config, (typeof webhookOptions)[number] | SiteOption>,
  pauses?: readonly number[],
): Webhook =>
  createWebhook({
    config,
    secret: postSecret(env),
    ...addressesOf(db, config),
    clock,
    sleep,
    onResult: error => noteMail(db, 'webhook', toSeconds(clock()), error),
    ...(pauses !== undefined && { pauses }),
  })

/** The ways in which messages are sent; results are noted in the file. */
export const messagesOf = (
  { env, clock }: Noted,
  db: Db,
  config: Pick<Config, (typeof messageOptions)[number] | SiteOption>,
) => ({
  mailer: mailerOf({ env, clock }, config, { onResult: error => noteMail(db, 'mail', toSeconds(clock()), error) }),
  personal: mailerOf({ env, clock }, config, { onResult: () => {} }),
  webhook: webhookOf({ env, clock }, db, config),
})

/** Sends the digests that are due, as the service does. */
export const sendDigests = async (
  { flags, env, clock }: Pick<Call, 'flags' | 'env' | 'clock'>,
  db: Db,
  zone: Zone,
): Promise<string> => {
  const config = messageConfig({ flags, env }, db)
  const reports = openForReports(db.name)
  try {
    return await sendAllDigests({
      db,
      context: reportContext(reports, zone, clock),
      config,
      ...messagesOf({ env, clock }, db, config),
      ...addressesOf(db, config),
      signal: new AbortController().signal,
    })
  } finally {
    reports.close()
  }
}
