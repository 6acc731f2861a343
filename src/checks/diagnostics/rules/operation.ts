import type { Trouble } from '../../../geoip/status.ts'
import { timeText } from '../../../lib/time.ts'
import { type Sentence, say } from '../../sentences.ts'
import { day, type Rule } from './rule.ts'

/** Seconds for which a long report or a copy may keep the log. */
const maxLogHeld = 600
/** Since when the log is held, if that is too long; else null. */
export const heldTooLong = (since: number | null, now: number): number | null =>
  since !== null && now - since > maxLogHeld ? since : null
const purgeTolerance = 2 * day
const purgeLimit = 7 * day
const maxBackupAge = 2 * day
const maxPlacesAge = 180 * day

const retryText = ({ retryAt }: Trouble): Sentence =>
  retryAt === null ? say('retry_automatic') : say('retry_after', { time: timeText(retryAt) })

/** The fix for a failed download of a GeoIP database. */
const downloadFix = (trouble: Trouble): Sentence => {
  const isLicensed = trouble.which === 'licensed'
  const option = isLicensed ? '--geoip-licensed-url' : '--geoip-fallback-url'
  const fixes: Readonly<Record<Trouble['kind'], Sentence>> = {
    refused: isLicensed ? say('download_key_fix') : say('download_refused_fix', { option }),
    missing: isLicensed ? say('download_edition_fix', { option }) : say('download_missing_fix', { option }),
    disk: say('download_disk_fix', { retry: retryText(trouble) }),
    broken: say('download_broken_fix', { retry: retryText(trouble), option }),
    later: say('download_later_fix', { retry: retryText(trouble), option }),
  }
  return fixes[trouble.kind]
}

/** Rules on the shop, jobs, retention, passwords and the GeoIP database. */
export const operationRules: readonly Rule[] = [
  {
    id: 'shop_import_failed',
    status: 'warning',
    find: (_, { shop }) =>
      shop.backfill === 'failed' && {
        message: say('shop_import_failed', { reason: shop.backfillError?.replace(/\.$/, '') ?? say('reason_unknown') }),
        fix: say('shop_import_failed_fix'),
      },
  },
  {
    id: 'webhooks_rejected',
    status: 'warning',
    find: (_, { shop }) =>
      shop.rejected > 0 &&
      shop.lastReceivedAt === null && {
        message: say('webhooks_rejected', { count: shop.rejected }),
        fix: say('webhooks_rejected_fix'),
      },
  },
  {
    id: 'orders_refused',
    status: 'warning',
    find: (_, { shop: { refused } }) => {
      const last = refused.at(-1)
      return (
        last !== undefined && {
          message: say('orders_refused', { count: refused.length, id: String(last.id), reason: last.reason }),
          fix: say('orders_refused_fix'),
        }
      )
    },
  },
  {
    id: 'zone_differs',
    status: 'warning',
    find: (_, { zones }) =>
      zones !== null && { message: say('zone_differs', zones), fix: say('zone_differs_fix', zones) },
  },
  {
    id: 'stale_job',
    status: 'warning',
    find: (_, { jobs }) =>
      jobs
        .filter(({ stale }) => stale)
        .map(({ name, dueAt }) => ({
          message: say('stale_job', { name, time: timeText(dueAt ?? 0) }),
          fix: say('stale_job_fix', { name }),
        })),
  },
  {
    id: 'failed_job',
    status: 'warning',
    // The GeoIP job has its own finding, and so have messages that could not be sent.
    find: (_, { jobs, mail }) =>
      jobs
        .filter(({ name, lastError }) => lastError !== null && name !== 'geoip' && lastError !== mail.error)
        .map(({ name, lastError }) => ({
          message: say('failed_job', { name, error: lastError ?? '' }),
          fix: say('failed_job_fix'),
        })),
  },
  {
    id: 'rollups_behind',
    status: 'info',
    find: ({ running }, { dirtyDays }) =>
      dirtyDays > 0 &&
      !running && {
        message: say('rollups_behind', { count: dirtyDays }),
        fix: say('rollups_behind_fix'),
      },
  },
  {
    id: 'purge_behind',
    status: 'warning',
    find: ({ now }, { settings, oldestSession }) => {
      if (settings.retention_mode === 'forever' || oldestSession === null) return false
      const late = now - settings.retention_days * day - oldestSession
      return (
        late > purgeTolerance && {
          message: say('purge_behind', { time: timeText(oldestSession), days: settings.retention_days }),
          fix: say('purge_behind_fix'),
          status: late > purgeLimit ? 'critical' : 'warning',
        }
      )
    },
  },
  {
    id: 'backup_old',
    status: 'warning',
    find: ({ now }, { backups, jobsSince }) =>
      backups !== null &&
      jobsSince !== null &&
      Math.max(jobsSince, Date.parse(backups.newest ?? '1970-01-01') / 1000 + day) < now - maxBackupAge && {
        message:
          backups.newest === null
            ? say('backup_missing', { folder: backups.folder })
            : say('backup_old', { folder: backups.folder, date: backups.newest }),
        fix: say('backup_old_fix'),
      },
  },
  {
    id: 'first_password',
    status: 'warning',
    find: (_, { firstPassword }) =>
      firstPassword !== null && {
        message: say('first_password', { login: firstPassword }),
        fix: say('first_password_fix', { login: firstPassword }),
      },
  },
  {
    id: 'no_second_factor',
    status: 'info',
    find: (_, { service, withoutSecondFactor: logins }) =>
      service?.isPublic === true &&
      logins.length > 0 && {
        message: say('no_second_factor', { count: logins.length, logins: logins.join(', ') }),
        fix: say('no_second_factor_fix'),
      },
  },
  {
    id: 'new_network',
    status: 'info',
    find: (_, { newNetworks }) =>
      newNetworks.map(({ login, network, first_at }) => ({
        message: say('new_network', { login, network, time: timeText(first_at) }),
        fix: say('new_network_fix', { login }),
      })),
  },
  {
    id: 'places_missing',
    status: 'warning',
    find: ({ places }, { settings }) =>
      settings.geoip_enabled &&
      places.source === 'none' && {
        message: say('places_missing', { reason: places.error ?? say('reason_no_places') }),
        fix: say('places_missing_fix'),
      },
  },
  {
    id: 'places_damaged',
    status: 'warning',
    find: ({ places }, { settings }) =>
      settings.geoip_enabled &&
      places.error !== null &&
      places.source !== 'none' && {
        message: say('places_damaged', { reason: places.error }),
        fix: say('places_damaged_fix'),
      },
  },
  {
    id: 'places_not_renewed',
    status: 'warning',
    find: ({ places: { trouble } }, { settings }) =>
      settings.geoip_enabled &&
      trouble !== null && {
        message: say(trouble.which === 'licensed' ? 'licensed_not_renewed' : 'free_not_renewed', {
          reason: trouble.message,
        }),
        fix: downloadFix(trouble),
      },
  },
  {
    id: 'places_key_unused',
    status: 'info',
    find: (_, { settings, service }) =>
      settings.geoip_license_key !== '' &&
      (service?.config.geoip_city ?? null) !== null && {
        message: say('places_key_unused'),
        fix: say('places_key_unused_fix'),
      },
  },
  {
    id: 'places_old',
    status: 'warning',
    find: ({ places, now }, { settings }) =>
      settings.geoip_enabled &&
      places.builtAt !== null &&
      now - places.builtAt >= maxPlacesAge && {
        message: say('places_old', { date: timeText(places.builtAt).slice(0, 10) }),
        fix: say('places_old_fix'),
      },
  },
  {
    id: 'log_held',
    status: 'warning',
    find: ({ now, running }, { logHeldSince }) => {
      const since = heldTooLong(logHeldSince, now)
      return (
        running && since !== null && { message: say('log_held', { at: timeText(since) }), fix: say('log_held_fix') }
      )
    },
  },
]
