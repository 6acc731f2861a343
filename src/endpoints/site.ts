import * as v from 'valibot'
import { version } from '../../package.json'
import { type Access, mayCall } from '../http/access.ts'
import { type Call, endpoint } from '../http/endpoint.ts'
import { forbidden } from '../http/errors.ts'
import { whoOf } from '../identity/who.ts'
import { isZone, toSeconds } from '../lib/time.ts'
import { zoneOfWordPress } from '../rollup/told-zone.ts'
import { changeEntries, optionsOf, optionsSchema, readChanges } from '../settings/site-body.ts'
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
  options: v.pipe(
    v.nullable(optionsSchema),
    v.description('The options of the site that can be changed here; null for a caller who may not.'),
  ),
})
export type Site = v.InferOutput<typeof siteSchema>

/** Not for who only sends orders. */
const administering: Access = { can: 'manage_options' }

type SiteCall = Pick<Call<unknown, unknown, unknown>, 'address' | 'identity'>

const siteOf = (context: Context, { address, identity }: SiteCall): Site => {
  const { siteUrls, siteOptions, settings, shop, zone, wordPressZone } = context
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
    options: mayCall(administering, identity) ? optionsOf(siteOptions.current()) : null,
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
  handle: (context: Context, call) => ({ data: siteOf(context, call) }),
})

export const saveSite = endpoint({
  method: 'PUT',
  path: '/site',
  can: 'manage_options',
  scopes: ['push'],
  tag: 'Settings',
  summary: "Change the site's options, or store WordPress' time zone",
  description:
    'Changes the given options, in the file: those of the command line and the environment stand above it and answer ' +
    '409. The service starts again with them within a second, while requests wait. Another time zone counts all days ' +
    'again whose single visits are there.\n\n' +
    "With WordPress' time zone, a service whose own is neither set nor another than UTC takes it over; any other keeps " +
    'its own, and `timezone_differs`. With the scope `push` nothing else can be sent.',
  errors: { 409: ['rest_option_fixed'] },
  body: v.strictObject({
    wordpress_timezone: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(64),
        v.check(
          text => isZone(zoneOfWordPress(text)),
          'Use the name of a time zone or an offset, such as Europe/Berlin or +05:30.',
        ),
        v.description('As `wp_timezone_string()` returns it: a name or an offset.'),
      ),
    ),
    ...changeEntries,
  }),
  output: siteSchema,
  handle: (context: Context, call) => {
    const { wordpress_timezone: told, ...changes } = call.body
    if (Object.keys(changes).length > 0) {
      if (!mayCall(administering, call.identity)) throw forbidden(call.identity, administering)
      const { current, save } = context.siteOptions
      save(readChanges(changes, current), whoOf(call.identity), toSeconds(context.clock()))
    }
    if (told !== undefined) context.wordPressZone.save(zoneOfWordPress(told))
    return { data: siteOf(context, call) }
  },
})
