// Pages of orders, downloads and accounts: each kind is one page, without what identifies a buyer's own.
import patternsText from '../../../data/page-patterns.txt'
import { dataRows } from '../../lib/data-rows.ts'
import { lazy } from '../../lib/lazy.ts'
import { memoize } from '../../lib/lru-cache.ts'

const segments: Readonly<Record<string, string>> = { '{n}': String.raw`\d+`, '{}': '[^/]+' }

type Pattern = { pattern: RegExp; kept: string }

/** `/orders/{n}` fits `/orders/12`, of which the groups are kept. */
const patternOf = (form: string): Pattern => {
  const [start, rest] = form.startsWith('…') ? ['.*', form.slice(1)] : ['', form]
  const parts = rest.split(/(\/\{n?\})/)
  const sources = parts.map(part => {
    const segment = segments[part.slice(1)]
    return segment === undefined ? `(${part})` : `/${segment}`
  })
  const groups = parts.filter(part => segments[part.slice(1)] === undefined).length + 1
  return {
    pattern: new RegExp(`^(${start})${sources.join('')}(?=/|$)`),
    kept: Array.from({ length: groups }, (_, index) => `$${index + 1}`).join(''),
  }
}

const patterns = lazy((): readonly Pattern[] => dataRows(patternsText).map(([, form = '']) => patternOf(form)))

/** The page that a path is counted as: `/checkout/order-received/151` is `/checkout/order-received`. */
export const onePage = memoize(5000, (path): string => {
  const found = patterns().find(({ pattern }) => pattern.test(path))
  return found === undefined ? path : path.replace(found.pattern, found.kept)
})
