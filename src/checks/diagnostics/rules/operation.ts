import type { Trouble } from '../../../geoip/status.ts'
import { timeText } from '../../../lib/time.ts'
import { day, type Rule } from './rule.ts'

const purgeTolerance = 2 * day
const maxPlacesAge = 180 * day

const retryText = ({ retryAt }: Trouble): string =>
  retryAt === null ? 'The download is retried automatically' : `The download is retried after ${timeText(retryAt)}`

/** The fix for a failed download of a GeoIP database. */
const downloadFix = (trouble: Trouble): string => {
  const isLicensed = trouble.which === 'licensed'
  const option = isLicensed ? '--geoip-licensed-url' : '--geoip-fallback-url'
  const fixes: Readonly<Record<Trouble['kind'], string>> = {
    refused: isLicensed
      ? "Check with the vendor that the key is active and may download, then set it again with 'footfall settings set " +
        "geoip_license_key=-' (as KEY, or as ACCOUNT:KEY). A new key is tried at once."
      : `Check that this machine may download from the address of ${option}.`,
    missing: isLicensed
      ? `Check that --geoip-edition is a database that the key includes, and that ${option} is right.`
      : `Check that ${option} is right.`,
    disk: `Free some space, or make the folder of the database writable. ${retryText(trouble)}.`,
    broken:
      `${retryText(trouble)}; the database in use stays. If it fails again, check what the address of ${option} ` +
      'sends.',
    later: `${retryText(trouble)}. If it fails again, check that this machine reaches the address of ${option}.`,
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
        message:
          `The import of the shop's orders has failed: ` +
          `${(shop.backfillError ?? 'the reason is not known').replace(/\.$/, '')}.`,
        fix: 'Fix the cause, then restart the import with POST /revenue/backfill; it continues where it stopped.',
      },
  },
  {
    id: 'webhooks_rejected',
    status: 'warning',
    find: (_, { shop }) =>
      shop.rejected > 0 &&
      shop.lastReceivedAt === null && {
        message: `${shop.rejected} deliveries of the shop's webhooks were refused, and none was accepted.`,
        fix:
          'Set FOOTFALL_WOOCOMMERCE_WEBHOOK_SECRET to the secret shown in the shop for the webhook, then restart ' +
          'the service.',
      },
  },
  {
    id: 'stale_job',
    status: 'warning',
    find: (_, { jobs }) =>
      jobs
        .filter(({ stale }) => stale)
        .map(({ name, dueAt }) => ({
          message: `The job ${name} should have run at ${timeText(dueAt ?? 0)}.`,
          fix:
            `Run it with 'footfall cron ${name}' while no service runs, or check the log for why the service ` +
            'does not run it.',
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
          message: `The job ${name} failed: ${lastError}.`,
          fix: 'It runs again at its next time; the log has the details.',
        })),
  },
  {
    id: 'rollups_behind',
    status: 'info',
    find: ({ running }, { dirtyDays }) =>
      dirtyDays > 0 &&
      !running && {
        message: `The reports of ${dirtyDays} ${dirtyDays === 1 ? 'day' : 'days'} are not up to date.`,
        fix: "They are recalculated when 'footfall serve' starts.",
      },
  },
  {
    id: 'purge_behind',
    status: 'warning',
    find: ({ now }, { settings, oldestSession }) =>
      settings.retention_mode !== 'forever' &&
      oldestSession !== null &&
      oldestSession < now - settings.retention_days * day - purgeTolerance && {
        message:
          `Some single visits are from ${timeText(oldestSession)}, older than the ${settings.retention_days} ` +
          'days for which they are kept.',
        fix: "They are deleted within the hour while the service runs, or now with 'footfall cron retention'.",
      },
  },
  {
    id: 'first_password',
    status: 'warning',
    find: (_, { firstPassword }) =>
      firstPassword !== null && {
        message:
          `The user '${firstPassword}' still has the password that the first start printed, which may be in a ` +
          'log.',
        fix: `Change it with 'footfall user password ${firstPassword}'.`,
      },
  },
  {
    id: 'no_second_factor',
    status: 'info',
    find: (_, { service, withoutSecondFactor: logins }) =>
      service?.isPublic === true &&
      logins.length > 0 && {
        message:
          `A password alone opens the dashboard, which strangers can reach: ${logins.join(', ')} ` +
          `${logins.length === 1 ? 'has' : 'have'} no second factor.`,
        fix: 'Set one up in the settings of the dashboard. --require-totp makes every administrator do so.',
      },
  },
  {
    id: 'new_network',
    status: 'info',
    find: (_, { newNetworks }) =>
      newNetworks.map(({ login, network, first_at }) => ({
        message: `'${login}' logged in from a network that was new to this account, ${network}, at ${timeText(first_at)}.`,
        fix:
          `If that was not them, set a new password, which ends all sessions: 'footfall user password ${login}'. ` +
          'This is shown for seven days.',
      })),
  },
  {
    id: 'places_missing',
    status: 'warning',
    find: ({ places }, { settings }) =>
      settings.geoip_enabled &&
      places.source === 'none' && {
        message: `Countries stay unknown: ${places.error ?? 'there is no GeoIP database'}.`,
        fix: 'Set --geoip-city to a valid file, or leave the option out for the built-in database of countries.',
      },
  },
  {
    id: 'places_damaged',
    status: 'warning',
    find: ({ places }, { settings }) =>
      settings.geoip_enabled &&
      places.error !== null &&
      places.source !== 'none' && {
        message: `A city database cannot be used: ${places.error}.`,
        fix:
          'A downloaded database is downloaded again automatically; your own is read again once it is replaced by a valid ' +
          'one. Until then the next best database is used.',
      },
  },
  {
    id: 'places_not_renewed',
    status: 'warning',
    find: ({ places: { trouble } }, { settings }) =>
      settings.geoip_enabled &&
      trouble !== null && {
        message:
          `The ${trouble.which === 'licensed' ? 'licensed' : 'free'} city database could not be downloaded: ` +
          `${trouble.message}.`,
        fix: downloadFix(trouble),
      },
  },
  {
    id: 'places_key_unused',
    status: 'info',
    find: (_, { settings, service }) =>
      settings.geoip_license_key !== '' &&
      (service?.config.geoip_city ?? null) !== null && {
        message: 'A license key for city data is set, but the file of --geoip-city is used instead.',
        fix: 'Leave --geoip-city out to download the licensed database, or remove the key from the settings.',
      },
  },
  {
    id: 'places_old',
    status: 'warning',
    find: ({ places, now }, { settings }) =>
      settings.geoip_enabled &&
      places.builtAt !== null &&
      now - places.builtAt >= maxPlacesAge && {
        message:
          `The GeoIP database is from ${timeText(places.builtAt).slice(0, 10)}: newer networks get no place or a ` +
          'wrong one.',
        fix:
          'Get a newer city database with --geoip-city or a license key (geoip_license_key), or install a newer ' +
          'Footfall.',
      },
  },
]
