import type { Line } from '../line.ts'
import type { LogRules } from './page.ts'

/** A form of access logs. */
export type LogForm = {
  /** For `--line-format`. */
  name: string
  /** As it is named in a sentence. */
  title: string
  fits: (text: string) => boolean
  timeOf: (text: string) => number | null
  /** Undefined for a line of another form. */
  parse: (text: string, rules: LogRules) => Line | undefined
}
