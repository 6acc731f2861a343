// Page views and their engagement: how long a view was visible and how far it was scrolled.
import { flush, type Outgoing, outbox, outgoing, send, sendAll, sendOnce } from './outbox.ts'
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
}

/** Parses an address, which may be relative. */
export const parseAddress = (address: string): Address => {
  // The route of a hash router is the rest of the path: /app/?a=1#/users is /app/users?a=1.
  const routed = settings.routes ? address.replace(/\/?(\?[^#]*)?#(\/.*)/, '$2$1') : address
  const { origin, pathname, search } = new URL(routed, location.href)
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
  }
}

/** Sites put what a visitor searches for into `s` or `q`, and repeat it in the title. */
export const titleAt = (address: string): string => (/[?&][sq]=[^&#]/.test(address) ? '' : document.title)

/** The current view, as each of its records refers to it; empty before the first one. */
export let current = { page_url: '', pvid: '' }

let hit: Outgoing | undefined
/** The page of the address after the last navigation, see address.ts. */
let page = ''
let seconds = 0
/** The lowest pixel that has been visible. */
let bottom = 0

/** Ends the current view and starts another; `delay` gives frameworks time to set the title of a new page. */
export const view = (delay?: number, address = location.href): void => {
  tellEngagement(send)
  current = { page_url: parseAddress(address).page_url, pvid: randomId() }
  seconds = bottom = 0
  let title: string
  hit = outgoing('hit', {
    ...current,
    // Read when the view is first sent.
    get title() {
      return (title ??= titleAt(address))
    },
    screen_width: screen.width,
    screen_height: screen.height,
    language: navigator.language,
    // These describe the document that was loaded; scripts may replace its content later.
    ...(!hit && {
      referrer: document.referrer.split('?')[0],
      resource_type: settings.resourceType,
      resource_id: +(settings.resourceId as string) || undefined,
      author: settings.author,
      published_at: settings.publishedAt,
      status: +(settings.status as string) || undefined,
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
  if (hit) by(outgoing('engagement', { ...current, engagement_time: seconds, scroll_depth }))
}

/**
 * Called every second: sends the figures after 10, 40, 70 … visible seconds. Browsers without the Navigation API (before
 * Firefox 147 and Safari 26.2) tell of no change of the address: it is looked at.
 */
export const onTick = (): void => {
  onNavigation()
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
 * A replaced address on the same path notes a state of the page, as filters do; on another path, before the view was
 * sent, it is a redirect.
 */
export const onNavigation = (event?: { navigationType: string | null }): void => {
  readChoice()
  const before = page
  const address = parseAddress(location.href)
  page = address.page
  const isReplaced = event?.navigationType === 'replace'
  if (settings.views || page === before || (isReplaced && before.split('?')[0] === location.pathname)) return
  if (isReplaced && outbox.includes(hit as Outgoing))
    (hit as Outgoing).body.page_url = current.page_url = address.page_url
  else view(300)
}

/** A page restored from the back-forward cache is a new view. */
export const onShow = ({ persisted }: PageTransitionEvent): void => {
  if (persisted && !settings.views) view()
}
