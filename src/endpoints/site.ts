import * as v from 'valibot'
import { version } from '../../package.json'
import { endpoint } from '../http/endpoint.ts'
import type { Context } from './context.ts'

const siteSchema = v.object({
  version: v.pipe(v.string(), v.description('The version of Footfall.')),
  tracking_enabled: v.boolean(),
  consent_mode: v.pipe(v.string(), v.description('As in the settings: the tracker of mode `full` says so.')),
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
  orders_refused: v.pipe(
    v.nullable(v.object({ count: v.number(), id: v.number(), reason: v.string() })),
    v.description(
      'Orders that the shop has sent and that cannot be read: how many (100 at most), the number of the latest, and ' +
        'why. Null for none.',
    ),
  ),
})
export type Site = v.InferOutput<typeof siteSchema>

export const site = endpoint({
  method: 'GET',
  path: '/site',
  can: 'manage_options',
  scopes: ['push'],
  tag: 'Settings',
  summary: 'Where the site is whose visits are counted, and what its pages need to know of the settings',
  description:
    'With `#footfall=out` at its end, each of these URLs leaves a device out; with `#footfall=in` it counts it.',
  output: siteSchema,
  handle: ({ siteUrls, settings, shop }: Context, { address }) => {
    const { tracking_enabled, consent_mode } = settings.current()
    const refused = shop.refused()
    const last = refused.at(-1)
    return {
      data: {
        version,
        tracking_enabled,
        consent_mode,
        urls: [...siteUrls],
        your_address: address,
        orders_refused: last === undefined ? null : { count: refused.length, ...last },
      },
    }
  },
})
