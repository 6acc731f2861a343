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

/** Properties are those of events of the names that the segment asks for. */
const eventsOf = (resolved: readonly Resolved[]): EventFilter[] => {
  const named = resolved
    .filter(({ condition }) => condition.key === 'event')
    .map(one => ({ included: one.condition.included, names: toSet(one).ids, properties: [] }))
  const wanted = named.filter(({ included }) => included)
  const names = wanted.length === 0 ? null : wanted.flatMap(one => one.names)
  const properties = resolved.flatMap(({ condition, ids }) =>
    condition.key === 'property' ? [{ included: condition.included, key: condition.property, values: ids.flat() }] : [],
  )
  const filters = properties.map(({ included, ...property }) => ({ included, property }))
  const held = filters.flatMap(({ included, property }) => (included ? [property] : []))
  return [
    ...named,
    ...together(held).map(group => ({ included: true, names, properties: group })),
    ...filters.flatMap(({ included, property }) => (included ? [] : [{ included, names, properties: [property] }])),
  ]
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

type Selected = { numbers: SegmentNumbers | null; meta: { unmatched?: Unmatched[] } }

/**
 * Looks up what a segment selects; of all visits nothing.
 * @param limited whether the caller sees a part of the visits only, and must not learn which values others have
 * @throws ApiError 400 for a pattern that fits too many values
 */
export const selectSegment = async (
  segment: Segment | null,
  read: ReportContext['read'],
  limited: boolean,
  { keepQuery, ...options }: LookUpOptions = {},
): Promise<Selected> => {
  if (segment === null) return { numbers: null, meta: {} }
  const resolved = await lookUp(segment, read, { ...options, keepQuery })
  const unknown = limited ? [] : unmatchedIn(resolved)
  const unmatched = await nearestValues(unknown, read, options)
  return {
    numbers: {
      slots: slotsOf(resolved),
      hours: timesOf(resolved, 'hour', range(0, 23)),
      weekdays: timesOf(resolved, 'weekday', range(1, 7)),
      events: eventsOf(resolved),
      reached: await reachFilters(segment, read, options),
    },
    meta: unmatched.length === 0 ? {} : { unmatched },
  }
}
