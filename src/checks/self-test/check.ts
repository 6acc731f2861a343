import type { classify } from '../../channel/channel.ts'
import type { GeoReader } from '../../geoip/reader.ts'
import { english } from '../../lib/texts.ts'
import type { Clock, Zone } from '../../lib/time.ts'
import { type Sentence, wordsOf } from '../sentences.ts'

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
export type Check = { id: string; run: (deps: SelfTestDeps) => Sentence | Promise<Sentence> }

/** What a check found wrong. */
export class SelfTestFailure extends Error {
  override name = 'SelfTestFailure'
  sentence: Sentence
  constructor(sentence: Sentence) {
    super(wordsOf(sentence, english))
    this.sentence = sentence
  }
}

/** @throws SelfTestFailure unless the condition holds */
export function expect(holds: boolean, otherwise: Sentence): asserts holds {
  if (!holds) throw new SelfTestFailure(otherwise)
}
