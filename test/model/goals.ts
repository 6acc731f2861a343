// What goals and funnels count, written from the contract's text (capabilities.md B and C) as plain loops over visits.
import { createCalendar } from './rules.ts'
import { type Filters, type Happening, matches, select, type View, type Visit, zone } from './segments.ts'

const { dayOf } = createCalendar(zone)

export type Rule = {
  kind: 'page' | 'event' | 'scroll' | 'seconds'
  pattern: string
  threshold?: number
  property?: { key: string; value: string }
}

const fitsPage = ({ pattern }: Rule, { host, page }: View): boolean =>
  pattern
    .split(/(?<!\\),/)
    .map(one => one.replaceAll('\\', ''))
    .some(one => matches(one, page) || (!/^[/*]/.test(one) && matches(one, `${host}${page}`)))

const fitsEvent = ({ pattern, property }: Rule, { name, plan }: Happening): boolean =>
  pattern.split(',').some(one => matches(one, name)) && (property === undefined || plan === property.value)

/** A part of a visit: what of it happened on one day, at the hosts that count. */
type Part = { visit: Visit; day: string; views: View[]; events: Happening[] }

/** The parts of the selected visits. A filter by page selects visits, not views. */
const partsOf = (visits: readonly Visit[], filters: Filters, days: readonly string[]): Part[] =>
  select(visits, filters).flatMap(({ visit, events }) => {
    const { page: _page, ...others } = filters
    const views = select([visit], others).flatMap(({ seen }) => seen)
    return days.map(day => ({
      visit,
      day,
      views: views.filter(({ second }) => dayOf(second) === day),
      events: events.filter(({ second }) => dayOf(second) === day),
    }))
  })

/** How often a part of a visit reaches a goal. */
const hitsOf = (rule: Rule, { views, events }: Pick<Part, 'views' | 'events'>): number => {
  if (rule.kind === 'event') return events.filter(event => fitsEvent(rule, event)).length
  const fitting = views.filter(view => fitsPage(rule, view))
  if (rule.kind === 'page') return fitting.length
  if (rule.kind === 'scroll') return fitting.filter(({ scroll }) => (scroll ?? -1) >= (rule.threshold ?? 0)).length
  const seconds = fitting.reduce((sum, view) => sum + (view.seconds ?? 0), 0)
  return seconds >= (rule.threshold ?? 0) && fitting.length > 0 ? 1 : 0
}

const distinct = (values: readonly string[]): number => new Set(values).size

export const countGoal = (rule: Rule, visits: readonly Visit[], filters: Filters, days: readonly string[]) => {
  const reached = partsOf(visits, filters, days)
    .map(part => ({ ...part, hits: hitsOf(rule, part) }))
    .filter(({ hits }) => hits > 0)
  return {
    sessions: reached.length,
    visitors: distinct(reached.map(({ day, visit }) => `${day} ${visit.who}`)),
    total: reached.reduce((sum, { hits }) => sum + hits, 0),
  }
}

/** The sessions that reach a goal by a dimension of theirs. */
export const groupGoal = (
  rule: Rule,
  keyOf: (visit: Visit) => string | null,
  visits: readonly Visit[],
  days: readonly string[],
): Map<string | null, number> => {
  const groups = new Map<string | null, number>()
  for (const part of partsOf(visits, {}, days))
    if (hitsOf(rule, part) > 0) groups.set(keyOf(part.visit), (groups.get(keyOf(part.visit)) ?? 0) + 1)
  return groups
}

const daysOf = ({ views, events }: Visit): string[] => [
  ...new Set([...views, ...events].map(({ second }) => dayOf(second))),
]

const partOn = (visit: Visit, day: string): Part => ({
  visit,
  day,
  views: visit.views.filter(({ second }) => dayOf(second) === day),
  events: visit.events.filter(({ second }) => dayOf(second) === day),
})

/** Whether a visit reaches a goal on any of its days. */
export const reaches = (rule: Rule, visit: Visit): boolean =>
  daysOf(visit).some(day => hitsOf(rule, partOn(visit, day)) > 0)

export type FunnelRule = { steps: readonly Rule[]; strict: boolean }

type Item = { view: View | null; event: Happening | null }

/** Views and events in their order; of the same second the view is first. */
const itemsOf = ({ views, events }: Part): Item[] =>
  [
    ...views.map(view => ({ second: view.second, rank: 0, view, event: null })),
    ...events.map(event => ({ second: event.second, rank: 1, view: null, event })),
  ].sort((a, b) => a.second - b.second || a.rank - b.rank)

const fitsStep = (rule: Rule, { view, event }: Item): boolean =>
  rule.kind === 'page' ? view !== null && fitsPage(rule, view) : event !== null && fitsEvent(rule, event)

/** Whether steps up to one can be made so that this item is the last of them: every way is tried. */
const canEndAt = ({ steps, strict }: FunnelRule, items: readonly Item[], at: number, step: number): boolean => {
  const [rule, item] = [steps[step], items[at]]
  if (rule === undefined || item === undefined || !fitsStep(rule, item)) return false
  if (step === 0) return true
  for (let before = at - 1; before >= 0; before--) {
    const between = items.slice(before + 1, at)
    if (strict && between.some(({ view }) => view !== null)) return false
    if (canEndAt({ steps, strict }, items, before, step - 1)) return true
  }
  return false
}

type Way = { depth: number; next: string | null }

const wayOf = (funnel: FunnelRule, part: Part): Way => {
  const items = itemsOf(part)
  for (let depth = funnel.steps.length; depth > 0; depth--) {
    const end = items.findIndex((_, at) => canEndAt(funnel, items, at, depth - 1))
    if (end < 0) continue
    const nameOf = (view: View | null | undefined): string | undefined =>
      view ? `${view.host}${view.page}` : undefined
    const here = nameOf(items.slice(0, end + 1).findLast(({ view }) => view !== null)?.view)
    const next = items.slice(end + 1).find(({ view }) => view !== null && nameOf(view) !== here)
    return { depth, next: nameOf(next?.view) ?? null }
  }
  return { depth: 0, next: null }
}

/** @param most pages that are listed as viewed instead */
export const countFunnel = (
  funnel: FunnelRule,
  visits: readonly Visit[],
  filters: Filters,
  days: readonly string[],
  most = 5,
) => {
  const ways = partsOf(visits, filters, days).map(part => wayOf(funnel, part))
  return funnel.steps.map((_, step) => {
    const lost = step + 1 === funnel.steps.length ? [] : ways.filter(({ depth }) => depth === step + 1)
    const pages = new Map<string, number>()
    for (const { next } of lost) if (next !== null) pages.set(next, (pages.get(next) ?? 0) + 1)
    return {
      step: step + 1,
      sessions: ways.filter(({ depth }) => depth > step).length,
      dropped: lost.length,
      exits: lost.filter(({ next }) => next === null).length,
      next_instead: [...pages]
        .map(([page, sessions]) => ({ page, sessions }))
        .sort((a, b) => b.sessions - a.sessions || (a.page < b.page ? -1 : 1))
        .slice(0, most),
    }
  })
}

/** Whether a visit makes the steps of a funnel on any of its days. */
export const passes = (funnel: FunnelRule, visit: Visit): boolean =>
  daysOf(visit).some(day => wayOf(funnel, partOn(visit, day)).depth === funnel.steps.length)

/** One page is one of each host, so that rollups answer only those with their host. */
export const rules: readonly Rule[] = [
  { kind: 'page', pattern: 'shop.example/a' },
  { kind: 'page', pattern: '/a' },
  { kind: 'page', pattern: '/b,/c\\,d' },
  { kind: 'page', pattern: '/*' },
  { kind: 'page', pattern: '/nowhere' },
  { kind: 'page', pattern: 'blog.example/*' },
  { kind: 'event', pattern: 'signup' },
  { kind: 'event', pattern: 'sign*,download' },
  { kind: 'event', pattern: 'signup', property: { key: 'plan', value: 'pro' } },
  { kind: 'event', pattern: '*', property: { key: 'plan', value: 'free' } },
  { kind: 'event', pattern: 'never' },
  { kind: 'scroll', pattern: '/*', threshold: 50 },
  { kind: 'scroll', pattern: '/b', threshold: 75 },
  { kind: 'scroll', pattern: '/*', threshold: 100 },
  { kind: 'scroll', pattern: '/*', threshold: 1 },
  { kind: 'seconds', pattern: '/*', threshold: 40 },
  // A view of no seconds reaches none.
  { kind: 'seconds', pattern: '/*', threshold: 1 },
  { kind: 'seconds', pattern: '/,/a', threshold: 20 },
]

export const page = (pattern: string): Rule => ({ kind: 'page', pattern })
const event = (pattern: string): Rule => ({ kind: 'event', pattern })
export const funnels: readonly FunnelRule[] = [
  { steps: [page('/*'), page('/a')], strict: false },
  { steps: [page('/*'), page('/*'), page('/b')], strict: true },
  { steps: [page('/a'), event('*'), page('/b')], strict: false },
  { steps: [page('/'), page('/a')], strict: true },
  { steps: [page('/a'), event('*')], strict: true },
  { steps: [page('/*'), event('signup'), page('/*')], strict: true },
  {
    steps: [page('/*'), { kind: 'event', pattern: 'signup', property: { key: 'plan', value: 'pro' } }],
    strict: false,
  },
  { steps: [event('signup'), event('*'), page('blog.example/*')], strict: false },
]
