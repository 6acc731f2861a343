// What a bundled site needs of the tracker: it is loaded from the site's own service, and called with types.
// The tracker itself is in src/tracker and takes its types from here.

/** The settings of the script; each becomes its `data-…` attribute. See docs/tracker.md. */
export interface TrackerSettings {
  /** API to send to, if not next to the script; absolute or starting with `/`, without a trailing slash. */
  api?: string | undefined
  /** The visitor's answer; omit it if you have not asked. */
  consent?: 'granted' | 'denied' | undefined
  /** Allows an id on the device after consent. */
  mode?: 'full' | undefined
  /** `false` for no automatic events, or the names of those that stay, separated by spaces. */
  auto?: false | string | undefined
  /** No automatic views: only `footfall('pageview')` counts one. */
  views?: 'manual' | undefined
  /** A hash router: `#/path` is a page. */
  routes?: 'hash' | undefined
  /** Pages of which nothing is sent, by paths with `*`, separated by commas: `/admin/*,/preview*`. */
  exclude?: string | undefined
  /** The only pages of which something is sent. */
  include?: string | undefined
  /** A signed token with the visitor's roles, for excluded roles. */
  token?: string | undefined
  /** Of the loaded page: sent with its first view, not with later client-side navigation. */
  resourceType?: string | undefined
  resourceId?: number | undefined
  author?: string | undefined
  publishedAt?: string | undefined
  /** The HTTP status; 404 also sends the event `not_found`. */
  status?: number | undefined
}

export interface LoadOptions extends TrackerSettings {
  /** Address of the script, as in the tag that the service prints: `https://footfall.example.org/tracker.js`. */
  src: string
  /** The page's nonce, if its Content-Security-Policy asks for one. */
  nonce?: string | undefined
}

/** Up to ten; texts of up to 200 characters. */
export type EventProperties = Readonly<Record<string, string | number | boolean | undefined>>

export interface EventOptions {
  value?: number | undefined
  order_id?: string | number | undefined
}

/** A call as the script reads it. */
export type FootfallCall = [name: string, value?: unknown, options?: EventOptions]

export interface Footfall {
  /** Counts a view: of the current address, or of another one of the site. */
  (call: 'pageview', view?: { page_url?: string | undefined }): void
  /** Sets the visitor's answer. */
  (call: 'consent', answer: boolean | 'granted' | 'denied'): void
  /** Stops this browser from sending, in all its tabs; or reverts that. */
  (call: 'optout' | 'optin'): void
  /** Sends an event. */
  (event: string, properties?: EventProperties, options?: EventOptions): void
  /** Set by the page: gives what is sent of a record, changed or as it is, or null to send nothing. */
  before?: (record: Record<string, unknown>) => object | null | undefined
  /** Calls made before the script had loaded. */
  q?: Iterable<FootfallCall>
  /** Set by the script, so that a second copy of it on the page does nothing. */
  ready?: boolean
}

declare global {
  interface Window {
    footfall?: Footfall
  }
}

/** Keeps calls until the script has loaded; it makes them then. */
const createQueue = (): Footfall => {
  const q: FootfallCall[] = []
  return Object.assign((...call: FootfallCall) => void q.push(call), { q })
}

const isBrowser = typeof document !== 'undefined'

/** `window.footfall`, at any time: before the script has loaded, calls wait; on a server they do nothing. */
export const footfall: Footfall = (...call: FootfallCall): void => {
  if (isBrowser) Reflect.apply((window.footfall ??= createQueue()), window, call)
}

/** Adds the script to the page, once, however often it is called; on a server it does nothing. */
export const loadFootfall = ({ src, nonce, ...settings }: LoadOptions): void => {
  if (!isBrowser) return
  window.footfall ??= createQueue()
  const script = document.createElement('script')
  script.src = src
  if ([...document.scripts].some(other => other.src === script.src)) return
  if (nonce) script.nonce = nonce
  for (const [name, value] of Object.entries(settings)) if (value !== undefined) script.dataset[name] = String(value)
  // A script that could not be loaded may be added again by a later call.
  script.onerror = () => script.remove()
  document.head.append(script)
}
