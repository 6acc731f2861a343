// What formats pass their rows to.

import type { Zone } from '../../lib/time.ts'
import { type Context, createRules } from './context.ts'
import { createHits, type Hit } from './hits.ts'
import { createSums, type Sums } from './sums.ts'

export type Sink = Sums & {
  hit: (hit: Hit) => void
  /** Counts rows that are not imported because they are not visitors'. */
  skip: (what: string) => void
  /** Remembers what other tables refer to, and finds it. */
  remember: (kind: string, id: string, value: unknown) => void
  recall: (kind: string, id: string) => unknown[]
  /** The lines before the table. */
  preamble: readonly string[]
  /** The zone of times without an offset, and that of the file's days. */
  sourceZone: Zone
  zone: Zone
}

export const createSink = (context: Context): Sink => {
  const rules = createRules(context.site, context.tally)
  const { stage, tally, sourceZone, zone } = context
  return {
    ...createSums(context, rules),
    hit: createHits(context, rules),
    skip: what => tally.skip(what),
    remember: (kind, id, value) => stage.remember(kind, id, JSON.stringify(value)),
    recall: (kind, id) => stage.recall(kind, id).map(text => JSON.parse(text)),
    preamble: [],
    sourceZone,
    zone,
  }
}
