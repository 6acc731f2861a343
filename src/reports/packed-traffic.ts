// The traffic of a packed day and of its hours.
import type { PackedDay } from '../rollup/packed-format.ts'

/** 1 for each session that is chosen, and for each view that may be; null where these are all views of chosen sessions. */
export type Chosen = { sessions: Uint8Array; views: Uint8Array | null }

/** Whether a view of a session is chosen. */
export const isChosen = ({ sessions, views }: Chosen, session: number, view: number): boolean =>
  sessions[session] === 1 && (views === null || views[view] === 1)

type Traffic = { visitors: number; sessions: number; views: number; bounces: number; seconds: number }
export type DaySums = { site: Traffic | null; hours: ReadonlyMap<number, Traffic> }

const nothing = (): Traffic => ({ visitors: 0, sessions: 0, views: 0, bounces: 0, seconds: 0 })

/** The day as a whole, and its hours. */
export const sumTraffic = ({ visitors, sessions, views }: PackedDay, chosen: Chosen, byHour: boolean): DaySums => {
  const site = nothing()
  const hours = new Map<number, Traffic>()
  const hourOf = (hour: number): Traffic => {
    const found = hours.get(hour) ?? nothing()
    hours.set(hour, found)
    return found
  }
  const seen = new Uint8Array(visitors)
  const seenAt = new Set<number>()
  for (let index = 0; index < views.count; index++) {
    if (!isChosen(chosen, views.session[index] ?? 0, index)) continue
    const visitor = views.visitor[index] ?? 0
    const seconds = Math.max(0, (views.seconds[index] ?? 0) - 1)
    site.views += 1
    site.seconds += seconds
    if (seen[visitor] === 0) {
      seen[visitor] = 1
      site.visitors += 1
    }
    if (!byHour) continue
    const hour = hourOf(views.hour[index] ?? 0)
    hour.views += 1
    hour.seconds += seconds
    if (seenAt.size < seenAt.add((views.hour[index] ?? 0) * visitors + visitor).size) hour.visitors += 1
  }
  for (let session = 0; session < sessions.count; session++) {
    if (chosen.sessions[session] === 0 || sessions.hour[session] === 0) continue
    const bounced = sessions.bounced[session] ?? 0
    for (const sum of byHour ? [site, hourOf((sessions.hour[session] ?? 0) - 1)] : [site]) {
      sum.sessions += 1
      sum.bounces += bounced
    }
  }
  return { site: site.views > 0 || site.sessions > 0 ? site : null, hours }
}
