import type { Body } from '../collection/ingest/values.ts'
import type { Incoming, Kind as RequestKind } from '../collection/record.ts'
import { dayText } from '../lib/time.ts'
import type { Person } from './people.ts'
import { chance, type Random } from './random.ts'
import { type Page, siteUrl } from './site.ts'

export type Request = { incoming: Incoming; body: Body }
export type EventFields = { name: string; properties?: Body; value?: number; order_id?: number }

const addressOf = (page: Page, query: string): string => `${siteUrl}${page.path}${query === '' ? '' : `?${query}`}`

const contentOf = ({ kind, resource, author, published }: Page): Body => ({
  resource_type: resource.type,
  resource_id: resource.id,
  ...(author !== null && { author }),
  ...(published !== null && { published_at: `${dayText(published)}T07:00:00Z` }),
  ...(kind === 'missing' && { status: 404 }),
})

/** Records the requests of one visit. */
export const createRecorder = ({ nextId, random }: { nextId: () => string; random: Random }, person: Person) => {
  const requests: Request[] = []
  const add = (kind: RequestKind, at: number, body: Body): void => {
    requests.push({
      incoming: { kind, at, address: person.address, userAgent: person.agent, headers: person.headers },
      body,
    })
  }
  const view = (page: Page, at: number, query: string, referrer: string | null): string => {
    const pvid = nextId()
    add('hit', at, {
      page_url: addressOf(page, query),
      title: page.title,
      pvid,
      screen_width: person.screen[0],
      screen_height: person.screen[1],
      language: person.language,
      timezone: person.zone.name,
      ...(referrer !== null && { referrer }),
      ...contentOf(page),
    })
    // A browser that gets no response sends the hit again.
    if (chance(random, 0.004)) add('hit', at + 5, requests.at(-1)?.body ?? {})
    return pvid
  }
  return {
    requests,
    view,
    note: (pvid: string, page: Page, at: number, note: EventFields): void =>
      add('event', at, { ...note, pvid, event_id: nextId(), page_url: `${siteUrl}${page.path}` }),
    engage: (pvid: string, at: number, seconds: number, scroll: number): void =>
      add('engagement', at, { pvid, engagement_time: seconds, scroll_depth: scroll }),
  }
}
