// Pages of orders, downloads and accounts: each kind is one page, without what identifies a buyer's own.
import patternsText from '../../data/page-patterns.txt'
import { dataRows } from './data-rows.ts'
import { lazy } from './lazy.ts'
import { memoize } from './lru-cache.ts'

const segments: Readonly<Record<string, string>> = { '{n}': String.raw`\d+`, '{}': '[^/]+' }

/** A rule, with the line it was written as: `/orders/{n}` fits `/orders/12`. */
export type PagePattern = { line: string; pattern: RegExp; kept: string }

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

const patternOf = (line: string): PagePattern => {
  const [start, rest] = line.startsWith('…') ? ['.*', line.slice(1)] : ['', line]
  const parts = rest.split(/(\/\{n?\}(?=\/|$))/)
  const sources = parts.map(part => {
    const segment = segments[part.slice(1)]
    return segment === undefined ? `(${escaped(part)})` : `/${segment}`
  })
  const groups = parts.filter(part => segments[part.slice(1)] === undefined).length + 1
  return {
    line,
    pattern: new RegExp(`^(${start})${sources.join('')}(?=/|$)`),
    kept: Array.from({ length: groups }, (_, index) => `$${index + 1}`).join(''),
  }
}

const known = lazy((): readonly PagePattern[] => dataRows(patternsText).map(([, line = '']) => patternOf(line)))

let own: readonly PagePattern[] = []

/** Whether any rule fits, which is asked of every new path: one search instead of one a rule from its beginning. */
let fits: RegExp | null = null
const anyFits = (): RegExp =>
  (fits ??= new RegExp([...own, ...known()].map(({ pattern }) => pattern.source.replace('^(.*)', '')).join('|')))

/** The lines of --page-patterns, which stand above those of the shop systems; set once, before the first page is read. */
export const usePagePatterns = (patterns: readonly PagePattern[]): void => {
  own = patterns
  fits = null
}

const maxPatterns = 200

/** What is wrong with a line; null if it is a pattern. */
const faultOf = (line: string): string | null => {
  if (!/^…?\/[^\s?#]*$/.test(line)) return 'is not a path, such as /orders/{n}'
  if (!/\/\{n?\}(?:\/|$)/.test(line)) return 'leaves nothing out: it needs a segment {n} (a number) or {} (anything)'
  if (/[{}]/.test(line.replace(/\/\{n?\}(?=\/|$)/g, ''))) return 'has a brace that is not a whole segment {n} or {}'
  return null
}

/**
 * Parses the lines of a file: a path each, in which `{n}` is a number, `{}` any segment, and `…` or `...` at the start
 * whatever stands before; `#` starts a comment.
 * @returns the patterns, or a sentence that says which line is wrong, and how
 */
export const parsePagePatterns = (text: string): readonly PagePattern[] | string => {
  const lines = text.split(/\r?\n/).map(line =>
    line
      .replace(/(?:^|\s)#.*/, '')
      .trim()
      .replace(/^\.\.\./, '…'),
  )
  for (const [index, line] of lines.entries()) {
    const fault = line === '' ? null : faultOf(line)
    if (fault !== null) return `line ${index + 1}: '${line.slice(0, 80)}' ${fault}.`
    if (line !== '' && lines.indexOf(line) < index) return `line ${index + 1}: '${line.slice(0, 80)}' is there already.`
  }
  const patterns = lines.filter(line => line !== '').map(patternOf)
  return patterns.length > maxPatterns ? `has more than ${maxPatterns} patterns.` : patterns
}

/** The first rule that fits a path, and the page that the path is counted as: that of all orders for that of one. */
export const patternFor = (path: string): { line: string; page: string } | null => {
  if (!anyFits().test(path)) return null
  const found = [...own, ...known()].find(({ pattern }) => pattern.test(path))
  return found === undefined ? null : { line: found.line, page: path.replace(found.pattern, found.kept) || '/' }
}

/** The page that a path is counted as: `/checkout/order-received/151` is `/checkout/order-received`. */
export const onePage = memoize(5000, (path): string => patternFor(path)?.page ?? path)
