// The number that a share link shows to everybody, for a badge or a counter on a page of another origin.
import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { ApiError, invalidParam } from '../http/errors.ts'
import { countSchema } from '../http/schemas.ts'
import { staticFile } from '../http/static.ts'
import { counterFigures } from '../identity/share-links.ts'
import { isOfPattern } from '../reports/counter.ts'
import type { Context } from './context.ts'

const formats = ['json', 'text', 'svg', 'shields'] as const
type Format = (typeof formats)[number]

const answerSchema = v.object({
  count: v.pipe(countSchema, v.description('Rounded down to hundreds if the link says so.')),
  text: v.pipe(v.string(), v.description('The same for people, such as 12,300.')),
  figure: v.picklist(counterFigures),
})
type Shown = v.InferOutput<typeof answerSchema>

/** Width of a text of a badge, in the font that browsers show for it. */
const widthOf = (text: string): number => Math.round(text.length * 6.8 + 12)

const badge = ({ text: plain, figure }: Shown): string => {
  const text = plain.replace('<', '&lt;')
  const [left, right] = [widthOf(figure), widthOf(plain)]
  const label = (at: number, shown: string): string => `<text x="${at}" y="14" text-anchor="middle">${shown}</text>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${figure}: ${text}">` +
    `<title>${figure}: ${text}</title><rect width="${left + right}" height="20" rx="3" fill="#555"/>` +
    `<rect x="${left}" width="${right}" height="20" rx="3" fill="#2456c9"/>` +
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">` +
    `${label(left / 2, figure)}${label(left + right / 2, text)}</g></svg>`
  )
}

const forms: Readonly<Record<Format, { type: string; write: (shown: Shown) => string }>> = {
  json: { type: 'application/json; charset=UTF-8', write: shown => JSON.stringify(shown) },
  text: { type: 'text/plain; charset=UTF-8', write: ({ text }) => text },
  svg: { type: 'image/svg+xml; charset=UTF-8', write: badge },
  // https://shields.io/badges/endpoint-badge
  shields: {
    type: 'application/json; charset=UTF-8',
    write: ({ text, figure }) => JSON.stringify({ schemaVersion: 1, label: figure, message: text, color: '2456c9' }),
  },
}

/** Any page may show it; nothing else of the service is for pages of other origins. */
const headers = {
  'cache-control': 'public, max-age=600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const

const notFound = (): ApiError =>
  new ApiError(404, 'rest_counter_not_found', 'There is no counter at this address, or not for this page.')

export const counter = endpoint({
  method: 'GET',
  path: '/counter/:link',
  can: 'public',
  tag: 'Users and access',
  summary: 'The number that a share link shows to everybody',
  description:
    'For links with a `counter`, by their `uuid`: a number and nothing else, at most ten minutes old. `format=svg` is a badge, ' +
    '`shields` what shields.io reads, `text` the number alone.',
  params: v.object({ link: v.pipe(v.string(), v.maxLength(100), v.description('The `uuid` of the link.')) }),
  query: v.object({
    page: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(2000),
        v.description('The path of one page, such as /blog/hello. Default: all pages of the counter.'),
      ),
    ),
    format: v.optional(v.pipe(v.picklist(formats), v.description('How the number is written.')), 'json'),
  }),
  output: answerSchema,
  errors: { 404: ['rest_counter_not_found'], 429: ['rest_too_many_requests'] },
  handle: async ({ shareLinks, countPages }: Context, { params, query: { page, format } }) => {
    const link = shareLinks.shown(params.link)
    if (link === undefined || link.counter === null) throw notFound()
    const { figure, page: pattern, round } = link.counter
    if (page !== undefined && !page.startsWith('/')) throw invalidParam('page', 'page is a path such as /blog/hello.')
    if (page !== undefined && !isOfPattern(page, pattern)) throw notFound()
    const count = await countPages({ ...link, counter: link.counter }, page ?? null)
    const text = round === 'hundreds' && count === 0 ? '<100' : count.toLocaleString('en')
    const shown: Shown = { count, text, figure }
    const { type, write } = forms[format]
    return { file: staticFile(write(shown), type, headers), parts: () => shown }
  },
})
