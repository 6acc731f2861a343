import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import type { Context } from '../service/context.ts'

const siteSchema = v.object({
  urls: v.pipe(
    v.array(v.string()),
    v.description('The pages of --site-url and of each of --allowed-hosts. Empty if any host may send hits.'),
  ),
  your_address: v.pipe(
    v.nullable(v.string()),
    v.description(
      "The address of the caller, as the service sees it; null if a trusted proxy names none. It isn't stored.",
    ),
  ),
})
export type Site = v.InferOutput<typeof siteSchema>

export const site = endpoint({
  method: 'GET',
  path: '/site',
  can: 'manage_options',
  tag: 'Administration',
  summary: 'Where the site is whose visits are counted',
  description:
    'With `#footfall=out` at its end, each of these URLs leaves a device out; with `#footfall=in` it counts it.',
  output: siteSchema,
  handle: ({ siteUrls }: Context, { address }) => ({ data: { urls: [...siteUrls], your_address: address } }),
})
