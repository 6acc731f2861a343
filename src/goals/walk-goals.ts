// Finds, in a packed day, the views and events by which sessions reach goals.
import { firstViewId } from '../database/view-id.ts'
import type { PackedDay } from '../packed/packed-days.ts'
import type { Matches } from './day-rows.ts'
import type { GoalStep, Scope } from './steps.ts'

/** Called for each view or event that reaches a goal; `session` is -1 for an event outside of any, `event` 0 for a view. */
export type OnHit = (goal: number, session: number, visitor: number, event: number) => void

type PageRule = {
  goal: number
  kind: 'page' | 'scroll' | 'seconds'
  threshold: number
  session: number
  seconds: number
}
type EventRule = { goal: number; accepted: ReadonlySet<number> | null }

const noRules: readonly never[] = []

/** The rules by the number of the page or name that they accept, and those that accept all. */
const group = <Rule>(rules: readonly { ids: readonly number[] | null; rule: Rule }[]) => {
  const byId: (Rule[] | undefined)[] = []
  const always: Rule[] = []
  for (const { ids, rule } of rules) {
    if (ids === null) always.push(rule)
    for (const id of ids ?? []) (byId[id] ??= []).push(rule)
  }
  return { of: (id: number): readonly Rule[] => byId[id] ?? noRules, always }
}

/** Whether a view fulfils a rule. Seconds of a session are added up: its views are adjacent. */
const fits = (rule: PageRule, views: PackedDay['views'], index: number): boolean => {
  if (rule.kind === 'page') return true
  if (rule.kind === 'scroll') return (views.scroll[index] ?? 0) > rule.threshold
  const session = views.session[index] ?? 0
  if (rule.session !== session) {
    rule.session = session
    rule.seconds = 0
  }
  const before = rule.seconds
  rule.seconds += Math.max(0, (views.seconds[index] ?? 0) - 1)
  return before < rule.threshold && rule.seconds >= rule.threshold
}

const walkViews = (
  { views }: PackedDay,
  goals: readonly GoalStep[],
  { sessions, pages }: Scope,
  onHit: OnHit,
): void => {
  const rules = goals.flatMap((step, goal) =>
    step.kind === 'event'
      ? []
      : [
          {
            ids: step.pages === null ? null : [...new Set(step.pages)],
            rule: {
              goal,
              kind: step.kind,
              threshold: step.kind === 'page' ? 0 : step.threshold,
              session: -1,
              seconds: 0,
            },
          },
        ],
  )
  if (rules.length === 0) return
  const { of, always } = group<PageRule>(rules)
  for (let index = 0; index < views.count; index++) {
    const page = views.page[index] ?? 0
    const own = of(page)
    if (own.length === 0 && always.length === 0) continue
    const session = views.session[index] ?? 0
    if ((sessions !== null && sessions[session] !== 1) || (pages !== null && pages[page] !== 1)) continue
    for (const rule of own) if (fits(rule, views, index)) onHit(rule.goal, session, views.visitor[index] ?? 0, 0)
    for (const rule of always) if (fits(rule, views, index)) onHit(rule.goal, session, views.visitor[index] ?? 0, 0)
  }
}

const walkEvents = (
  day: PackedDay,
  goals: readonly GoalStep[],
  { scope: { sessions, pages }, matches, start }: WalkInput,
  onHit: OnHit,
): void => {
  const rules = goals.flatMap((step, goal) =>
    step.kind === 'event' ? [{ ids: [...new Set(step.names)], rule: { goal, accepted: matches(step) } }] : [],
  )
  if (rules.length === 0) return
  const { of } = group<EventRule>(rules)
  const { events } = day
  const first = firstViewId(start)
  for (let index = 0; index < events.count; index++) {
    const own = of(events.name[index] ?? 0)
    if (own.length === 0) continue
    const session = events.session[index] ?? 0
    const isOutside = session === day.sessions.count
    if (sessions !== null && (isOutside || sessions[session] !== 1)) continue
    if (pages !== null && pages[events.page[index] ?? 0] !== 1) continue
    const id = first + firstViewId(events.second[index] ?? 0) + (events.sequence[index] ?? 0)
    const visitor = events.visitor[index] ?? 0
    for (const { goal, accepted } of own)
      if (accepted === null || accepted.has(id)) onHit(goal, isOutside ? -1 : session, visitor, id)
  }
}

export type WalkInput = { scope: Scope; matches: Matches /** The day's first second. */; start: number }

export const walkGoals = (day: PackedDay, goals: readonly GoalStep[], input: WalkInput, onHit: OnHit): void => {
  walkViews(day, goals, input.scope, onHit)
  walkEvents(day, goals, input, onHit)
}
