import * as v from 'valibot'
import { version } from '../../package.json'
import { endpoint } from '../http/endpoint.ts'
import { isZone } from '../lib/time.ts'
import { zoneOfWordPress } from '../rollup/told-zone.ts'
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
  timezone: v.pipe(v.string(), v.description('The time zone by which days are counted.')),
  wordpress_timezone: v.pipe(
    v.nullable(v.string()),
    v.description('That of WordPress; null unless its plugin is connected.'),
  ),
  timezone_differs: v.pipe(v.boolean(), v.description("Whether WordPress' days are others than those of the reports.")),
  orders_refused: v.pipe(
    v.nullable(v.object({ count: v.number(), id: v.number(), reason: v.string() })),
    v.description(
      'Orders that the shop has sent and that cannot be read: how many (100 at most), the number of the latest, and ' +
        'why. Null for none.',
    ),
  ),
})
export type Site = v.InferOutput<typeof siteSchema>

const siteOf = ({ siteUrls, settings, shop, zone, wordPressZone }: Context, address: string | null): Site => {
  const { tracking_enabled, consent_mode } = settings.current()
  const refused = shop.refused()
  const last = refused.at(-1)
  return {
    version,
    tracking_enabled,
    consent_mode,
    urls: [...siteUrls],
    your_address: address,
    timezone: zone.name,
    wordpress_timezone: wordPressZone.current(),
    timezone_differs: wordPressZone.differs(),
    orders_refused: last === undefined ? null : { count: refused.length, ...last },
  }
}

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
  handle: (context: Context, { address }) => ({ data: siteOf(context, address) }),
})

export const saveSite = endpoint({
  method: 'PUT',
  path: '/site',
  can: 'manage_options',
  scopes: ['push'],
  tag: 'Settings',
  summary: "Store WordPress' time zone",
  description:
    'A service whose time zone is neither set by `--timezone` nor another than UTC takes it over: it starts again ' +
    'within a second, while requests wait, and counts all days again whose single visits are there. Any other service keeps its own, and ' +
    '`timezone_differs`.',
  body: v.object({
    wordpress_timezone: v.pipe(
      v.string(),
      v.maxLength(64),
      v.check(
        text => isZone(zoneOfWordPress(text)),
        'Use the name of a time zone or an offset, such as Europe/Berlin or +05:30.',
      ),
      v.description('As `wp_timezone_string()` returns it: a name or an offset.'),
    ),
  }),
  output: siteSchema,
  handle: (context: Context, { body, address }) => {
    context.wordPressZone.save(zoneOfWordPress(body.wordpress_timezone))
    return { data: siteOf(context, address) }
  },
})
