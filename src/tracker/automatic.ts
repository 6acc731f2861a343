// Events that need no line of code in the page.
import { track } from './event.ts'
import { settings } from './script.ts'

const files = /\.(7z|apk|csv|dmg|exe|gz|mov|mp[34]|msi|od[ts]|pdf|rar|txt|zip|(doc|ppt|xls)x?)$/i

/** `data-auto` lists the events that stay on; `data-auto="false"` names none. */
export const tell = (name: string, properties?: object): void => {
  if ((settings.auto ?? name).includes(name)) track(name, properties)
}

/** `data-footfall-event="signup" data-footfall-event-plan="pro"` says it all. */
const onMarked = (element: Element): void => {
  const properties: Record<string, string> = {}
  for (const { name, value } of element.attributes) {
    const key = name.split('data-footfall-event-')[1]
    if (key) properties[key] = value
  }
  track(element.getAttribute('data-footfall-event') ?? '', properties)
}

/** Tells host and path only: a query may hold what is nobody's business. */
const onLink = ({ host, pathname }: HTMLAnchorElement): void => {
  // Mail, telephone and data addresses have none.
  if (!host) return
  if (files.test(pathname)) tell('file_download', { file: pathname })
  if (host !== location.host) tell('outbound_link', { url: host + pathname })
}

/** Left and middle button; the right one follows nothing. */
export const onClick = ({ target, button }: MouseEvent): void => {
  if (button > 1 || !(target instanceof Element)) return
  const marked = target.closest('[data-footfall-event]')
  const link = target.closest('a')
  if (marked) onMarked(marked)
  if (link) onLink(link)
}

/** Tells which form, never what is in it. `form.id` would be the field of that name, if there is one. */
export const onSubmit = ({ target }: Event): void => {
  if (target instanceof Element) tell('form_submit', { form: target.getAttribute('id') ?? target.getAttribute('name') })
}
