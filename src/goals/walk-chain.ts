// Follows each session of a packed day through the steps of a funnel.
import { firstViewId } from '../database/view-id.ts'
import type { PackedDay } from '../packed/packed-days.ts'
import { acceptsOf, type Chain, type FunnelStep } from './steps.ts'
import type { WalkInput } from './walk-goals.ts'

/** How many steps each session made, and the other page that it viewed next after the last of them; 0 for none. */
export type ChainWalk = { depth: Uint8Array; next: Uint32Array }

type Item = {
  page: number
  name: number
  id: number
  isView: boolean /** Views of the session so far. */
  views: number
}
type Rule = (item: Item) => boolean

const ruleOf = (step: FunnelStep, { matches }: WalkInput): Rule => {
  if (step.kind === 'page') {
    const accepts = acceptsOf(step.pages)
    return ({ isView, page }) => isView && (accepts === null || accepts[page] === 1)
  }
  const accepts = acceptsOf(step.names)
  const accepted = matches(step)
  return ({ isView, name, id }) => !isView && accepts?.[name] === 1 && (accepted === null || accepted.has(id))
}

/**
 * The way of one session. `at` says after how many views each step was made last: the later, the better for a strict
 * funnel, which allows no view between.
 */
const createFollower = (rules: readonly Rule[], strict: boolean) => {
  const at = new Int32Array(rules.length)
  const state = { depth: 0, next: 0 }
  let isWaiting = false
  let page = 0
  const isOpen = (step: number, { isView, views }: Item): boolean =>
    step === 0 || ((at[step - 1] ?? -1) >= 0 && (!strict || (at[step - 1] ?? -1) >= (isView ? views - 1 : views)))
  return {
    state,
    begin: (): void => {
      at.fill(-1)
      state.depth = 0
      state.next = 0
      isWaiting = false
      page = 0
    },
    /** Steps are tried from the last, so that one view or event is one step. */
    take: (item: Item): void => {
      let hasAdvanced = false
      for (let step = Math.min(state.depth, rules.length - 1); step >= 0; step--) {
        if (!isOpen(step, item) || rules[step]?.(item) !== true) continue
        at[step] = item.views
        if (step < state.depth) continue
        state.depth = step + 1
        state.next = 0
        isWaiting = true
        hasAdvanced = true
      }
      if (!item.isView) return
      if (isWaiting && !hasAdvanced && item.page !== page) {
        state.next = item.page
        isWaiting = false
      }
      page = item.page
    },
  }
}

/** 1 for each session with what may be the first step: all others need not be followed. */
const mayBegin = ({ sessions, views, events }: PackedDay, step: FunnelStep | undefined): Uint8Array => {
  const marks = new Uint8Array(sessions.count)
  if (step?.kind === 'page') {
    const accepts = acceptsOf(step.pages)
    for (let index = 0; index < views.count; index++)
      if (accepts === null || accepts[views.page[index] ?? 0] === 1) marks[views.session[index] ?? 0] = 1
  } else {
    const accepts = acceptsOf(step?.names ?? [])
    for (let index = 0; index < events.count; index++)
      if (accepts?.[events.name[index] ?? 0] === 1) marks[events.session[index] ?? 0] = 1
  }
  return marks
}

/** Views and events of a session are taken in their order; sessions are in the order of both lists. */
export const walkChain = (day: PackedDay, { steps, strict }: Chain, input: WalkInput): ChainWalk => {
  const { sessions, views, events } = day
  const { scope, start } = input
  const walk: ChainWalk = { depth: new Uint8Array(sessions.count), next: new Uint32Array(sessions.count) }
  const follower = createFollower(
    steps.map(step => ruleOf(step, input)),
    strict,
  )
  const item: Item = { page: 0, name: 0, id: 0, isView: true, views: 0 }
  const first = firstViewId(start)
  let [view, event] = [0, 0]
  const isShown = (page: number): boolean => scope.pages === null || scope.pages[page] === 1
  const takeView = (): void => {
    item.page = views.page[view] ?? 0
    item.isView = true
    item.views += 1
    view += 1
    if (isShown(item.page)) follower.take(item)
  }
  const takeEvent = (): void => {
    item.page = events.page[event] ?? 0
    item.name = events.name[event] ?? 0
    item.id = first + firstViewId(events.second[event] ?? 0) + (events.sequence[event] ?? 0)
    item.isView = false
    event += 1
    if (isShown(item.page)) follower.take(item)
  }
  const followed = mayBegin(day, steps[0])
  for (let session = 0; session < sessions.count; session++) {
    if (followed[session] === 0 || (scope.sessions !== null && scope.sessions[session] !== 1)) {
      while (views.session[view] === session) view += 1
      while (events.session[event] === session) event += 1
      continue
    }
    item.views = 0
    follower.begin()
    while (views.session[view] === session || events.session[event] === session) {
      const isEvent =
        events.session[event] === session &&
        (views.session[view] !== session || (events.view[event] ?? 0) <= item.views)
      if (isEvent) takeEvent()
      else takeView()
    }
    walk.depth[session] = follower.state.depth
    walk.next[session] = follower.state.next
  }
  return walk
}
