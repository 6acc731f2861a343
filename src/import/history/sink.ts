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

/** What a row brings waits until all of the row could be read: one that is refused leaves nothing. */
const byRow = (context: Context) => {
  const { stage, tally } = context
  let waiting: (() => void)[] = []
  const later =
    <Values extends unknown[]>(work: (...values: Values) => void) =>
    (...values: Values): void => {
      waiting.push(() => work(...values))
    }
  const waitingContext: Context = {
    ...context,
    takes: day => context.takes(day, work => waiting.push(work)),
    stage: {
      ...stage,
      addHit: later(stage.addHit),
      addSum: later(stage.addSum),
      remember: later(stage.remember),
    },
    tally: {
      ...tally,
      add: later(tally.add),
      skip: later(tally.skip),
      outcome: later(tally.outcome),
      renamed: later(tally.renamed),
    },
  }
  return {
    context: waitingContext,
    drop: (): void => {
      waiting = []
    },
    keep: (): void => {
      for (const work of waiting) work()
      waiting = []
    },
  }
}

/** After each row, `keep` or `drop` must be called. */
export const createSink = (given: Context): { sink: Sink; keep: () => void; drop: () => void } => {
  const { context, keep, drop } = byRow(given)
  const rules = createRules(context.site, context.tally)
  const { stage, tally, sourceZone, zone } = context
  const sink: Sink = {
    ...createSums(context, rules),
    hit: createHits(context, rules),
    skip: what => tally.skip(what),
    remember: (kind, id, value) => stage.remember(kind, id, JSON.stringify(value)),
    recall: (kind, id) => stage.recall(kind, id).map(text => JSON.parse(text)),
    preamble: [],
    sourceZone,
    zone,
  }
  return { sink, keep, drop }
}
