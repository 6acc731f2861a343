import { alertSentences } from '../alerts/sentences.ts'
import { type Config, siteAddresses } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import { presentAt } from '../lib/calendar.ts'
import type { Language } from '../lib/texts.ts'
import { toSeconds } from '../lib/time.ts'
import type { Message } from '../mail/compose.ts'
import type { Mailer } from '../mail/mailer.ts'
import { type MailState, mailState } from '../mail/state.ts'
import type { ReportContext } from '../reports/context.ts'
import { makeDigest } from './digest.ts'
import { type DigestPeriod, lastWhole } from './period.ts'

/** What the owner of the site sees of its messages. */
export type MailDesk = {
  /** How they are sent; null if no way is set. */
  way: 'smtp' | 'command' | null
  /** What is missing for digests of users: a way, or the address at which they can be ended. Null for nothing. */
  missing: 'mail' | 'public_url' | null
  /** Whether there are recipients as well. */
  isReady: boolean
  state: () => MailState
  /** Sends one to --mail-to, in one attempt. @throws MailError */
  test: (language: Language) => Promise<void>
  /** The digest of the last whole period. */
  digest: (period: DigestPeriod, language: Language, signal: AbortSignal) => Promise<Message>
}

type Options = {
  db: Db
  config: Pick<Config, 'siteName' | 'siteUrl' | 'publicUrl' | 'rootPath' | 'mailCommand'>
  hasServer: boolean
  /** Tries once. */
  mailer: Pick<Mailer, 'isReady' | 'deliver'>
  context: () => ReportContext
}

export const createMailDesk = ({ db, config, hasServer, mailer, context }: Options): MailDesk => {
  const { name, dashboard } = siteAddresses(config)
  const way = config.mailCommand !== null ? 'command' : hasServer ? 'smtp' : null
  return {
    way,
    missing: way === null ? 'mail' : dashboard === null ? 'public_url' : null,
    isReady: mailer.isReady,
    state: () => mailState(db, 'mail'),
    test: language =>
      mailer.deliver(alertSentences(context().zone, language).test({ name: name ?? 'Footfall', url: dashboard })),
    digest: (period, language, signal) => {
      const reports = context()
      const range = lastWhole(period, presentAt(reports.zone, toSeconds(reports.clock())))
      return makeDigest({ context: reports, period, range, language: language.tag, name, dashboard, signal })
    },
  }
}
