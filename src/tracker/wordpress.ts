// Put in place of `document.currentScript` in the tracker of the WordPress plugin, see wordpress.mjs.
const { currentScript } = document

/** The script's own element; where other plugins have deferred the script or put it into another, what is left of it. */
export const footfallScript = currentScript?.dataset.api
  ? currentScript
  : (document.getElementById('footfall-js') ?? { dataset: window.footfallConfig ?? {}, src: location.href })
