import type { classify } from '../../channel/channel.ts'
import type { GeoReader } from '../../geoip/reader.ts'
import type { Clock, Zone } from '../../lib/time.ts'

/** The parts of the installation that are tested; passed in, so that a test can replace one with a broken one. */
export type SelfTestDeps = {
  /** The database. */
  path: string
  /** A temporary folder on the same disk. */
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
  /** Called before a temporary file is read. */
  onFile?: (check: string, path: string) => void
}

/** One check: gives a sentence if all is well, or throws an error that says what is wrong. */
export type Check = { id: string; run: (deps: SelfTestDeps) => string | Promise<string> }

/** Throws an error with the message unless the condition holds. */
export function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}
