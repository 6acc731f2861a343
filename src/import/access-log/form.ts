import type { Line } from '../line.ts'

/** A form of access logs. */
export type LogForm = {
  /** For `--line-format`. */
  name: string
  /** As it is named in a sentence. */
  title: string
  fits: (text: string) => boolean
  timeOf: (text: string) => number | null
  /** Null for a request that is not for a page; undefined for a line of another form. */
  parse: (text: string) => Line | undefined
}
