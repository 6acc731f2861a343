import { addressHost, isAddress } from '../../../channel/referrer.ts'
import { demoSentence } from '../../../database/demo-mark.ts'
import { timeText } from '../../../lib/time.ts'
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

/** Rules on hits: whether they arrive, and whether visitors can be told apart. */
export const collectionRules: readonly Rule[] = [
  {
    id: 'demo_data',
    status: 'info',
    find: (_, { demo }) =>
      demo !== null && {
        message: demoSentence(demo),
        fix: 'Count real visits in another file: choose a new one with --data.',
      },
  },
  {
    id: 'tracking_off',
    status: 'warning',
    find: (_, { settings }) =>
      !settings.tracking_enabled && {
        message: 'Collection is turned off: no visit is counted.',
        fix: "Turn it on with 'footfall settings set tracking_enabled=true'.",
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
            ? 'No visit has been counted yet.'
            : `No visit has been counted since ${timeText(newestView)}.`,
        fix:
          "Run 'footfall check URL' with a page of the site: it checks the tracking snippet and its connection " +
          'to the service.',
      },
  },
  {
    id: 'unnamed_clients',
    status: 'warning',
    find: ({ clients }) =>
      clients?.unnamed === true && {
        message:
          'A trusted proxy does not name the visitors: nearly all hits come without an address, so visitors ' +
          'cannot be told apart.',
        fix:
          'Add to the proxy: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; (nginx) or RequestHeader and ' +
          'ProxyAddHeaders (Apache).',
      },
  },
  {
    id: 'private_clients',
    status: 'warning',
    find: ({ clients }) =>
      clients?.private === true && {
        message:
          'More than 90 % of the hits come from private addresses, probably from a proxy: its visitors count as one.',
        fix: "Trust the proxy's network, such as --trust-proxy 10.0.0.0/8, and make it send X-Forwarded-For.",
      },
  },
  {
    id: 'one_client',
    status: 'warning',
    find: ({ clients }) =>
      clients?.one === true &&
      !clients.private && {
        message:
          'More than 90 % of the hits come from one address, probably from a proxy or CDN: its visitors count as one.',
        fix: "Trust the proxy's networks with --trust-proxy, and make it send X-Forwarded-For.",
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
        message:
          `${refused} requests of the last 24 hours were refused because their host is not one of the site's, ` +
          `most of them for ${isName ? `the host ${host}` : 'an address instead of a host name'}.`,
        fix: isName
          ? `If it belongs to the site, add it: --allowed-hosts ${host}.`
          : 'Set the hosts of the site with --allowed-hosts.',
      }
    },
  },
  {
    id: 'any_host',
    status: 'warning',
    find: ({ anyHost }) =>
      anyHost === true && {
        message: 'Any site may send hits, because no host of the site is set.',
        fix: 'Set the site with --site-url https://example.org, and further hosts with --allowed-hosts.',
      },
  },
  {
    id: 'storage_refusals',
    status: 'critical',
    find: (_, { outcomes: { storage = 0 } }) =>
      storage > 0 && {
        message: `${storage} requests of the last 24 hours could not be written.`,
        fix: 'Check the log for the reason: a full disk, a read-only folder, or another program that locks the file.',
      },
  },
  {
    id: 'clock',
    status: 'critical',
    find: ({ now }, { newestView }) =>
      newestView !== null &&
      newestView > now + clockTolerance && {
        message:
          `The newest visit is from ${timeText(newestView)}, later than now (${timeText(now)}): the clock is or ` +
          'was wrong.',
        fix: 'Synchronize the clock of this machine by NTP.',
      },
  },
  {
    id: 'bounds',
    status: 'warning',
    find: (_, { limited }) =>
      limited.length > 0 && {
        message:
          'Too many new values came within a day, in all or from one sender, so further ones are counted as (other): ' +
          `${limited.map(({ kind, refused }) => `${kind} (${refused})`).join(', ')}.`,
        fix: 'Check the reports for spam; see --allowed-hosts and excluded_ips. Sums stay exact.',
      },
  },
]
