// Counts the steps of paths. A path is the pages and events of a session in their order; a page by its number, an event by
// the negative one of its name. Repeats in a row are one step.
import type { NodeSet, PathRequest } from '../messages.ts'

/** `ends`: sessions whose path has no further step. */
type Figures = { sessions: number; ends: number }
export type NodeRow = Figures & { step: number; kind: 'start' | 'page' | 'event' | 'single' | 'other'; id: number }

export type PathSums = {
  /**
   * @param nodes the first `count` are the path
   * @param began whether it begins where the session did, and ended: for paths without a start page
   */
  add: (nodes: readonly number[], count: number, began: boolean, ended: boolean) => void
  rows: () => NodeRow[]
}

/** No node has this number. */
const none = 0

const nodesOf = ({ kind, ids }: NodeSet): Set<number> => new Set(ids.map(id => (kind === 'page' ? id : -id)))

/** The most frequent nodes of a step; those of one session, and all others, as sums: nobody's own path is shown. */
const listStep = (step: number, nodes: ReadonlyMap<number, Figures>, limit: number): NodeRow[] => {
  const shared = [...nodes].filter(([, { sessions }]) => sessions > 1)
  shared.sort(([one, a], [other, b]) => b.sessions - a.sessions || one - other)
  const sums: NodeRow[] = []
  const sumUp = (kind: 'single' | 'other', rest: readonly Figures[]): void => {
    if (rest.length === 0) return
    const sum = (key: keyof Figures): number => rest.reduce((all, figures) => all + figures[key], 0)
    sums.push({ step, kind, id: 0, sessions: sum('sessions'), ends: sum('ends') })
  }
  sumUp(
    'other',
    shared.slice(limit).map(([, figures]) => figures),
  )
  sumUp(
    'single',
    [...nodes.values()].filter(({ sessions }) => sessions === 1),
  )
  const listed = shared.slice(0, limit).map(([node, figures]): NodeRow => {
    const kind = node > none ? 'page' : 'event'
    return { step, kind, id: Math.abs(node), ...figures }
  })
  return [...listed, ...sums]
}

/**
 * A path starts at the first view of a start page, else where the session began or, backwards, ended; then come the
 * nodes of `via`. Sessions are counted there (step 0) and at each of the following steps.
 */
export const createPathSums = ({ direction, include, start, via, depth, limit }: PathRequest): PathSums => {
  const forward = direction === 'next'
  const [withPages, withEvents] = [include !== 'events', include !== 'pages']
  const starts = start === null ? null : nodesOf({ kind: 'page', ids: start })
  const wanted = via.map(nodesOf)
  const first: Figures = { sessions: 0, ends: 0 }
  const steps = Array.from({ length: depth }, () => new Map<number, Figures>())

  const add: PathSums['add'] = (nodes, count, began, ended) => {
    let at = forward ? -1 : count
    let last = none
    if (starts !== null) {
      at = 0
      while (at < count && !starts.has(nodes[at] ?? none)) at++
      if (at === count) return
      last = nodes[at] ?? none
    } else if (!(forward ? began : ended)) return
    const next = (): number => {
      for (at += forward ? 1 : -1; at >= 0 && at < count; at += forward ? 1 : -1) {
        const node = nodes[at] ?? none
        if (node === last || !(node > none ? withPages : withEvents)) continue
        last = node
        return node
      }
      return none
    }
    let node = next()
    for (const set of wanted) {
      if (!set.has(node)) return
      node = next()
    }
    let here = first
    for (let step = 0; ; step++) {
      here.sessions += 1
      if (node === none) {
        here.ends += 1
        return
      }
      const figures = steps[step]
      if (figures === undefined) return
      const known = figures.get(node)
      here = known ?? { sessions: 0, ends: 0 }
      if (known === undefined) figures.set(node, here)
      node = next()
    }
  }

  return {
    add,
    rows: () => [
      { step: 0, kind: 'start', id: 0, ...first },
      ...steps.flatMap((nodes, index) => listStep(index + 1, nodes, limit)),
    ],
  }
}
