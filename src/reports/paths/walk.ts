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

/** Nodes as indexes of an array: pages even, events odd. */
const indexOf = (node: number): number => (node > none ? 2 * node : 1 - 2 * node)
const nodeAt = (index: number): number => (index % 2 === 0 ? index / 2 : (1 - index) / 2)

/** 1 at the nodes of a set: arrays are read several times as fast as sets. */
const marksOf = ({ kind, ids }: NodeSet): Uint8Array => {
  const indexes = ids.map(id => indexOf(kind === 'page' ? id : -id))
  const marks = new Uint8Array(indexes.reduce((size, index) => Math.max(size, index + 1), 0))
  for (const index of indexes) marks[index] = 1
  return marks
}

/** Counts the sessions at the nodes of a step. */
const createStep = () => {
  let [sessions, ends] = [new Uint32Array(1024), new Uint32Array(1024)]
  const grown = (counts: Uint32Array, size: number): Uint32Array<ArrayBuffer> => {
    const larger = new Uint32Array(size)
    larger.set(counts)
    return larger
  }
  return {
    add: (node: number, isEnd: boolean): void => {
      const index = indexOf(node)
      if (index >= sessions.length) {
        sessions = grown(sessions, 2 * index)
        ends = grown(ends, 2 * index)
      }
      sessions[index] = (sessions[index] ?? 0) + 1
      if (isEnd) ends[index] = (ends[index] ?? 0) + 1
    },
    nodes: (): [number, Figures][] =>
      [...sessions].flatMap((count, index): [number, Figures][] =>
        count === 0 ? [] : [[nodeAt(index), { sessions: count, ends: ends[index] ?? 0 }]],
      ),
  }
}

/** The most frequent nodes of a step; those of one session, or fewer than `least`, and all others, as sums: nobody's own path is shown. */
const listStep = (
  step: number,
  nodes: readonly (readonly [number, Figures])[],
  { limit, least }: Pick<PathRequest, 'limit' | 'least'>,
): NodeRow[] => {
  const rowOf = ([node, figures]: readonly [number, Figures]): NodeRow => {
    const kind = node > none ? 'page' : 'event'
    return { step, kind, id: Math.abs(node), ...figures }
  }
  if (limit === null) return nodes.map(rowOf)
  const shared = nodes.filter(([, { sessions }]) => sessions >= least)
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
    nodes.flatMap(([, figures]) => (figures.sessions < least ? [figures] : [])),
  )
  return [...shared.slice(0, limit).map(rowOf), ...sums]
}

/**
 * A path starts at the first view of a start page, else where the session began or, backwards, ended; then come the
 * nodes of `via`. Sessions are counted there (step 0) and at each of the following steps.
 */
export const createPathSums = (request: PathRequest): PathSums => {
  const { direction, include, start, via, depth } = request
  const forward = direction === 'next'
  const [withPages, withEvents] = [include !== 'events', include !== 'pages']
  const starts = start === null ? null : marksOf({ kind: 'page', ids: start })
  const wanted = via.map(marksOf)
  const first: Figures = { sessions: 0, ends: 0 }
  const steps = Array.from({ length: depth }, createStep)

  const add: PathSums['add'] = (nodes, count, began, ended) => {
    let at = forward ? -1 : count
    let last = none
    if (starts !== null) {
      at = 0
      while (at < count && starts[indexOf(nodes[at] ?? none)] !== 1) at++
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
      if (set[indexOf(node)] !== 1) return
      node = next()
    }
    first.sessions += 1
    if (node === none) first.ends += 1
    for (const step of steps) {
      if (node === none) return
      const here = node
      node = next()
      step.add(here, node === none)
    }
  }

  return {
    add,
    rows: () => [
      { step: 0, kind: 'start', id: 0, ...first },
      ...steps.flatMap((step, index) => listStep(index + 1, step.nodes(), request)),
    ],
  }
}
