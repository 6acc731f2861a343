// Which lines of an access log were imported with an earlier one: logs that grow, or are copied, overlap.
import { hash } from 'node:crypto'
import * as v from 'valibot'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'

const spanSchema = v.object({ first: v.number(), last: v.number(), ends: v.array(v.string()) })
const stateSchema = v.object({ spans: v.array(spanSchema) })

/** The times of a log's first and last line, and the marks of the lines of its last second. */
export type LogSpan = v.InferOutput<typeof spanSchema>

const markLength = 4

/** Distinguishes lines of one second. It is too short to find an address by it. */
const markOf = (text: string): string => hash('sha256', text).slice(0, markLength)

const spansOf = (db: Db): readonly LogSpan[] => loadState(db, 'logs', stateSchema)?.spans ?? []

/** Whether a line was imported before; to be asked once for each line. */
export type IsTaken = (text: string, at: number) => boolean

export const takenLines = (db: Db): IsTaken => {
  const spans = spansOf(db).map(({ first, last, ends }) => ({ first, last, ends: [...ends] }))
  return (text, at) =>
    spans.some(({ first, last, ends }) => {
      if (at < first || at > last) return false
      if (at < last) return true
      const index = ends.indexOf(markOf(text))
      if (index >= 0) ends.splice(index, 1)
      return index >= 0
    })
}

/** Collects the span of a log from its lines. */
export const createSpan = () => {
  let span: LogSpan | null = null
  return {
    add: (text: string, at: number): void => {
      if (span === null || at > span.last)
        span = { first: Math.min(span?.first ?? at, at), last: at, ends: [markOf(text)] }
      else if (at === span.last) span.ends.push(markOf(text))
      else span.first = Math.min(span.first, at)
    },
    span: (): LogSpan | null => span,
  }
}

/** Records a log that was imported. One that continues an earlier one is joined with it. */
export const noteLog = (db: Db, log: LogSpan): void => {
  const known = spansOf(db)
  const joined = known.filter(({ first, last }) => first <= log.last && log.first <= last)
  const latest = [...joined, log].reduce((one, other) => (other.last >= one.last ? other : one))
  const span = { ...latest, first: Math.min(...[...joined, log].map(({ first }) => first)) }
  saveState(db, 'logs', {
    spans: [...known.filter(other => !joined.includes(other)), span].sort((a, b) => a.first - b.first),
  })
}
