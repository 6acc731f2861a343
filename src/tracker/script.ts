/**
 * The script's own element: its `data-…` attributes are the settings, its address tells where the service is.
 * The cast holds for every classic script; as a module or inside SVG the tracker does not run.
 */
export const { dataset: settings, src } = document.currentScript as HTMLScriptElement

/**
 * The address of the API. The service puts the way from the script to the API in place of `__FOOTFALL_API__`,
 * so that the tracker finds it under any base path and any name of the script.
 */
export const api = settings.api ?? src.replace(/[^/]*$/, '__FOOTFALL_API__')
