import { clickIds } from '../../channel/channel.ts'

/** Values of the parameters of `--keep-query` that are kept. */
export const keptValue = String.raw`[\w-]{1,40}`

/** Values of `source` and `ref` that may stand for `utm_source`, if they hold a letter. */
export const sourceValue = String.raw`[A-Za-z\d][\w.-]{1,59}`

/** A name as it stands in a query: browsers encode brackets in forms, but not in addresses. */
const encoded = (name: string): string =>
  name.replaceAll('.', String.raw`\.`).replace(/[[\]]/g, bracket => `(?:\\${bracket}|${encodeURIComponent(bracket)})`)

/**
 * The parameters of a page's address that the service reads, as the source of a pattern for the tracker, which sends
 * no others and ignores case, as services spell their click ids differently. It matches `&name=value`, of click ids `&name`; group 1 is the name of a parameter that identifies the page.
 */
export const readQuery = (keep: readonly string[]): string => {
  const kept = keep.length === 0 ? '' : `(${keep.map(encoded).join('|')})=${keptValue}|`
  return String.raw`&(?:${kept}(?:source|ref)=${sourceValue}|utm_\w+=[^&]*|${clickIds.join('|')})(?![^&=])`
}
