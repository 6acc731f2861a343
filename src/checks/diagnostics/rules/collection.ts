import { addressHost, isAddress } from '../../../channel/referrer.ts'
import { timeText } from '../../../lib/time.ts'
import { say } from '../../sentences.ts'
import type { Content } from '../file.ts'
import { day, type Rule } from './rule.ts'

/** Minimum number of requests refused for their host for a finding. */
const minForeignRequests = 10
const clockTolerance = 3600
const notRefused = ['received', 'accepted', 'repeated', 'trimmed']

const refusedIn = ({ outcomes }: Content): number =>
  Object.entries(outcomes)
    .filter(([name]) => !notRefused.includes(name))
    .reduce((sum, [, count]) => sum + count, 0)

/** Rules on hits: whether they arrive, and whether visitors can be distinguished. */
export const collectionRules: readonly Rule[] = [
  {
    id: 'demo_data',
    status: 'info',
    find: (_, { demo }) =>
      demo !== null && {
        message: say('demo_data', { from: demo.from, to: demo.to }),
        fix: say('demo_data_fix'),
      },
  },
  {
    id: 'tracking_off',
    status: 'warning',
    find: (_, { settings }) =>
      !settings.tracking_enabled && {
        message: say('tracking_off'),
        fix: say('tracking_off_fix'),
      },
  },
  {
    id: 'nothing_collected',
    status: 'warning',
    find: ({ now }, { newestView, settings }) =>
      settings.tracking_enabled &&
      (newestView === null || newestView <= now - day) && {
        message:
          newestView === null
            ? say('nothing_collected')
            : say('nothing_collected_since', { time: timeText(newestView) }),
        fix: say('nothing_collected_fix'),
      },
  },
  {
    id: 'unnamed_clients',
    status: 'warning',
    find: ({ clients }) =>
      clients?.unnamed === true && {
        message: say('unnamed_clients'),
        fix: say('unnamed_clients_fix'),
      },
  },
  {
    id: 'private_clients',
    status: 'warning',
    find: ({ clients }) =>
      clients?.private === true && {
        message: say('private_clients'),
        fix: say('private_clients_fix'),
      },
  },
  {
    id: 'one_client',
    status: 'warning',
    find: ({ clients }) =>
      clients?.one === true &&
      !clients.private && {
        message: say('one_client'),
        fix: say('one_client_fix'),
      },
  },
  {
    id: 'foreign_host',
    status: 'warning',
    find: (_, content) => {
      const { foreign_host: refused = 0 } = content.outcomes
      if (refused < minForeignRequests || refused * 2 < refusedIn(content) || content.foreignHost === null) return false
      const { host } = content.foreignHost
      const isName = host !== addressHost && !isAddress(host) && host !== ''
      return {
        message: isName ? say('foreign_host', { count: refused, host }) : say('foreign_address', { count: refused }),
        fix: isName ? say('foreign_host_fix') : say('foreign_address_fix'),
      }
    },
  },
  {
    id: 'any_host',
    status: 'warning',
    find: ({ anyHost }) =>
      anyHost === true && {
        message: say('any_host'),
        fix: say('any_host_fix'),
      },
  },
  {
    id: 'storage_refusals',
    status: 'critical',
    find: (_, { outcomes: { storage = 0 } }) =>
      storage > 0 && {
        message: say('storage_refusals', { count: storage }),
        fix: say('storage_refusals_fix'),
      },
  },
  {
    id: 'clock',
    status: 'critical',
    find: ({ now }, { newestView }) =>
      newestView !== null &&
      newestView > now + clockTolerance && {
        message: say('clock', { newest: timeText(newestView), now: timeText(now) }),
        fix: say('clock_fix'),
      },
  },
  {
    id: 'bounds',
    status: 'warning',
    find: (_, { limited }) =>
      limited.length > 0 && {
        message: say('bounds', { kinds: limited.map(({ kind, refused }) => `${kind} (${refused})`).join(', ') }),
        fix: say('bounds_fix'),
      },
  },
]
