// Page views and their engagement: how long a view was visible and how far it was scrolled.
import { flush, type Outgoing, outgoing, send, sendAll, sendOnce } from './outbox.ts'
import { settings } from './script.ts'
import { randomId } from './visitor.ts'

// What of an address is sent, and what makes it the address of another page.

/** The parameters that the service reads; it fills them in, see readQuery in src/collection/ingest. */
const read = /__FOOTFALL_QUERY__/g

type Address = {
  /** Without fragment and credentials; of the query what the service reads, and the names of the rest. */
  page_url: string
  /** The path, `?`, and the parameters that identify the page. */
  page: string
  /** Whether the title may repeat what the visitor has searched for. */
  isSearch: boolean
}

/** Parses an address, which may be relative. */
const parseAddress = (address: string): Address => {
  const { origin, pathname, search } = new URL(address, location.href)
  const query = search.replace('?', '&')
  let sent = ''
  let page = `${pathname}?`
  for (const [pair, kept] of query.matchAll(read)) {
    sent += pair
    if (kept) page += pair
  }
  return {
    page_url: (origin + pathname + sent.replace('&', '?')).slice(0, 2048),
    page,
    // Sites put what a visitor searches for into `s` or `q`.
    isSearch: /&[sq]=./.test(query),
  }
}

/** The current view, as each of its records refers to it; empty before the first one. */
export let current = { page_url: '', pvid: '' }

let hit: Outgoing | undefined
/** The page of the address after the last navigation, see address.ts. */
let page = ''
let seconds = 0
/** The lowest pixel that has been visible. */
let bottom = 0

/** Ends the current view and starts another; `delay` gives frameworks time to set the title of a new page. */
export const view = (address = location.href, delay?: number): void => {
  tellEngagement(send)
  const { page_url, isSearch } = parseAddress(address)
  current = { page_url, pvid: randomId() }
  seconds = bottom = 0
  let title = isSearch ? '' : undefined
  hit = outgoing('hit', {
    ...current,
    // Read when the view is first sent.
    get title() {
      return (title ??= document.title)
    },
    screen_width: screen.width,
    screen_height: screen.height,
    language: navigator.language,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    // These describe the document that was loaded; scripts may replace its content later.
    ...(!hit && {
      referrer: document.referrer.split('?')[0],
      resource_type: settings.resourceType,
      resource_id: Number(settings.resourceId) || undefined,
      author: settings.author,
      published_at: settings.publishedAt,
      status: Number(settings.status) || undefined,
    }),
  })
  send(hit, delay)
}

/** Sends the view again, with the same id, to a service that may have refused it before the visitor's consent. */
export const repeatView = (): void => {
  if (hit) send(hit)
}

const look = (): void => {
  bottom = Math.max(bottom, scrollY + innerHeight)
}

/** Sends the figures so far, of which the service keeps the highest; the depth is relative to the current page height. */
const tellEngagement = (by: (record: Outgoing) => void): void => {
  look()
  const { scrollHeight } = document.documentElement
  const scroll_depth = Math.round((100 * bottom) / Math.max(bottom, scrollHeight))
  if (hit) by(outgoing('engagement', { pvid: current.pvid, engagement_time: seconds, scroll_depth }))
}

/** Called every second: sends the figures after 10, 40, 70 … visible seconds. */
export const onTick = (): void => {
  if (document.hidden) return
  look()
  if (++seconds % 30 === 10) tellEngagement(sendOnce)
}

/** A page that is closed becomes hidden, too. */
export const onVisibility = (): void => {
  if (document.hidden) {
    sendAll()
    tellEngagement(sendOnce)
  } else flush()
}

/**
 * `#footfall=out` or `#footfall=in` is removed, so that it is read once, and obeyed only if the visitor agrees,
 * as anybody can make such a link.
 */
const readChoice = (): void => {
  const [address, choice] = location.href.split(/#(?:footfall=(in|out)$)?/) as [string, string?]
  if (!choice) return
  history.replaceState(history.state, '', address)
  // biome-ignore lint/style/useTemplate: this compresses better.
  if (confirm(`Analytics: opt ${choice}?`)) footfall('opt' + choice)
}

/**
 * Called at the start and by each navigation; with `data-views="manual"` only calls of the page are views.
 * `replaceState` on the same path notes a state of the page, as filters do. */
export const onNavigation = (by?: unknown): void => {
  readChoice()
  const before = page
  page = parseAddress(location.href).page
  if (settings.views || page === before || (by === 'replaceState' && before.split('?')[0] === location.pathname)) return
  view(undefined, hit && 300)
}

/** A page restored from the back-forward cache is a new view. */
export const onShow = ({ persisted }: PageTransitionEvent): void => {
  if (persisted && !settings.views) view()
}

/** Wraps a history method, as these navigations have no event of their own. */
export const watch = (name: 'pushState' | 'replaceState'): void => {
  const original = history[name]
  history[name] = function (...change) {
    original.apply(this, change)
    onNavigation(name)
  }
}
