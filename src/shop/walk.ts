import * as v from 'valibot'
import type { ShopAnswer, ShopClient } from './client.ts'
import { ShopError } from './errors.ts'
import type { Parameters } from './oauth.ts'
import { endOf, nextPage, type Page } from './pages.ts'

/** An order as the shop gives it; what is in it, the store finds out. */
export type OrderDocument = Record<string, unknown> & { id: number }

/** How far a walk has come: kept in the file, so that another process goes on from there. */
export const placeSchema = v.object({
  /** Orders of the list that lie behind. */
  passed: v.number(),
  /** The last one met, null at the beginning. */
  lastId: v.nullable(v.number()),
  /** The next page of a shop that keeps to pages of its own size; else null. */
  ownPage: v.nullable(v.number()),
})
export type Cursor = v.InferOutput<typeof placeSchema>

export const beginning: Cursor = { passed: 0, lastId: null, ownPage: null }

/** One answer's orders, but those met before; `place` is where the walk stands after them. */
export type Step = { orders: OrderDocument[]; total: number | null; place: Cursor }

const ordersSchema = v.array(v.looseObject({ id: v.number() }))

const mostOrders = 100
/** A longer answer would hold up the hits while it is read. */
const heavy = 4 * 1024 * 1024
const fewestOrders = 10
/** Steps back without an order that is new; after those, the shop hides orders from the key. */
const mostSteps = 5

/** The orders of a list. @throws ShopError if it is none */
export const ordersOf = ({ body }: Pick<ShopAnswer, 'body'>): OrderDocument[] => {
  const { success, output } = v.safeParse(ordersSchema, body)
  if (!success)
    throw new ShopError(
      'refused',
      'The shop answered something else than a list of orders. Look whether --woocommerce-url is the address of the shop.',
    )
  return output
}

/** Whether nothing between the orders that lie behind and this page can have been missed. */
const joins = (orders: readonly OrderDocument[], { passed, lastId }: Cursor, { page, size }: Page): boolean => {
  if (lastId === null || (page - 1) * size >= passed) return true
  const [first] = orders
  return first !== undefined && (first.id < lastId || orders.some(({ id }) => id === lastId))
}

/** A shop, or what stands before it, that does not give the pages that were asked for. */
const hasOwnPages = ({ total, pages }: ShopAnswer, { size }: Page): boolean =>
  total === null || pages === null || pages !== Math.ceil(total / size)

const isLast = (orders: readonly OrderDocument[], { pages }: ShopAnswer, { page, size }: Page): boolean =>
  orders.length === 0 || (pages === null ? orders.length < size : page >= pages)

/**
 * All orders that a filter lets through, by id, from a place on. An order that vanishes or is changed while the walk
 * goes on hides no other one, unless thousands vanish between two answers; an order may come twice. Whoever takes the
 * steps keeps the last `place`.
 * @throws ShopError, and the signal's reason when that is aborted
 */
export const walkOrders = async function* (
  client: ShopClient,
  filter: Parameters,
  from: Cursor,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  let place = from
  let most = mostOrders
  let back = 0
  /** Answers in a row that do not join: the further the list has moved up, the longer the steps. */
  let apart = 0
  let newest = from.lastId ?? 0
  for (;;) {
    const page = place.ownPage === null ? nextPage(place.passed, most) : { page: place.ownPage, size: mostOrders }
    let answer: ShopAnswer
    try {
      answer = await client.get(
        'orders',
        { ...filter, orderby: 'id', order: 'asc', page: String(page.page), per_page: String(page.size) },
        signal,
      )
    } catch (error) {
      if (!(error instanceof ShopError) || error.kind !== 'too_large' || page.size === 1 || place.ownPage !== null)
        throw error
      most = Math.ceil(page.size / 2)
      continue
    }
    const orders = ordersOf(answer)
    if (answer.bytes > heavy) most = Math.min(most, Math.max(fewestOrders, Math.floor(most / 2)))
    const lastId = orders.at(-1)?.id ?? place.lastId

    if (place.ownPage !== null || (place.passed === 0 && hasOwnPages(answer, page))) {
      place = { passed: place.passed + orders.length, lastId, ownPage: page.page + 1 }
      yield { orders, total: answer.total, place }
      if (isLast(orders, answer, page)) return
      continue
    }
    if (back < mostSteps && !joins(orders, place, page)) {
      // What has vanished is missing from the total as well.
      const left = Math.min(place.passed, answer.total ?? place.passed)
      place = { ...place, passed: Math.max(0, left - most * 2 ** apart) }
      back += 1
      apart += 1
      continue
    }
    apart = 0
    const met = orders.findIndex(({ id }) => id === place.lastId) + 1
    place = { passed: endOf(page), lastId, ownPage: null }
    if (lastId !== null && lastId > newest) {
      newest = lastId
      back = 0
    }
    yield { orders: orders.slice(met), total: answer.total, place }
    if (endOf(page) >= (answer.total ?? 0)) return
  }
}
