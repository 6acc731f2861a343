import * as v from 'valibot'
import { createCheck } from '../http/check.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { whoOf } from '../identity/who.ts'
import { parseAddressList } from '../lib/address/list.ts'
import { toSeconds } from '../lib/time.ts'
import { mask, type Settings, settingsEntries, settingsSchema, shown } from '../settings/settings.ts'
import type { Context } from './context.ts'

const changesSchema = v.strictObject({
  tracking_enabled: v.optional(settingsEntries.tracking_enabled),
  respect_dnt: v.optional(settingsEntries.respect_dnt),
  respect_gpc: v.optional(settingsEntries.respect_gpc),
  consent_mode: v.optional(settingsEntries.consent_mode),
  retention_days: v.optional(settingsEntries.retention_days),
  retention_mode: v.optional(settingsEntries.retention_mode),
  excluded_ips: v.optional(
    v.pipe(
      v.union([v.string(), v.array(v.string())]),
      v.check(
        given => parseAddressList(given).invalid.length === 0,
        issue =>
          `excluded_ips has entries that are no address or network: ${parseAddressList(issue.input).invalid.join(', ')}.`,
      ),
      v.description('A list, or a string separated by commas or newlines.'),
    ),
  ),
  excluded_roles: v.optional(settingsEntries.excluded_roles),
  geoip_enabled: v.optional(settingsEntries.geoip_enabled),
  geoip_license_key: v.optional(settingsEntries.geoip_license_key),
})

type Changes = v.InferOutput<typeof changesSchema>

/** Only the given keys. A masked secret that is sent back unchanged leaves the stored one as it is. */
const toSettings = ({ excluded_ips, geoip_license_key, ...changes }: Changes): Partial<Settings> => {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(given),
    ...(excluded_ips !== undefined && { excluded_ips: [...parseAddressList(excluded_ips).list.entries] }),
    ...(geoip_license_key !== undefined &&
      geoip_license_key !== mask && { geoip_license_key: geoip_license_key.trim() }),
  }
}

const check = createCheck({ body: changesSchema })

/**
 * Changes as texts by name, for the command line; checked by the same rules as those of a request.
 * @throws ApiError naming every invalid setting
 */
export const readChanges = (texts: Readonly<Record<string, string>>): Partial<Settings> =>
  toSettings(v.parse(changesSchema, check({ query: {}, body: texts, path: {} }).body))

export const settingsEndpoints: readonly Endpoint<Context>[] = [
  endpoint({
    method: 'GET',
    path: '/settings',
    can: 'manage_options',
    tag: 'Settings',
    summary: 'The current settings',
    output: settingsSchema,
    handle: ({ settings }: Context) => ({ data: shown(settings.current()) }),
  }),
  endpoint({
    method: 'PUT',
    path: '/settings',
    can: 'manage_options',
    tag: 'Settings',
    summary: 'Change settings',
    description: 'Changes the given keys, all or none. They take effect immediately.',
    body: changesSchema,
    output: settingsSchema,
    handle: ({ settings, clock }: Context, { body, identity }) => ({
      data: shown(settings.save(toSettings(body), whoOf(identity), toSeconds(clock()))),
    }),
  }),
]
