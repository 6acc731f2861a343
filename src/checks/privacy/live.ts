import type { Language } from '../../lib/texts.ts'
import { type Clock, toSeconds } from '../../lib/time.ts'
import type { Inspector } from '../diagnostics/inspector.ts'
import { type Audit, asAudit } from '../result.ts'
import { runAudit } from './checks.ts'
import type { WatchedLog } from './log-watch.ts'

export type LiveAuditOptions = {
  clock: Clock
  inspector: Inspector
  watched: WatchedLog
  tracker: string
  siteUrl: string | null
  failedLogins: () => number
  /** Public addresses of this service; empty until it listens. */
  publicUrls: () => readonly string[]
}

/** Milliseconds per request. */
const timeout = 10_000

/** Names of the cookies set by the public routes; null if a request fails. */
const cookiesOf = async (urls: readonly string[]): Promise<string[] | null> => {
  try {
    const answers = await Promise.all(
      urls.flatMap(url =>
        ['GET', 'OPTIONS'].map(method => fetch(url, { method, signal: AbortSignal.timeout(timeout) })),
      ),
    )
    await Promise.all(answers.map(answer => answer.arrayBuffer()))
    return answers.flatMap(answer => answer.headers.getSetCookie()).map(cookie => cookie.split('=', 1).join(''))
  } catch {
    return null
  }
}

/** The audit of the running service; the file is read in a worker thread. */
export const createAudit =
  ({
    clock,
    inspector,
    watched,
    tracker,
    siteUrl,
    failedLogins,
    publicUrls,
  }: LiveAuditOptions): ((language: Language) => Promise<Audit>) =>
  async language => {
    const [file, measured, cookies] = await Promise.all([
      inspector.content(),
      inspector.privacy(),
      cookiesOf(publicUrls()),
    ])
    if (file.content === null) throw new Error(`the database cannot be read: ${file.error}`)
    return asAudit(
      runAudit({
        now: toSeconds(clock()),
        measured,
        content: file.content,
        tracker,
        siteUrl,
        cookies,
        log: watched.traces(),
        failedLogins: failedLogins(),
      }),
      language,
    )
  }
