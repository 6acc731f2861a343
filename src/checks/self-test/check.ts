import type { classify } from '../../channel/channel.ts'
import type { GeoReader } from '../../geoip/reader.ts'
import type { Clock, Zone } from '../../lib/time.ts'

/** The tested parts of the installation; parameters, so that tests can replace them with broken ones. */
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
  /** The texts of the advisor's questions by language. */
  questionTexts: () => readonly { language: string; texts: readonly string[] }[]
  /** Test hook, called before a temporary file is read. */
  onFile?: (check: string, path: string) => void
}

/** One check: returns a message on success, or throws an error that describes the problem. */
export type Check = { id: string; run: (deps: SelfTestDeps) => string | Promise<string> }

/** Throws an error with the message unless the condition holds. */
export function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}
