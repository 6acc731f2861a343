// The traffic of a packed day and of its hours.
import type { PackedDay } from '../rollup/packed-format.ts'

/**
 * 1 for each selected session and view; `views` is null if all views of the selected sessions count. `began` and `ended`
 * are 1 for each session whose begin and end count: of a session that only came from or went to another host they do not.
 */
export type Selection = { sessions: Uint8Array; views: Uint8Array | null; began: Uint8Array; ended: Uint8Array }

/** Whether a view of a session is selected. */
export const isSelected = ({ sessions, views }: Selection, session: number, view: number): boolean =>
  sessions[session] === 1 && (views === null || views[view] === 1)

type Traffic = { visitors: number; sessions: number; views: number; bounces: number; seconds: number }
export type DayTraffic = { site: Traffic | null; hours: ReadonlyMap<number, Traffic> }

const nothing = (): Traffic => ({ visitors: 0, sessions: 0, views: 0, bounces: 0, seconds: 0 })

/** The traffic of the selected visits, for the whole day and by hour; `site` is null if there is none. */
export const sumTraffic = (
  { visitors, sessions, views }: PackedDay,
  selection: Selection,
  byHour: boolean,
): DayTraffic => {
  const site = nothing()
  const hours = new Map<number, Traffic>()
  const hourOf = (hour: number): Traffic => {
    const traffic = hours.get(hour) ?? nothing()
    hours.set(hour, traffic)
    return traffic
  }
  const seen = new Uint8Array(visitors)
  const seenInHour = new Set<number>()
  for (let index = 0; index < views.count; index++) {
    if (!isSelected(selection, views.session[index] ?? 0, index)) continue
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
    if (seenInHour.size < seenInHour.add((views.hour[index] ?? 0) * visitors + visitor).size) hour.visitors += 1
  }
  for (let session = 0; session < sessions.count; session++) {
    if (selection.began[session] === 0) continue
    const bounced = sessions.bounced[session] ?? 0
    for (const sum of byHour ? [site, hourOf((sessions.hour[session] ?? 0) - 1)] : [site]) {
      sum.sessions += 1
      sum.bounces += bounced
    }
  }
  return { site: site.views > 0 || site.sessions > 0 ? site : null, hours }
}
