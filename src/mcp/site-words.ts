// What no visitor has written, though it stands where reports have texts of visitors.
import { allLabels } from '../advisor/language.ts'
import { channels } from '../channel/channels.ts'
import { listServices } from '../channel/listed-services.ts'
import { lazy } from '../lib/lazy.ts'

/** Names of sums and of what is unknown, and the events of the tracker and of shops. */
const fixed = [
  ...['', 'Direct', '(not set)', '(other)', '(few)', '(single visits)'],
  ...['not_found', 'file_download', 'outbound_link', 'product_view', 'add_to_cart', 'checkout_start', 'purchase'],
]

const words = lazy<ReadonlySet<string>>(
  () => new Set([...fixed, ...allLabels(), ...channels, ...listServices().map(({ name }) => name)]),
)

const date = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/

export const isSiteWord = (text: string): boolean => words().has(text) || date.test(text)

/** A language with its script and region. Other parts of a tag can spell words. */
export const isPlainTag = (tag: string): boolean => /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/.test(tag)

/** Names of languages show the other parts of a tag in capitals, and a tag that is unknown as it is. */
export const isLanguageName = (name: string): boolean => /^\p{Lu}/u.test(name) && !/[_\d]|\p{Lu}{4}/u.test(name)

const closed =
  /^(?:continent|countr(?:y|ies)|region|cit(?:y|ies)|device|browser|browser_version|os|os_version|system|channel|screen|timezone|hour|weekday|goal|funnel)s?$/

/** Whether the values of a filter, a dimension or a group are those of a list, numbers, or named by the owner. */
export const isClosedKind = (kind: string): boolean => closed.test(kind)
