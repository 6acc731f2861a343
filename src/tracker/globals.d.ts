// What the browser has that TypeScript's library does not name, and what the tracker adds to the page.

type FootfallCall = [name: string, value?: unknown, options?: { value?: number; order_id?: string | number }]

interface Footfall {
  (...call: FootfallCall): void
  /** Calls from before the script was there, kept by the stub of docs/tracker.md. */
  q?: Iterable<FootfallCall>
  /** Set by the script, so that a second copy of it on the page stays quiet. */
  ready?: boolean
}

interface Window {
  footfall?: Footfall
}

interface Document {
  /** Set while a page is rendered ahead of a visit that may never come. */
  readonly prerendering?: boolean
}
