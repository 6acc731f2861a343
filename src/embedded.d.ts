// What the bundler turns into text; see bundle.mjs.

declare module '*.sql' {
  const text: string
  export default text
}

declare module '*.txt' {
  const text: string
  export default text
}

declare module '*.ndjson' {
  const text: string
  export default text
}

declare module '*.html' {
  const text: string
  export default text
}

/**
 * A script or style sheet for browsers, bundled and minified from `src/<name>/`, the map of the world, flags, or the
 * texts of a language; see bundle.mjs.
 */
declare module 'browser:*' {
  const text: string
  export default text
}
