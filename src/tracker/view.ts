// Page views, and their engagement: how long a view has been in sight and how far down it has been read.
import { flush, outgoing, send, sendAll, sendOnce, type Outgoing } from './outbox.ts'
import { randomId } from './random.ts'
import { settings } from './script.ts'

/** The view under way, as each of its records names it. */
export let current = { page_url: '', pvid: '' }

let hit: Outgoing | undefined
let seconds = 0
/** The lowest pixel that has been in sight. */
let bottom = 0

/** The fragment stays at home: it names no page and may hold secrets. */
const address = (): string => location.href.replace(/#.*/, '').slice(0, 2048)

/** Begins a view of the present address; `delay` leaves frameworks the time to set the title of a new page. */
export const view = (delay?: number): void => {
  current = { page_url: address(), pvid: randomId() }
  seconds = bottom = 0
  let title: string | undefined
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
    // All this is true of the document that was loaded; scripts may show something else in its place later.
    ...(!hit && {
      referrer: document.referrer,
      resource_type: settings.resourceType,
      resource_id: Number(settings.resourceId) || undefined,
      author: settings.author,
      published_at: settings.publishedAt,
      status: Number(settings.status) || undefined,
    }),
  })
  send(hit, delay)
}

/** Tells the view once more, by the same id, to a service that may have refused it before the visitor's decision. */
export const repeatView = (): void => {
  if (hit) send(hit)
}

const look = (): void => {
  bottom = Math.max(bottom, scrollY + innerHeight)
}

/** The figures so far, of which the service keeps the highest; the depth goes by the height the page has by now. */
const engagement = (): Outgoing => {
  look()
  const { scrollHeight } = document.documentElement
  const scroll_depth = Math.round((100 * bottom) / Math.max(bottom, scrollHeight))
  return outgoing('engagement', { pvid: current.pvid, engagement_time: seconds, scroll_depth })
}

/** Once a second: tells the figures after 10, 40, 70 … seconds in sight. */
export const onTick = (): void => {
  if (document.hidden) return
  look()
  if (++seconds % 30 === 10) sendOnce(engagement())
}

/** A page that is left for ever is hidden, too. */
export const onVisibility = (): void => {
  if (document.hidden) {
    sendAll()
    sendOnce(engagement())
  } else flush()
}

export const onNavigation = (): void => {
  if (address() === current.page_url) return
  send(engagement())
  view(300)
}

/** A page that the browser brings back from its back-forward cache is seen anew. */
export const onShow = ({ persisted }: PageTransitionEvent): void => {
  if (persisted) view()
}

/** Hears of navigations that have no event of their own; the page notices nothing. */
export const watch = (name: 'pushState' | 'replaceState'): void => {
  const original = history[name]
  history[name] = function (...change) {
    original.apply(this, change)
    onNavigation()
  }
}
