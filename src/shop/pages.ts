/** A page of a list: the orders from (page − 1) × size on. */
export type Page = { page: number; size: number }

/** How many orders of the list lie before the end of a page. */
export const endOf = ({ page, size }: Page): number => page * size

const overlapping = (passed: number, size: number): Page => ({ page: Math.floor((passed - 1) / size) + 1, size })

const adjoining = (passed: number, size: number): Page => ({ page: passed / size + 1, size })

const sizes = (maxSize: number): number[] => Array.from({ length: maxSize }, (_, index) => maxSize - index)

/**
 * The page to request after the first `passed` orders: of the pages that contain the last of them, the one that reaches
 * furthest. A shop has no 'after this id', and when an order is deleted all later ones move up, which only an
 * overlapping page shows. If the page size is too small for that, the adjoining page.
 */
export const nextPage = (passed: number, maxSize: number): Page => {
  if (passed === 0) return { page: 1, size: maxSize }
  const furthest = sizes(maxSize)
    .map(size => overlapping(passed, size))
    .reduce((best, one) => (endOf(one) > endOf(best) ? one : best))
  if (endOf(furthest) > passed) return furthest
  return adjoining(passed, sizes(maxSize).find(size => passed % size === 0) ?? 1)
}
