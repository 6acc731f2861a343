import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { languageEntry, languageOf } from '../http/language.ts'
import type { Context } from './context.ts'

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

export const check = endpoint({
  method: 'POST',
  path: '/check',
  can: 'manage_options',
  tag: 'Operation',
  summary: 'Check a page of the site: tracking snippet, tracker, a hit, and the address of its sender',
  description:
    'As `footfall check`, from the service. It asks only the hosts of --site-url and --allowed-hosts, there only the ' +
    "site's port, 80, 443 and the service's own, and follows redirects only among them. Hits are sent only to a path " +
    'that ends in `/analytics/v1`. The hit counts as that of a bot.',
  query: v.object(languageEntry),
  body: v.object({
    url: v.pipe(
      v.string(),
      v.maxLength(2048),
      v.check(isAddress, 'url is the address of a page, such as https://example.org/.'),
    ),
  }),
  output: v.object({
    ok: v.boolean(),
    next: v.pipe(v.nullable(v.string()), v.description('How to fix the first problem.')),
    steps: v.array(v.object({ id: v.string(), ok: v.boolean(), message: v.string(), fix: v.optional(v.string()) })),
  }),
  errors: { 409: ['check_in_progress'] },
  handle: async ({ checkPage }: Context, request) => {
    const result = await checkPage(request.body.url, languageOf(request.query.lang, request))
    if (result === 'busy') throw new ApiError(409, 'check_in_progress', 'A check is already running.')
    return { data: result }
  },
})
