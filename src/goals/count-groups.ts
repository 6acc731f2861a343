// Adds up what one goal counts, by a dimension of its sessions.
import type { PackedDay, SessionColumn } from '../rollup/packed-format.ts'
import { valuesFor, noCount, type CountedDay, type CountedGoal, type GoalCount } from './count-goals.ts'
import { matchesOf } from './events.ts'
import { dayOrders } from './orders.ts'
import type { Scope } from './steps.ts'
import { walkGoals } from './walk-goals.ts'

/** The column of sessions that is grouped by, or the pages that they viewed, and the key of each of its numbers. */
export type Grouping = { column: SessionColumn | 'page'; keyOf: (value: number) => string }

/** What the goal counts in a group, and all of the group's sessions. */
export type GroupCount = GoalCount & { all: number }

/** The keys of each session; those of pages are several. */
const keysOf = (
  { sessions, views }: PackedDay,
  { column, keyOf }: Grouping,
  { pages }: Scope,
): ((session: number) => Iterable<string>) => {
  if (column !== 'page') {
    const values = sessions[column]
    return session => [keyOf(values[session] ?? 0)]
  }
  const keys = Array.from({ length: sessions.count }, () => new Set<string>())
  for (let index = 0; index < views.count; index++) {
    const page = views.page[index] ?? 0
    if (pages === null || pages[page] === 1) keys[views.session[index] ?? 0]?.add(keyOf(page))
  }
  return session => keys[session] ?? []
}

/**
 * Sessions of a group count on the day on which they began; those of a page on each day on which they viewed it.
 * @param began 1 for each session whose begin counts
 */
export const addGroups = (
  groups: Map<string, GroupCount>,
  grouping: Grouping,
  goal: CountedGoal,
  { list, span, packed, scope, began }: CountedDay & { began: Uint8Array },
): void => {
  const ofSession = keysOf(packed, grouping, scope)
  const groupOf = (key: string): GroupCount => {
    const group = groups.get(key) ?? { ...noCount(), all: 0 }
    groups.set(key, group)
    return group
  }
  const counts = grouping.column === 'page' ? scope.sessions : began
  for (let session = 0; session < packed.sessions.count; session++)
    if (counts === null || counts[session] === 1) for (const key of ofSession(session)) groupOf(key).all += 1

  const values = valuesFor(list, span, [goal])
  const reached = new Uint8Array(packed.sessions.count)
  const seen = new Set<string>()
  const input = { scope, matches: matchesOf(list, span), start: span.start }
  walkGoals(packed, [goal.step], input, (_, session, visitor, event) => {
    if (session < 0) return
    const isFirst = reached[session] === 0
    reached[session] = 1
    for (const key of ofSession(session)) {
      const group = groupOf(key)
      group.total += 1
      group.sessions += isFirst ? 1 : 0
      group.visitors += seen.size < seen.add(`${visitor} ${key}`).size ? 1 : 0
      group.value += event !== 0 && goal.values ? (values.get(event) ?? 0) : 0
    }
  })
  if (!goal.orders) return
  for (const { id, session } of dayOrders(list, span, packed))
    if (reached[session] === 1) for (const key of ofSession(session)) groupOf(key).orders.push(id)
}
