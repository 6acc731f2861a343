// The hosts of packed days, as rollup.host.fill.sql derives them from rows.
import type { PackedDay } from '../rollup/packed-format.ts'
import type { PageHosts } from './packed-selection.ts'
import { isSelected, type Selection } from './packed-traffic.ts'

const noFigures = () => ({ visitors: 0, sessions: 0, views: 0, bounces: 0 })

export type HostSums = {
  add: (day: PackedDay, selection: Selection) => void
  /** The figures of each host, by its id. */
  hosts: ReadonlyMap<number, ReturnType<typeof noFigures>>
}

export const createHostSums = (pageHosts: PageHosts): HostSums => {
  const hosts = new Map<number, ReturnType<typeof noFigures>>()

  const hostOf = (page: number) => {
    const id = pageHosts[page] ?? 0
    const known = hosts.get(id)
    if (known !== undefined) return { id, sums: known }
    const sums = noFigures()
    hosts.set(id, sums)
    return { id, sums }
  }

  return {
    add: ({ visitors, views, sessions }, selection) => {
      const seen = new Set<number>()
      for (let index = 0; index < views.count; index++) {
        if (!isSelected(selection, views.session[index] ?? 0, index)) continue
        const { id, sums } = hostOf(views.page[index] ?? 0)
        sums.views += 1
        if (seen.size < seen.add(id * visitors + (views.visitor[index] ?? 0)).size) sums.visitors += 1
      }
      for (let session = 0; session < sessions.count; session++) {
        if (selection.began[session] === 0) continue
        const { sums } = hostOf(sessions.entry_page[session] ?? 0)
        sums.sessions += 1
        sums.bounces += sessions.bounced[session] ?? 0
      }
    },
    hosts,
  }
}
