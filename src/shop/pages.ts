/** A page of a list: the orders from (page − 1) × size on. */
export type Page = { page: number; size: number }

/** How many orders of the list lie before the end of a page. */
export const endOf = ({ page, size }: Page): number => page * size

const overlapping = (passed: number, size: number): Page => ({ page: Math.floor((passed - 1) / size) + 1, size })

const adjoining = (passed: number, size: number): Page => ({ page: passed / size + 1, size })

const sizes = (most: number): number[] => Array.from({ length: most }, (_, index) => most - index)

/**
 * The page to ask for after the first `passed` orders: of those that still hold the last of them, the one that reaches
 * furthest. A shop offers no 'after this id', and where an order vanishes all later ones move up: only a page that
 * overlaps shows that. With sizes too small for that, the page that adjoins.
 */
export const nextPage = (passed: number, most: number): Page => {
  if (passed === 0) return { page: 1, size: most }
  const furthest = sizes(most)
    .map(size => overlapping(passed, size))
    .reduce((best, one) => (endOf(one) > endOf(best) ? one : best))
  if (endOf(furthest) > passed) return furthest
  return adjoining(passed, sizes(most).find(size => passed % size === 0) ?? 1)
}
