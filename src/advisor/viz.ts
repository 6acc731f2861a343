import * as v from 'valibot'
import { dateSchema } from '../http/schemas.ts'

export const units = ['count', 'seconds', 'percent', 'currency', 'date', 'text'] as const
export type Unit = (typeof units)[number]

const unit = v.picklist(units)
const number = v.nullable(v.number())
/** A figure, or a name where the unit is text or date. */
const figure = v.nullable(v.union([v.number(), v.string()]))
const label = v.string()
const share = v.nullable(v.number())
const table = {
  columns: v.array(v.object({ key: v.string(), label, unit })),
  rows: v.array(v.record(v.string(), figure)),
}
const items = v.array(v.object({ key: v.string(), label, value: number, share }))
const facts = v.array(v.object({ label, value: figure }))
const stage = v.object({ stage: v.string(), sessions: v.number(), step_rate: number, overall_rate: number })

/** The payload of each type of answer (api.md §6). `currency` is the ISO code if a unit is currency. */
export const vizSchemas = {
  kpi_tile: v.object({
    type: v.literal('kpi_tile'),
    value: figure,
    unit,
    label: v.optional(label),
    previous: v.optional(number),
    change: v.optional(number),
    currency: v.optional(v.string()),
  }),
  delta: v.object({
    type: v.literal('delta'),
    current: number,
    previous: number,
    change: number,
    unit,
    previous_from: dateSchema,
    previous_to: dateSchema,
    from: v.optional(dateSchema),
    to: v.optional(dateSchema),
  }),
  table: v.object({ type: v.literal('table'), ...table, currency: v.optional(v.string()) }),
  donut: v.object({ type: v.literal('donut'), unit, items }),
  bar: v.object({ type: v.literal('bar'), unit, items }),
  map: v.object({
    type: v.literal('map'),
    unit,
    items: v.array(v.object({ code: v.nullable(v.string()), label, value: v.number(), share })),
  }),
  line: v.object({
    type: v.literal('line'),
    unit,
    series: v.array(
      v.object({ key: v.string(), label, points: v.array(v.object({ date: dateSchema, value: v.number() })) }),
    ),
  }),
  live: v.object({ type: v.literal('live'), value: v.number(), unit, window_seconds: v.number() }),
  live_table: v.object({ type: v.literal('live_table'), ...table, window_seconds: v.number() }),
  status: v.object({
    type: v.literal('status'),
    state: v.picklist(['ok', 'warning', 'critical']),
    message: v.string(),
    facts,
  }),
  funnel: v.object({
    type: v.literal('funnel'),
    stages: v.array(stage),
    overall_conversion: number,
    orders_without_visit: v.number(),
  }),
  anomaly: v.object({
    type: v.literal('anomaly'),
    detected: v.boolean(),
    direction: v.picklist(['up', 'down']),
    date: dateSchema,
    current: number,
    baseline: number,
    change: number,
    threshold: number,
    method: v.pipe(
      v.picklist(['same_weekdays', 'seven_days', 'not_enough_data']),
      v.description('What the baseline is the mean of.'),
    ),
  }),
  recommendation: v.object({
    type: v.literal('recommendation'),
    verdict: v.string(),
    message: v.string(),
    evidence: v.array(v.object({ label, value: figure, unit })),
    currency: v.optional(v.string()),
  }),
}

export type VizType = keyof typeof vizSchemas
export type Viz<Type extends VizType> = v.InferOutput<(typeof vizSchemas)[Type]>
/** A payload without its type, which is added from the inventory. */
export type Payload<Type extends VizType> = Omit<Viz<Type>, 'type'>
