import * as v from 'valibot'
import { labelText, parsePage, storedHost } from '../collection/ingest/page.ts'
import { endpoint } from '../http/endpoint.ts'
import { invalidParam } from '../http/errors.ts'
import { countSchema } from '../http/schemas.ts'
import { htmlText } from '../lib/html-text.ts'
import type { Context } from './context.ts'

const maxItems = 500
const itemSchema = v.object({
  page: v.pipe(v.string(), v.minLength(1), v.maxLength(2048), v.description('Address or path of the page.')),
  title: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(300)))),
  resource_type: v.optional(
    v.nullable(v.pipe(v.string(), v.maxLength(40), v.description('Type of the page in the CMS, such as post.'))),
  ),
  published_at: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.maxLength(40),
        v.check(value => !Number.isNaN(Date.parse(value)), 'Invalid date.'),
      ),
    ),
  ),
  author: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(100)))),
})

const label = (value: string | null | undefined, length: number): string | null =>
  value == null ? null : labelText(htmlText(value), length)

/** The page key that a hit on this address would get, including the query parameters that identify a page. */
const keyOf = (page: string, { keepQuery, siteUrls }: Context): { page: string; host: string } => {
  const parsed = parsePage(page.includes('://') || page.startsWith('/') ? page : `/${page}`, null, keepQuery)
  if (parsed === null) throw invalidParam('page', `page must be a URL or a path, not '${page.slice(0, 100)}'.`)
  const [site] = siteUrls
  const host = parsed.host ?? (site === undefined ? '' : new URL(site).host)
  return { page: parsed.page, host: storedHost(host) }
}

export const saveContent = endpoint({
  method: 'POST',
  path: '/content',
  can: 'manage_options',
  scopes: ['content', 'push'],
  tag: 'Collection',
  summary: 'Describe the pages of the site',
  description:
    'One page, or a list of up to 500. The latest value of a field wins, and fields that are left out keep ' +
    'theirs. It takes precedence over what trackers say. Questions about posts need this.',
  bodyLimit: 1024 * 1024,
  body: v.union([v.pipe(v.array(itemSchema), v.maxLength(maxItems)), itemSchema]),
  output: v.object({ stored: countSchema }),
  handle: (context: Context, { body }) => {
    const items = (Array.isArray(body) ? body : [body]).map(item => ({
      ...keyOf(item.page, context),
      title: label(item.title, 300),
      resource_type: label(item.resource_type, 40),
      author: label(item.author, 100),
      published_at: item.published_at == null ? null : new Date(item.published_at).toISOString(),
    }))
    context.content.save(items)
    return { data: { stored: items.length } }
  },
})
