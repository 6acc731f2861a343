// The filters of orders: by where they came from. Nothing else is known of an order's visitor.
import * as v from 'valibot'
import { invalidParam } from '../http/errors.ts'
import type { Segment } from './condition.ts'
import { filterOf, type OrderFilterKey, orderFilterKeys } from './filters/table.ts'
import { type Filters, filterSchema, readSegment, segmentEntry } from './segment.ts'

const keySchema = (key: OrderFilterKey) => v.optional(filterSchema(key, filterOf(key).ofOrders ?? ''))

const keyEntries = Object.fromEntries(orderFilterKeys.map(key => [key, keySchema(key)])) as Record<
  OrderFilterKey,
  ReturnType<typeof keySchema>
>

/** Query entries of a report about orders. */
export const orderFilterEntries = { ...keyEntries, segment: segmentEntry }

const known: readonly string[] = orderFilterKeys

/**
 * The segment of a report about orders.
 * @throws ApiError 400 for a saved segment with a filter that orders cannot be selected by
 */
export const readOrderSegment = (query: object & { readonly saved?: readonly Filters[] }): Segment | null => {
  const other = (query.saved ?? []).flatMap(Object.keys).find(key => !known.includes(key))
  if (other !== undefined)
    throw invalidParam(
      'segment',
      `The segment filters by ${other}, which is not known of orders. They are filtered by ${known.join(', ')}.`,
    )
  return readSegment(query)
}
