/** Values of the parameters of `--keep-query` that are kept. */
export const keptValue = String.raw`[\w-]{1,40}`

/** Values of `source` and `ref` that may stand for `utm_source`, if they hold a letter. */
export const sourceValue = String.raw`[A-Za-z\d][\w.-]{1,59}`

/** A name as it stands in a query: browsers encode brackets in forms, but not in addresses. */
const encoded = (name: string): string =>
  name.replaceAll('.', String.raw`\.`).replace(/[[\]]/g, bracket => `(?:\\${bracket}|${encodeURIComponent(bracket)})`)

/**
 * What the tracker sends of the query of a page's address, as the source of a pattern: the parameters that the service
 * reads, and of others, such as click ids, the name. It matches `&name=value` or `&name`; group 1 is the name of a
 * parameter that identifies the page.
 */
export const readQuery = (keep: readonly string[]): string => {
  const kept = keep.length === 0 ? '' : String.raw`(${keep.map(encoded).join('|')})=[\w-]+(?=&|$)|`
  return String.raw`&(?:${kept}(?:utm_\w+|source|ref)=[^&]*|\w+(?==))`
}
