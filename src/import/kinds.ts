import { isCommon } from './access-log/combined.ts'
import { logForms } from './access-log/detect.ts'
import { beginningOf, type Source } from './source.ts'

const kinds: readonly (readonly [fits: (line: string) => boolean, text: string])[] = [
  [
    line => isCommon(line) || line.startsWith('#Fields:') || logForms.some(({ fits }) => fits(line)),
    'an access log: use --format access-log',
  ],
  [line => /^\{"footfall_archive"/.test(line), 'an archive of Footfall: use --format archive'],
  [line => /^\{.*"endpoint":\s*"(?:hit|event|engagement)"/.test(line), 'recorded requests: use --format requests'],
  [line => /^\[?\{.*"line_items":/.test(line), 'orders of WooCommerce: use --format woocommerce-orders'],
]

/** What a file is that no history of another program is, and how it is imported; null if that is not known. */
export const otherKindOf = (source: Source): string | null => {
  const lines = beginningOf(source)
    .split('\n')
    .filter(line => line.trim() !== '' && !/^#(?!Fields:)/.test(line))
  return kinds.find(([fits]) => fits(lines[0] ?? ''))?.[1] ?? null
}
