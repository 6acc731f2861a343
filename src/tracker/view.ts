// Page views and their engagement: how long a view was visible and how far it was scrolled.
import { flush, outgoing, send, sendAll, sendOnce, type Outgoing } from './outbox.ts'
import { settings } from './script.ts'
import { randomId } from './visitor.ts'

/** The current view, as each of its records refers to it. */
export let current = { page_url: '', pvid: '' }

let hit: Outgoing | undefined
let seconds = 0
/** The lowest pixel that has been visible. */
let bottom = 0

/**
 * The fragment is not sent: it identifies no page and may hold secrets. `#footfall=out` or `#footfall=in` is removed, so
 * that it is read once, and obeyed only if the visitor agrees, as anybody can make such a link.
 */
const readAddress = (): string => {
  const [page, choice] = location.href.split(/#(?:footfall=(in|out)$)?.*/) as [string, string?]
  if (choice) {
    history.replaceState(history.state, '', page)
    // biome-ignore lint/style/useTemplate: this compresses better.
    if (confirm(`Analytics: opt ${choice}?`)) footfall('opt' + choice)
  }
  return page.slice(0, 2048)
}

/** Starts a view of the current address; `delay` gives frameworks time to set the title of a new page. */
export const view = (delay?: number): void => {
  current = { page_url: readAddress(), pvid: randomId() }
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
    // These describe the document that was loaded; scripts may replace its content later.
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

/** Sends the view again, with the same id, to a service that may have refused it before the visitor's consent. */
export const repeatView = (): void => {
  if (hit) send(hit)
}

const look = (): void => {
  bottom = Math.max(bottom, scrollY + innerHeight)
}

/** The figures so far, of which the service keeps the highest; the depth is relative to the current page height. */
const engagement = (): Outgoing => {
  look()
  const { scrollHeight } = document.documentElement
  const scroll_depth = Math.round((100 * bottom) / Math.max(bottom, scrollHeight))
  return outgoing('engagement', { pvid: current.pvid, engagement_time: seconds, scroll_depth })
}

/** Called every second: sends the figures after 10, 40, 70 … visible seconds. */
export const onTick = (): void => {
  if (document.hidden) return
  look()
  if (++seconds % 30 === 10) sendOnce(engagement())
}

/** A page that is closed becomes hidden, too. */
export const onVisibility = (): void => {
  if (document.hidden) {
    sendAll()
    sendOnce(engagement())
  } else flush()
}

export const onNavigation = (): void => {
  if (readAddress() === current.page_url) return
  send(engagement())
  view(300)
}

/** A page restored from the back-forward cache is a new view. */
export const onShow = ({ persisted }: PageTransitionEvent): void => {
  if (persisted) view()
}

/** Wraps a history method, as these navigations have no event of their own. */
export const watch = (name: 'pushState' | 'replaceState'): void => {
  const original = history[name]
  history[name] = function (...change) {
    original.apply(this, change)
    onNavigation()
  }
}
