// Paths of visits as plain lists, written from the contract's text (capabilities D).

import { createCalendar } from './rules.ts'
import { type Filters, select, type Visit } from './segments.ts'

/** A page with its host, or an event. */
export type Node = { page: string } | { event: string }

export type PathQuestion = {
  direction: 'next' | 'previous'
  include: 'pages' | 'events' | 'both'
  /** The pages, with their hosts, at which paths start; null for where visits began or ended. */
  start: readonly string[] | null
  via: readonly Node[]
  depth: number
  /** The visits that a row needs to be named. */
  least: number
  /** Whether the filter of pages is that of the link with which it is asked. */
  held: boolean
}

const keyOf = (node: Node): string => ('page' in node ? node.page : `event:${node.event}`)
const withoutRepeats = (keys: readonly string[]): string[] => keys.filter((key, index) => key !== keys[index - 1])

type Tally = { sessions: number; ends: number }
export type Expected = { start: Tally; steps: { shared: Map<string, Tally>; single: Tally }[] }

const tally = (paths: readonly (readonly string[])[], length: number): Tally => ({
  sessions: paths.length,
  ends: paths.filter(path => path.length === length).length,
})

/** What follows the start in a visit; null if the visit has no such start. */
const restOf = (
  { seen, events, began, ended }: ReturnType<typeof select>[number],
  { direction, include, start }: PathQuestion,
): string[] | null => {
  const all = [
    ...seen.map(({ second, host, page }) => ({ second, order: 0, node: { page: `${host}${page}` } as Node })),
    ...events.map(({ second, name }) => ({ second, order: 1, node: { event: name } as Node })),
  ]
    .sort((a, b) => a.second - b.second || a.order - b.order)
    .map(({ node }) => node)
  const counts = (node: Node): boolean => include === 'both' || include === ('page' in node ? 'pages' : 'events')
  if (start === null) {
    if (!(direction === 'next' ? began : ended)) return null
    const keys = withoutRepeats(all.filter(counts).map(keyOf))
    return direction === 'next' ? keys : keys.reverse()
  }
  const at = all.findIndex(node => 'page' in node && start.includes(node.page))
  const first = all[at]
  if (first === undefined) return null
  const rest = direction === 'next' ? all.slice(at + 1) : all.slice(0, at).reverse()
  return withoutRepeats([first, ...rest.filter(counts)].map(keyOf)).slice(1)
}

export const expectPaths = (
  visits: readonly Visit[],
  filters: Filters,
  zone: string,
  days: readonly string[],
  question: PathQuestion,
): Expected => {
  const { dayOf } = createCalendar(zone)
  const { via, depth, least, held } = question
  const paths = select(visits, filters, held)
    .filter(({ visit }) => days.includes(dayOf(visit.views[0]?.second ?? 0)))
    .flatMap(one => {
      const rest = restOf(one, question)
      return rest !== null && via.every((node, index) => rest[index] === keyOf(node)) ? [rest] : []
    })
  const steps = Array.from({ length: depth }, (_, index) => {
    const position = via.length + index
    const reached = Map.groupBy(
      paths.filter(path => path.length > position),
      path => path[position] ?? '',
    )
    const alone = [...reached.values()].filter(list => list.length < least).flat()
    return {
      shared: new Map(
        [...reached]
          .filter(([, list]) => list.length >= least)
          .map(([key, list]) => [key, tally(list, position + 1)] as const),
      ),
      single: tally(alone, position + 1),
    }
  })
  return { start: tally(paths, via.length), steps }
}
