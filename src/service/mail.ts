import { type Environment, siteAddresses } from '../config/config.ts'
import { postSecret } from '../config/environment.ts'
import type { SmtpServer } from '../config/smtp-url.ts'
import { createMailDesk, type MailDesk } from '../digest/desk.ts'
import type { Sleep } from '../lib/sleep.ts'
import { createMailer, type Mailer } from '../mail/mailer.ts'
import { noteMail } from '../mail/state.ts'
import { createWebhook, type Webhook } from '../mail/webhook.ts'
import type { Read } from '../reports/pool.ts'
import type { Collection } from './collection.ts'
import { reportContextOf } from './report-context.ts'
import type { Base } from './storage.ts'

/**
 * The ways in which the service sends messages: `alerter` those about alerts; `tester` tries once; `personal` those that users
 * have subscribed to, whose addresses may be wrong without a fault of the owner's mail.
 */
export type Messengers = { mailer: Mailer; alerter: Mailer; tester: Mailer; personal: Mailer; webhook: Webhook }

type Options = { smtp: SmtpServer | null; env: Environment; sleep: Sleep }

export const wireMail = ({ db, config, clock, now }: Base, { smtp, env, sleep }: Options): Messengers => {
  const { alertRecipients } = config
  const options = {
    config,
    smtp,
    env,
    clock,
    sleep,
    onResult: (error: string | null) => noteMail(db, 'mail', now(), error),
  }
  return {
    mailer: createMailer(options),
    alerter: createMailer({
      ...options,
      config: { ...config, mailTo: alertRecipients.length > 0 ? alertRecipients : config.mailTo },
    }),
    tester: createMailer({ ...options, pauses: [] }),
    personal: createMailer({ ...options, onResult: () => {} }),
    webhook: createWebhook({
      config,
      secret: postSecret(env),
      ...siteAddresses(config),
      clock,
      sleep,
      onResult: error => noteMail(db, 'webhook', now(), error),
    }),
  }
}

export const wireDesk = (
  base: Base,
  collection: Collection,
  read: Read,
  tester: Mailer,
  hasServer: boolean,
): MailDesk =>
  createMailDesk({
    db: base.db,
    config: base.config,
    hasServer,
    mailer: tester,
    context: () => reportContextOf(base, collection, read),
  })
