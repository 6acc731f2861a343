// From the conditions of a segment to the numbers that readers compare.

import type { Segment } from '../condition.ts'
import type { ReportContext } from '../context.ts'
import { reachFilters } from '../goals/filter.ts'
import type { EventFilter, NumberSet, SegmentNumbers } from '../messages.ts'
import { nearestValues, type Unmatched } from './nearest-values.ts'
import { type LookUpOptions, lookUp, type Resolved, slotOf, unmatchedIn } from './resolve.ts'
import { isColumn, type Slot } from './table.ts'

/** Selects every visit. */
export const everything: SegmentNumbers = { slots: {}, hours: null, weekdays: null, events: [], reached: [] }

/** Whether nothing is filtered. */
export const isEverything = ({ slots, hours, weekdays, events, reached }: SegmentNumbers): boolean =>
  Object.keys(slots).length + events.length + reached.length === 0 && hours === null && weekdays === null

const toSet = ({ condition, ids }: Resolved): NumberSet => ({
  included: condition.included,
  ids: [...new Set(ids.flat())],
})

/** What is in both sets. */
const both = (one: NumberSet, other: NumberSet): NumberSet => {
  if (!one.included && !other.included) return { included: false, ids: [...new Set([...one.ids, ...other.ids])] }
  const [given, limit] = one.included ? [one, other] : [other, one]
  const listed = new Set(limit.ids)
  return { included: true, ids: given.ids.filter(id => listed.has(id) === limit.included) }
}

const slotsOf = (resolved: readonly Resolved[]): SegmentNumbers['slots'] => {
  const slots = new Map<Slot, NumberSet>()
  for (const one of resolved) {
    const slot = slotOf(one.condition)
    if (!isColumn(slot)) continue
    const set = toSet(one)
    const known = slots.get(slot)
    slots.set(slot, known === undefined ? set : both(known, set))
  }
  return Object.fromEntries(slots)
}

const timesOf = (resolved: readonly Resolved[], slot: 'hour' | 'weekday', all: readonly number[]): number[] | null => {
  const sets = resolved.filter(({ condition }) => slotOf(condition) === slot).map(toSet)
  return sets.length === 0
    ? null
    : all.filter(number => sets.every(({ included, ids }) => ids.includes(number) === included))
}

type PropertyFilter = EventFilter['properties'][number]

/** Properties are those of one event, unless one is asked for twice: then each time of an event of its own. */
const together = (properties: readonly PropertyFilter[]): PropertyFilter[][] => {
  const groups: PropertyFilter[][] = []
  for (const property of properties) {
    const group = groups.find(one => one.every(({ key }) => key !== property.key))
    if (group === undefined) groups.push([property])
    else group.push(property)
  }
  return groups
}

/** Properties are those of events of the names that the segment asks for; events are those on pages of its hosts. */
const eventsOf = (resolved: readonly Resolved[], hosts: NumberSet | null): EventFilter[] => {
  const named = resolved
    .filter(({ condition }) => condition.key === 'event')
    .map(one => ({ included: one.condition.included, names: toSet(one).ids, properties: [], hosts, pages: null }))
  const wanted = named.filter(({ included }) => included)
  const names = wanted.length === 0 ? null : wanted.flatMap(one => one.names)
  const properties = resolved.flatMap(({ condition, ids }) =>
    condition.key === 'property' ? [{ included: condition.included, key: condition.property, values: ids.flat() }] : [],
  )
  const filters = properties.map(({ included, ...property }) => ({ included, property }))
  const held = filters.flatMap(({ included, property }) => (included ? [property] : []))
  return [
    ...named,
    ...together(held).map(group => ({ included: true, names, properties: group, hosts, pages: null })),
    ...filters.flatMap(({ included, property }) =>
      included ? [] : [{ included, names, properties: [property], hosts, pages: null }],
    ),
  ]
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

const numbersOf = async (
  segment: Segment,
  resolved: readonly Resolved[],
  read: ReportContext['read'],
  options: LookUpOptions,
): Promise<SegmentNumbers> => {
  const slots = slotsOf(resolved)
  return {
    slots,
    hours: timesOf(resolved, 'hour', range(0, 23)),
    weekdays: timesOf(resolved, 'weekday', range(1, 7)),
    events: eventsOf(resolved, slots.host ?? null),
    reached: await reachFilters(segment, read, options),
  }
}

const bothTimes = (one: readonly number[] | null, other: readonly number[] | null): readonly number[] | null =>
  one === null || other === null ? (one ?? other) : one.filter(number => other.includes(number))

const bothSets = (one: NumberSet | null, other: NumberSet | null): NumberSet | null =>
  one === null || other === null ? (one ?? other) : both(one, other)

/**
 * What both select. What the fixed filters of pages and hosts leave out is not named either: events on other pages do not
 * count, and beginnings and ends on them are not told apart where the query filters by them or the report lists them.
 */
const intersect = (fixed: SegmentNumbers, asked: SegmentNumbers, listed: PageSlot | null): SegmentNumbers => {
  const slots = { ...fixed.slots, ...asked.slots }
  for (const [slot, set] of Object.entries(fixed.slots) as [Slot, NumberSet][]) {
    const other = asked.slots[slot]
    if (other !== undefined) slots[slot] = both(set, other)
  }
  const { host = null, page = null } = fixed.slots
  if (page !== null) {
    slots.event_page = page
    for (const slot of ['entry_page', 'exit_page'] as const)
      if (asked.slots[slot] !== undefined || slot === listed) slots[slot] = bothSets(slots[slot] ?? null, page) ?? page
  }
  return {
    slots,
    hours: bothTimes(fixed.hours, asked.hours),
    weekdays: bothTimes(fixed.weekdays, asked.weekdays),
    events: [...fixed.events, ...asked.events.map(one => ({ ...one, hosts: bothSets(host, one.hosts), pages: page }))],
    reached: [...fixed.reached, ...asked.reached],
  }
}

type Selected = { numbers: SegmentNumbers | null; meta: { unmatched?: Unmatched[] } }

/** `fixed` is what the caller is held to, looked up by itself: nothing that is `asked` for changes its meaning. */
export type Segments = { asked: Segment | null; fixed: Segment | null; listed?: PageSlot | null }

/** Which pages a report lists of visits that may have others. */
export type PageSlot = 'entry_page' | 'exit_page'

/**
 * Looks up what segments select together; of all visits nothing.
 * @throws ApiError 400 for a pattern that fits too many values
 */
export const selectSegment = async (
  { asked, fixed, listed = null }: Segments,
  read: ReportContext['read'],
  options: LookUpOptions = {},
): Promise<Selected> => {
  const held = fixed && (await numbersOf(fixed, await lookUp(fixed, read, options), read, options))
  if (asked === null) return { numbers: held && intersect(held, everything, listed), meta: {} }
  const resolved = await lookUp(asked, read, options)
  const numbers = await numbersOf(asked, resolved, read, options)
  // Who is held to a part of the visits must not learn which values others have.
  if (held !== null) return { numbers: intersect(held, numbers, listed), meta: {} }
  const unmatched = await nearestValues(unmatchedIn(resolved), read, options)
  return { numbers, meta: unmatched.length === 0 ? {} : { unmatched } }
}
