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

type Group = GroupCount & {
  key: string
  index: number /** The number of the list that it was last put on. */
  listed: number
}

/** Finds the groups of sessions. Several numbers can be of one key, such as pages of one name. */
const createFinder = ({ column, keyOf }: Grouping) => {
  const byKey = new Map<string, Group>()
  const byValue: (Group | undefined)[] = []
  const found: Group[] = []
  let list = 0

  const groupOf = (value: number): Group => {
    const known = byValue[value]
    if (known !== undefined) return known
    const key = keyOf(value)
    const group = byKey.get(key) ?? { ...noCount(), all: 0, key, index: byKey.size, listed: 0 }
    byKey.set(key, group)
    byValue[value] = group
    return group
  }

  /** Gives the groups of a session, until it is called again. */
  const ofDay = ({ sessions, views }: PackedDay, { pages }: Scope): ((session: number) => readonly Group[]) => {
    if (column !== 'page') {
      const values = sessions[column]
      return session => {
        found[0] = groupOf(values[session] ?? 0)
        return found
      }
    }
    const firstView = new Uint32Array(sessions.count).fill(views.count)
    for (let index = views.count - 1; index >= 0; index--) firstView[views.session[index] ?? 0] = index
    return session => {
      found.length = 0
      list += 1
      for (let index = firstView[session] ?? views.count; views.session[index] === session; index++) {
        const page = views.page[index] ?? 0
        if (pages !== null && pages[page] !== 1) continue
        const group = groupOf(page)
        if (group.listed === list) continue
        group.listed = list
        found.push(group)
      }
      return found
    }
  }
  return { ofDay, all: (): Iterable<Group> => byKey.values() }
}

/** @param began 1 for each session whose begin counts; null if all that began on the day do */
export type GroupedDay = CountedDay & { began: Uint8Array | null }

/** Sessions of a group count on the day on which they began; those of a page on each day on which they viewed it. */
export const createGroups = (grouping: Grouping, goal: CountedGoal) => {
  const finder = createFinder(grouping)

  const addSessions = (
    { packed: { sessions }, scope, began }: GroupedDay,
    ofSession: (session: number) => readonly Group[],
  ) => {
    const counts = grouping.column === 'page' ? scope.sessions : (began ?? sessions.hour)
    for (let session = 0; session < sessions.count; session++)
      if (counts === null || (counts[session] ?? 0) > 0) for (const group of ofSession(session)) group.all += 1
  }

  const add = (day: GroupedDay): void => {
    const { list, span, packed, scope } = day
    const ofSession = finder.ofDay(packed, scope)
    addSessions(day, ofSession)
    const values = valuesFor(list, span, [goal])
    // One more than the visitor by whom each session reached the goal first.
    const reachedBy = new Uint32Array(packed.sessions.count)
    const seen = new Set<number>()
    const input = { scope, matches: matchesOf(list, span), start: span.start }
    walkGoals(packed, [goal.step], input, (_, session, visitor, event) => {
      if (session < 0) return
      const before = reachedBy[session]
      if (before === 0) reachedBy[session] = visitor + 1
      const value = event !== 0 && goal.values ? (values.get(event) ?? 0) : 0
      for (const group of ofSession(session)) {
        group.total += 1
        group.value += value
        if (before === 0) group.sessions += 1
        if (before === visitor + 1) continue
        const known = seen.size
        group.visitors += seen.add(group.index * packed.visitors + visitor).size - known
      }
    })
    if (!goal.orders) return
    for (const { id, session } of dayOrders(list, span, packed))
      if ((reachedBy[session] ?? 0) > 0) for (const group of ofSession(session)) group.orders.push(id)
  }

  return { add, all: finder.all }
}
