// Always there in a classic script, which the tracker is; as a module or in SVG it does not run.
const script = document.currentScript as HTMLScriptElement

/** The `data-…` attributes of the script element, see docs/tracker.md. */
export const settings: DOMStringMap = script.dataset

/**
 * The address of the API. The service puts the way from the script to the API in place of `__FOOTFALL_API__`,
 * so that the tracker finds it under any base path and any name of the script.
 */
export const api = settings.api ?? script.src.replace(/[^/]*$/, '__FOOTFALL_API__')
