// The lines of an archive about goals and funnels.
import * as v from 'valibot'
import { atMost, day, figure, nullableText, number, text } from './lines.ts'

/** What a goal counted on a day without single visits. */
export const goalLine = v.strictObject({
  type: v.literal('goal'),
  day,
  name: text,
  sessions: figure,
  visitors: figure,
  total: figure,
  value: v.number(),
  orders: v.array(number),
})
/** Where sessions went; page null for those that viewed no other one. */
export const nextPages = v.array(v.strictObject({ host: nullableText, page: nullableText, sessions: figure }))
export const funnelLine = v.strictObject({
  type: v.literal('funnel'),
  day,
  name: text,
  step: atMost(7),
  sessions: figure,
  next: nextPages,
})
export type GoalLine = v.InferOutput<typeof goalLine>
export type FunnelLine = v.InferOutput<typeof funnelLine>
