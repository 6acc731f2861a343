// The browser script for those who count views only: no events or engagement, nothing is kept or sent again; see docs/tracker.md.
import { isAllowed, outgoing } from './outbox.ts'
import { api, settings } from './script.ts'
import { parseAddress, titleAt } from './view.ts'

/** The page of the address after the last navigation. */
let page = ''
/** Of a view that is not sent yet; 0 without one. */
let timer = 0
let isFirst = true

const sendView = (): void => {
  clearTimeout(timer)
  const hit = outgoing('hit', {
    page_url: parseAddress(location.href).page_url,
    title: titleAt(location.href),
    referrer: isFirst ? document.referrer.split('?')[0] : '',
    screen_width: screen.width,
    screen_height: screen.height,
    language: navigator.language,
    token: settings.token,
    consent_granted: settings.consent && settings.consent === 'granted',
  })
  isFirst = false
  timer = 0
  if (isAllowed(hit))
    fetch(`${api}/hit`, { method: 'POST', body: JSON.stringify(hit.body), keepalive: true }).catch(() => {})
}

/** Counts the page after a delay, in which it may set its title or lead to another. */
const view = (delay: number): void => {
  clearTimeout(timer)
  timer = setTimeout(sendView, delay)
}

/** At the start, by each navigation and every second, as for the whole tracker. */
const onNavigation = (event?: { navigationType: string | null }): void => {
  const before = page
  page = parseAddress(location.href).page
  const isState = event?.navigationType === 'replace' && before.split('?')[0] === location.pathname
  if (page !== before && !isState) view(300)
}

const start = (): void => {
  if (window.footfall?.ready) return
  // Calls of the page do nothing, and a second copy of the script neither.
  window.footfall = Object.assign(() => {}, { ready: true })
  onNavigation()
  window.navigation?.addEventListener('currententrychange', onNavigation)
  setInterval(onNavigation, 1000)
  // The page may not return.
  addEventListener('visibilitychange', () => {
    if (timer && document.hidden) sendView()
  })
  addEventListener('pageshow', ({ persisted }) => persisted && view(0))
}

if (document.prerendering) document.addEventListener('prerenderingchange', start)
else start()
