// Always set in a classic script, which the tracker is; it does not run as a module or in SVG.
const script = document.currentScript as HTMLScriptElement

/** The `data-…` attributes of the script element, see docs/tracker.md. */
export const settings: FootfallSettings = script.dataset

/**
 * The address of the API. The service replaces `__FOOTFALL_API__` with the path from the script to the API,
 * so that the tracker finds it under any base path and script name.
 */
export const api = settings.api ?? new URL('__FOOTFALL_API__', script.src).href
