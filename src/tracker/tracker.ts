// The browser script of Footfall. What it sends and stores, and its interface: docs/tracker.md.
import { onClick, onSubmit, tell, track } from './events.ts'
import { resume } from './outbox.ts'
import { settings } from './script.ts'
import { onNavigation, onShow, onTick, onVisibility, repeatView, view, watch } from './view.ts'
import { optIn, optOut, setConsent } from './visitor.ts'

/** No call ever throws into the page's own script; arguments are copied, as the page may change them later. */
const footfall: FootfallScript = (...call: FootfallCall): void => {
  try {
    const [name, value, options]: FootfallCall = JSON.parse(JSON.stringify(call))
    if (name === 'pageview') return view((value as { page_url?: string } | null)?.page_url)
    if (name === 'optout') return optOut()
    if (name === 'optin') optIn()
    else if (name === 'consent') setConsent(value)
    else return track(name, value, options)
    repeatView()
  } catch {}
}

const start = (): void => {
  const { ready, q = [] } = window.footfall ?? {}
  if (ready) return
  footfall.ready = true
  window.footfall = footfall
  if (settings.consent) setConsent(settings.consent)
  onNavigation()
  for (const call of q) footfall(...call)
  if (settings.status === '404') tell('not_found')

  watch('pushState')
  watch('replaceState')
  addEventListener('popstate', onNavigation)
  addEventListener('pageshow', onShow)
  addEventListener('online', resume)
  addEventListener('click', onClick, true)
  addEventListener('auxclick', onClick, true)
  addEventListener('submit', onSubmit, true)
  document.addEventListener('visibilitychange', onVisibility)
  setInterval(onTick, 1000)
}

if (document.prerendering) document.addEventListener('prerenderingchange', start)
else start()
