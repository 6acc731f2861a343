// Put in place of `document.currentScript` in the tracker of the WordPress plugin, see wordpress.mjs.

/** The script's address, and the page's configuration: there also where other plugins have put the script into another. */
export const footfallScript = { src: location.href, dataset: window.footfallConfig ?? {} }
