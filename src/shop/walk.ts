import * as v from 'valibot'
import type { ShopAnswer, ShopClient } from './client.ts'
import { ShopError } from './errors.ts'
import type { Parameters } from './oauth.ts'

/** A page of a list: `size` orders from index (page − 1) × size. */
type Page = { page: number; size: number }

/** Index of the list after the last order of a page. */
export const endOf = ({ page, size }: Page): number => page * size

const overlapping = (passed: number, size: number): Page => ({ page: Math.floor((passed - 1) / size) + 1, size })

const adjoining = (passed: number, size: number): Page => ({ page: passed / size + 1, size })

const sizes = (maxSize: number): number[] => Array.from({ length: maxSize }, (_, index) => maxSize - index)

/**
 * The page to request after the first `passed` orders: of the pages that contain the last of them, the one that ends
 * furthest. The API cannot list "after this id", and when an order is deleted all later ones move up, which only an
 * overlapping page shows. If no overlapping page reaches further, the adjoining one.
 */
export const nextPage = (passed: number, maxSize: number): Page => {
  if (passed === 0) return { page: 1, size: maxSize }
  const furthest = sizes(maxSize)
    .map(size => overlapping(passed, size))
    .reduce((best, page) => (endOf(page) > endOf(best) ? page : best))
  if (endOf(furthest) > passed) return furthest
  return adjoining(passed, sizes(maxSize).find(size => passed % size === 0) ?? 1)
}

/** An order document of the shop; the store validates its content. */
export type OrderDocument = Record<string, unknown> & { id: number }

/** Progress of a walk; stored, so that another process can continue it. */
export const cursorSchema = v.object({
  /** Orders of the list that have been read. */
  passed: v.number(),
  /** The last order read; null at the start. */
  lastId: v.nullable(v.number()),
  /** The next page of a shop that ignores the requested page size; otherwise null. */
  ownPage: v.nullable(v.number()),
})
export type Cursor = v.InferOutput<typeof cursorSchema>

export const firstCursor: Cursor = { passed: 0, lastId: null, ownPage: null }

/** The new orders of one response, and the cursor after them. */
export type Step = { orders: OrderDocument[]; total: number | null; cursor: Cursor }

const ordersSchema = v.array(v.looseObject({ id: v.number() }))

const maxPageSize = 100
/** Above this, pages shrink: parsing a longer response would delay hits. */
const maxBytes = 4 * 1024 * 1024
const minPageSize = 10
/** Steps back without a new order; beyond that, the shop must be hiding orders from the key. */
const maxStepsBack = 5

/** The orders of a list response. @throws ShopError if it is not a list of orders */
export const ordersOf = ({ body }: Pick<ShopAnswer, 'body'>): OrderDocument[] => {
  const { success, output } = v.safeParse(ordersSchema, body)
  if (!success)
    throw new ShopError(
      'refused',
      'The shop did not answer with a list of orders. Check that --woocommerce-url is the address of the shop.',
    )
  return output
}

/** Whether no order can lie between those already read and this page. */
const isContiguous = (orders: readonly OrderDocument[], { passed, lastId }: Cursor, { page, size }: Page): boolean => {
  if (lastId === null || (page - 1) * size >= passed) return true
  const [first] = orders
  return first !== undefined && (first.id < lastId || orders.some(({ id }) => id === lastId))
}

/** Whether the shop, or a proxy in front of it, ignores the requested page size. */
const hasOwnPages = ({ total, pages }: ShopAnswer, { size }: Page): boolean =>
  total === null || pages === null || pages !== Math.ceil(total / size)

const isLast = (orders: readonly OrderDocument[], { pages }: ShopAnswer, { page, size }: Page): boolean =>
  orders.length === 0 || (pages === null ? orders.length < size : page >= pages)

/**
 * Yields all orders that match a filter, by id, starting at a cursor. Orders deleted or changed during the walk do not
 * make it skip others, unless thousands are deleted between two requests; an order may be yielded twice. The caller
 * stores the last cursor.
 * @throws ShopError, and the signal's reason when it is aborted
 */
export const walkOrders = async function* (
  client: ShopClient,
  filter: Parameters,
  from: Cursor,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  let cursor = from
  let pageSize = maxPageSize
  let stepsBack = 0
  /** Consecutive responses with a gap before them: each step back is twice as long as the last. */
  let gaps = 0
  let newest = from.lastId ?? 0
  for (;;) {
    const page =
      cursor.ownPage === null ? nextPage(cursor.passed, pageSize) : { page: cursor.ownPage, size: maxPageSize }
    let answer: ShopAnswer
    try {
      answer = await client.get(
        'orders',
        { ...filter, orderby: 'id', order: 'asc', page: String(page.page), per_page: String(page.size) },
        signal,
      )
    } catch (error) {
      if (!(error instanceof ShopError) || error.kind !== 'too_large' || page.size === 1 || cursor.ownPage !== null)
        throw error
      pageSize = Math.ceil(page.size / 2)
      continue
    }
    const orders = ordersOf(answer)
    if (answer.bytes > maxBytes) pageSize = Math.min(pageSize, Math.max(minPageSize, Math.floor(pageSize / 2)))
    const lastId = orders.at(-1)?.id ?? cursor.lastId

    if (cursor.ownPage !== null || (cursor.passed === 0 && hasOwnPages(answer, page))) {
      cursor = { passed: cursor.passed + orders.length, lastId, ownPage: page.page + 1 }
      yield { orders, total: answer.total, cursor }
      if (isLast(orders, answer, page)) return
      continue
    }
    if (stepsBack < maxStepsBack && !isContiguous(orders, cursor, page)) {
      // Deleted orders are missing from the total as well.
      const left = Math.min(cursor.passed, answer.total ?? cursor.passed)
      cursor = { ...cursor, passed: Math.max(0, left - pageSize * 2 ** gaps) }
      stepsBack += 1
      gaps += 1
      continue
    }
    gaps = 0
    const repeated = orders.findIndex(({ id }) => id === cursor.lastId) + 1
    cursor = { passed: endOf(page), lastId, ownPage: null }
    if (lastId !== null && lastId > newest) {
      newest = lastId
      stepsBack = 0
    }
    yield { orders: orders.slice(repeated), total: answer.total, cursor }
    if (endOf(page) >= (answer.total ?? 0)) return
  }
}
