import type { classify } from '../../channel/channel.ts'
import type { GeoReader } from '../../geoip/reader.ts'
import type { Clock, Zone } from '../../lib/time.ts'

/** What the self-test works with: the installation's own parts, so that a test can hand it a broken one. */
export type Tools = {
  /** The database. */
  path: string
  /** A folder on the same disk, for throw-away files; gone afterwards. */
  folder: string
  clock: Clock
  zone: Zone
  geo: GeoReader | null
  geoEnabled: boolean
  integrity: () => Promise<string>
  jobs: readonly { name: string; schedule: string }[]
  classify: typeof classify
  /** The sentences of the advisor's questions, by language. */
  questionTexts: () => readonly { language: string; texts: readonly string[] }[]
  /** Told before a throw-away file is looked at. */
  made?: (check: string, path: string) => void
}

/** One check: gives a sentence on what was found right, or throws an error that says what is not. */
export type Check = { id: string; run: (tools: Tools) => string | Promise<string> }

/** Throws the sentence unless it holds. */
export function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}
