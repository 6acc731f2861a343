/** A page of a list: `size` orders from index (page − 1) × size. */
export type Page = { page: number; size: number }

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
