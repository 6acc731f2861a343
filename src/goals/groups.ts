// Adds up what one goal counts, by a dimension of its sessions.
import * as v from 'valibot'
import { type Db, iterate, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Column, PackedDay, SessionColumn } from '../packed/packed-days.ts'
import sqlText from '../sql/goals-groups.sql'
import { type CountedDay, type CountedGoal, type GoalCount, noCount, valuesFor } from './count.ts'
import { dayOrders, matchesOf } from './day-rows.ts'
import { walkGoals } from './walk-goals.ts'

const sql = statements(sqlText)

/** The column of sessions that is grouped by, or the pages that they viewed, and the key of each of its numbers. */
type Grouping = { column: SessionColumn | 'page'; keyOf: (value: number) => string }

/** The column of packed sessions that each kind of group is read from. */
const columns = {
  channel: 'origin',
  source: 'origin',
  utm_source: 'campaign',
  utm_medium: 'campaign',
  utm_campaign: 'campaign',
  utm: 'campaign',
  page: 'page',
  entry_page: 'entry_page',
  exit_page: 'exit_page',
  host: 'entry_page',
  continent: 'place',
  country: 'place',
  region: 'place',
  city: 'place',
  language: 'language',
  device: 'client',
  browser: 'client',
  os: 'client',
  screen: 'screen',
} as const satisfies Readonly<Record<string, Grouping['column']>>

export type GroupKind = keyof typeof columns

export const groupKinds = Object.keys(columns) as GroupKind[]

const groupsQuery = query(
  sql('segment.goal-group.list'),
  v.object({ kind: v.string() }),
  v.object({ id: v.number(), value: v.string(), within: v.string() }),
)

/** Separates a value from what it is within: no stored text holds control characters. */
const gap = '\u001f'

const textOf = (value: string, within: string): string => `${value}${gap}${within}`

/** The value of a key and the country or channel that it is within; null where unknown. */
export const readGroup = (key: string): { key: string | null; within: string | null } => {
  const [value = '', within = ''] = key.split(gap)
  return { key: value || null, within: within || null }
}

export const groupingOf = (db: Db, kind: GroupKind): Grouping => {
  const keys = new Map<number, string>()
  for (const { id, value, within } of iterate(db, groupsQuery, { kind })) keys.set(id, textOf(value, within))
  const unknown = textOf('', '')
  return { column: columns[kind], keyOf: value => keys.get(value) ?? unknown }
}

/** What the goal counts in a group, and all of the group's sessions. */
export type GroupCount = GoalCount & { all: number }

type Group = GroupCount & { key: string }

/** The groups of each session of a day, by their numbers. */
type DayGroups = {
  /** Calls back for each group of a session. */
  each: (session: number, use: (group: Group, index: number) => void) => void
  /** Counts in the groups of all sessions of which `counts` is more than 0; null for all. */
  addAll: (counts: Column | null) => void
}

/** Numbers groups. Several values can be of one key, such as pages of one name. */
const createNumbers = (keyOf: Grouping['keyOf']) => {
  const groups: Group[] = []
  const byKey = new Map<string, number>()
  const byValue: number[] = []
  const find = (value: number): number => {
    const key = keyOf(value)
    const index = byKey.get(key) ?? groups.length
    if (index === groups.length) {
      groups.push({ ...noCount(), all: 0, key })
      byKey.set(key, index)
    }
    byValue[value] = index
    return index
  }
  return { groups, of: (value: number): number => byValue[value] ?? find(value) }
}

type Numbers = ReturnType<typeof createNumbers>

const bySession = ({ groups, of }: Numbers, values: Column): DayGroups => ({
  each: (session, use) => {
    const index = of(values[session] ?? 0)
    const group = groups[index]
    if (group !== undefined) use(group, index)
  },
  addAll: counts => {
    for (let session = 0; session < values.length; session++) {
      const group = counts === null || (counts[session] ?? 0) > 0 ? groups[of(values[session] ?? 0)] : undefined
      if (group !== undefined) group.all += 1
    }
  },
})

const byPage = ({ groups, of }: Numbers, { sessions, views }: PackedDay, pages: Uint8Array | null): DayGroups => {
  const { count, session, page } = views
  const firstView = new Uint32Array(sessions.count).fill(count)
  /** One more than the group of a page that its session views first by this view; 0 for others. */
  const groupAt = new Uint32Array(count)
  /** By group, one more than the session that viewed it last. */
  const last: number[] = []
  for (let index = 0; index < count; index++) {
    const [own, shown] = [session[index] ?? 0, page[index] ?? 0]
    if (firstView[own] === count) firstView[own] = index
    if (pages !== null && pages[shown] !== 1) continue
    const group = of(shown)
    if (last[group] === own + 1) continue
    last[group] = own + 1
    groupAt[index] = group + 1
  }
  return {
    each: (wanted, use) => {
      for (let index = firstView[wanted] ?? count; session[index] === wanted; index++) {
        const group = groups[(groupAt[index] ?? 0) - 1]
        if (group !== undefined) use(group, (groupAt[index] ?? 0) - 1)
      }
    },
    addAll: counts => {
      const all = new Uint32Array(groups.length + 1)
      for (let index = 0; index < count; index++)
        if (counts === null || (counts[session[index] ?? 0] ?? 0) > 0)
          all[groupAt[index] ?? 0] = (all[groupAt[index] ?? 0] ?? 0) + 1
      for (const [index, group] of groups.entries()) group.all += all[index + 1] ?? 0
    },
  }
}

/** @param began 1 for each session whose begin counts; null if all that began on the day do */
export type GroupedDay = CountedDay & { began: Uint8Array | null }

/** Sessions of a group count on the day on which they began; those of a page on each day on which they viewed it. */
export const createGroups = ({ column, keyOf }: Grouping, goal: CountedGoal) => {
  const numbers = createNumbers(keyOf)
  const add = ({ list, span, packed, scope, began }: GroupedDay): void => {
    const { sessions, visitors } = packed
    const day = column === 'page' ? byPage(numbers, packed, scope.pages) : bySession(numbers, sessions[column])
    day.addAll(column === 'page' ? scope.sessions : (began ?? sessions.hour))
    const values = valuesFor(list, span, [goal])
    // One more than the visitor by whom each session reached the goal first.
    const reachedBy = new Uint32Array(sessions.count)
    const seen = new Set<number>()
    const input = { scope, matches: matchesOf(list, span), start: span.start }
    walkGoals(packed, [goal.step], input, (_, session, visitor, event) => {
      if (session < 0) return
      const before = reachedBy[session] ?? 0
      if (before === 0) reachedBy[session] = visitor + 1
      const value = event !== 0 && goal.values ? (values.get(event) ?? 0) : 0
      day.each(session, (group, index) => {
        group.total += 1
        group.value += value
        if (before === 0) group.sessions += 1
        if (before === visitor + 1) return
        const known = seen.size
        group.visitors += seen.add(index * visitors + visitor).size - known
      })
    })
    if (!goal.orders) return
    for (const { id, session } of dayOrders(list, span, packed))
      if ((reachedBy[session] ?? 0) > 0) day.each(session, group => group.orders.push(id))
  }
  return { add, groups: numbers.groups }
}
