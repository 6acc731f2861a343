/** The script element for the pages of the site, with this host. */
export const tagOf = (): string =>
  `<script defer src="${new URL('tracker.js', location.href.replace(/[?#].*/, '')).href}"></script>`

export const Tag = () => (
  <pre id="tag" tabIndex={0}>
    {tagOf()}
  </pre>
)
