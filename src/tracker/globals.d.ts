// Browser features that TypeScript's library lacks, and what the tracker adds to the page.

type FootfallCall = [name: string, value?: unknown, options?: { value?: number; order_id?: string | number }]

interface Footfall {
  (...call: FootfallCall): void
  /** Calls made before the script had loaded, kept by the stub of docs/tracker.md. */
  q?: Iterable<FootfallCall>
  /** Set by the script, so that a second copy of it on the page does nothing. */
  ready?: boolean
}

/** Of the window; set before the first view. */
declare const footfall: Footfall

interface Window {
  /** Of the WordPress plugin: the attributes of the script. */
  footfallConfig?: DOMStringMap
  footfall?: Footfall
}

interface Document {
  /** Set while a page is prerendered for a visit that may never come. */
  readonly prerendering?: boolean
}
