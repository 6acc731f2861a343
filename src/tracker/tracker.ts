// The browser script of Footfall. What it sends and stores, and its interface: docs/tracker.md.
import { outgoing, resume, send } from './outbox.ts'
import { settings } from './script.ts'
import { current, onNavigation, onShow, onTick, onVisibility, repeatView, view } from './view.ts'
import { optIn, optOut, randomId, setConsent } from './visitor.ts'

// Events: those of a page's own calls, and those that need no code in the page.

/** Sends an event of the current view; `options` may hold a `value` and an `order_id`. */
const track = (name: string, properties?: unknown, options?: object): void =>
  send(outgoing('event', { ...options, ...current, event_id: randomId(), name, properties }))

const files = /\.(7z|apk|csv|dmg|exe|gz|mov|mp[34]|msi|od[ts]|pdf|rar|txt|zip|(doc|ppt|xls)x?)$/i

/** `data-auto` lists the events that stay on; `data-auto="false"` names none. */
const tell = (name: string, properties?: object): void => {
  if ((settings.auto ?? name).includes(name)) track(name, properties)
}

/** An element such as `data-footfall-event="signup" data-footfall-event-plan="pro"`. */
const onMarked = (element: Element): void => {
  const properties: Record<string, string> = {}
  for (const { name, value } of element.attributes) {
    const key = name.split('data-footfall-event-')[1]
    if (key) properties[key] = value
  }
  track(element.getAttribute('data-footfall-event') as string, properties)
}

/**
 * Sends host and path only: a query may hold private data. Links of SVG have no host of their own, and neither have
 * mailto:, tel: and data: addresses, which become one of the page's own host.
 */
const onLink = (link: HTMLAnchorElement): void => {
  const { host, pathname } = link.host ? link : new URL((link as unknown as SVGAElement).href.baseVal, location.href)
  if (files.test(pathname)) tell('file_download', { file: pathname })
  if (host !== location.host) tell('outbound_link', { url: host + pathname })
}

/** Left and middle button; the right one does not follow links. */
const onClick = (event: MouseEvent): void => {
  if (event.button > 1) return
  // The path goes on out of shadow roots, in which the target is hidden.
  const find = (selector: string) => event.composedPath().find(node => (node as Element).matches?.(selector))
  const marked = find('[data-footfall-event]')
  const link = find('a,area')
  if (marked) onMarked(marked as Element)
  if (link) onLink(link as HTMLAnchorElement)
}

/** Sends which form, never its content. `form.id` could be a field of that name. Those of a cart are `add_to_cart`. */
const onSubmit = ({ target }: Event): void => {
  if ((target as Element).matches?.('.cart,.woocommerce-cart-form') === false)
    tell('form_submit', {
      form: (target as Element).getAttribute('id') || (target as Element).getAttribute('name'),
    })
}

/** No call ever throws into the page's own script; arguments are copied, as the page may change them later. */
const footfall: FootfallScript = (...call: FootfallCall): void => {
  try {
    const [name, value, options]: FootfallCall = JSON.parse(JSON.stringify(call))
    if (name === 'pageview') return view(0, (value as { page_url?: string } | null)?.page_url)
    if (name === 'optout') optOut()
    else if (name === 'optin') optIn()
    else if (name === 'consent') setConsent(value)
    else return track(name, value, options)
    repeatView()
  } catch {}
}

const start = (): void => {
  const stub = window.footfall
  if (stub?.ready) return
  window.footfall = Object.assign(footfall, stub, { ready: true })
  if (settings.consent) setConsent(settings.consent)
  onNavigation()
  for (const call of footfall.q ?? []) footfall(...call)
  if (settings.status === '404') tell('not_found')

  addEventListener('pageshow', onShow)
  addEventListener('click', onClick, true)
  addEventListener('submit', onSubmit, true)
  window.navigation?.addEventListener('currententrychange', onNavigation)
  addEventListener('visibilitychange', onVisibility)
  addEventListener('online', resume)
  setInterval(onTick, 1000)
  addEventListener('auxclick', onClick, true)
}

if (document.prerendering) document.addEventListener('prerenderingchange', start)
else start()
