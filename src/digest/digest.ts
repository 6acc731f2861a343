import { toSeconds } from '../lib/time.ts'
import type { Message } from '../mail/compose.ts'
import type { ReportContext } from '../reports/context.ts'
import type { Range } from '../reports/range.ts'
import { readContent } from './content.ts'
import { htmlOf } from './html.ts'
import type { DigestPeriod } from './period.ts'
import { textOf } from './text.ts'
import { textsOf } from './texts.ts'
import { viewOf } from './view.ts'

export type DigestOptions = {
  context: ReportContext
  period: DigestPeriod
  range: Range
  /** Such as de or en-GB. */
  language: string
  /** The host of the site; null for the one with most sessions. */
  site: string | null
  /** The address of the dashboard; null if it is not known. */
  dashboard: string | null
  signal: AbortSignal
}

/** A digest as a message: its subject, its text, and the same as HTML. */
export const makeDigest = async ({ language, ...options }: DigestOptions): Promise<Required<Message>> => {
  const { context, site, dashboard } = options
  const texts = textsOf(language)
  const content = await readContent({ ...options, texts })
  const { zone, clock } = context
  const today = zone.dayOf(toSeconds(clock()))
  const view = viewOf(content, { texts, timeZone: zone.name, today, site, dashboard })
  return { subject: view.subject, text: textOf(view), html: htmlOf(view) }
}
