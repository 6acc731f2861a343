import { findApi } from './api.ts'
import { sendHit } from './hit.ts'
import { usualPatience, type Patience } from './load.ts'
import { barriers, findTag } from './page.ts'
import type { Step } from './step.ts'

export type CheckOptions = {
  page: string
  /** Paths at which the tracker may be served. */
  trackerPaths: readonly string[]
  /** The tracker's text, with the way to the API left open as `__FOOTFALL_API__`. */
  tracker: string
  patience?: Patience
  /** Whether a host is reached without the internet, so that nothing can be said of addresses. */
  isLocal?: (host: string) => boolean
}

/** `next`: the one thing to do now; null where nothing is. */
export type SiteCheck = { ok: boolean; next: string | null; steps: Step[] }

const isLocalHost = (host: string): boolean =>
  /^(localhost|127\.|\[::1\]|\[f[cd]|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)|\.(test|local|localhost|internal)$/.test(
    host,
  )

const stepsOf = async ({
  page: address,
  trackerPaths,
  tracker,
  patience = usualPatience,
  isLocal = isLocalHost,
}: CheckOptions): Promise<Step[]> => {
  const { steps, value: page } = await findTag(address, trackerPaths, patience)
  if (page === null) return steps
  const found = await findApi(page.tag, tracker, patience)
  steps.push(...found.steps)
  if (found.value === null) return steps
  const closed = barriers(page, found.value)
  return [...steps, ...(closed.length > 0 ? closed : await sendHit(found.value, page.url, patience, isLocal))]
}

/** Goes the way of a visit: page, tracker's line, tracker, hit, address. Stops where it does not go on. */
export const checkSite = async (options: CheckOptions): Promise<SiteCheck> => {
  const steps = await stepsOf(options)
  return { ok: steps.every(({ ok }) => ok), next: steps.find(({ ok }) => !ok)?.fix ?? null, steps }
}
