// Events: those of a page's own calls, and those that need no code in the page.
import { outgoing, send } from './outbox.ts'
import { settings } from './script.ts'
import { current } from './view.ts'
import { randomId } from './visitor.ts'

/** Sends an event of the current view; `options` may hold a `value` and an `order_id`. */
export const track = (name: string, properties?: unknown, options?: object): void =>
  send(outgoing('event', { ...options, ...current, event_id: randomId(), name, properties }))

const files = /\.(7z|apk|csv|dmg|exe|gz|mov|mp[34]|msi|od[ts]|pdf|rar|txt|zip|(doc|ppt|xls)x?)$/i

/** `data-auto` lists the events that stay on; `data-auto="false"` names none. */
export const tell = (name: string, properties?: object): void => {
  if ((settings.auto ?? name).includes(name)) track(name, properties)
}

/** An element such as `data-footfall-event="signup" data-footfall-event-plan="pro"`. */
const onMarked = (element: Element): void => {
  const properties: Record<string, string> = {}
  for (const { name, value } of element.attributes) {
    const key = name.split('data-footfall-event-')[1]
    if (key) properties[key] = value
  }
  track(element.getAttribute('data-footfall-event') ?? '', properties)
}

/** Sends host and path only: a query may hold private data. */
const onLink = ({ host, pathname }: HTMLAnchorElement): void => {
  // mailto:, tel: and data: addresses have no host.
  if (!host) return
  if (files.test(pathname)) tell('file_download', { file: pathname })
  if (host !== location.host) tell('outbound_link', { url: host + pathname })
}

/** Left and middle button; the right one does not follow links. */
export const onClick = ({ target, button }: MouseEvent): void => {
  if (button > 1 || !(target instanceof Element)) return
  const marked = target.closest('[data-footfall-event]')
  const link = target.closest('a')
  if (marked) onMarked(marked)
  if (link) onLink(link)
}

/** Sends which form, never its content. `form.id` could be a field of that name. */
export const onSubmit = ({ target }: Event): void => {
  if (target instanceof Element) tell('form_submit', { form: target.getAttribute('id') ?? target.getAttribute('name') })
}
