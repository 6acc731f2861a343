// Browser features that TypeScript's library lacks, and what the tracker adds to the page.

type FootfallCall = import('../../packages/tracker/index.ts').FootfallCall
type Footfall = import('../../packages/tracker/index.ts').Footfall
/** As the script defines it: of a call that waited, only the script knows what it means. */
interface FootfallScript extends Footfall {
  (...call: FootfallCall): void
}
/** The attributes of the script, as the npm package offers them. */
type FootfallSettings = { readonly [Name in keyof import('../../packages/tracker/index.ts').TrackerSettings]?: string }

/** Of the window; set before the first view. */
declare const footfall: Footfall

interface Window {
  /** The Navigation API, where the browser has it. */
  readonly navigation?: {
    addEventListener(type: 'currententrychange', listener: (event: { navigationType: string | null }) => void): void
  }
  /** Of the WordPress plugin: the attributes of the script. */
  footfallConfig?: DOMStringMap
}

interface Document {
  /** Set while a page is prerendered for a visit that may never come. */
  readonly prerendering?: boolean
}
