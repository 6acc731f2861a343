// Goals and funnels in the first line of an archive.
import * as v from 'valibot'

const property = v.nullable(v.strictObject({ key: v.string(), value: v.string() }))
/** A goal, as in a request of the API. */
export const archivedGoal = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[^\p{C}]{1,100}$/u)),
  kind: v.picklist(['page', 'event', 'scroll', 'seconds']),
  pattern: v.string(),
  threshold: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  property,
  value_from: v.picklist(['none', 'fixed', 'event', 'order']),
  value: v.nullable(v.number()),
})
export const archivedFunnel = v.strictObject({
  name: archivedGoal.entries.name,
  steps: v.pipe(
    v.array(v.strictObject({ kind: v.picklist(['page', 'event']), pattern: v.string(), property })),
    v.minLength(2),
    v.maxLength(8),
  ),
  strict: v.boolean(),
})
