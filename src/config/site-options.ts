// The options of the network, the site and the shop.
import { choice, kinds, optional } from './kinds.ts'
import {
  answering,
  collecting,
  creatingFile,
  listening,
  type Option,
  readingUrls,
  sendingMail,
  serve,
  usingShop,
} from './option.ts'

const loopback = '127.0.0.0/8,::1/128'
const plainPermalinks = 'p,page_id,attachment_id,cat,tag,m,author'

export const siteOptions = {
  host: {
    group: 'Address',
    value: 'HOST',
    kind: kinds.host,
    default: '127.0.0.1',
    commands: listening,
    about: 'Address to listen on. 0.0.0.0 or :: opens the port to the network.',
  },
  port: {
    group: 'Address',
    value: 'PORT',
    kind: kinds.port,
    default: '8787',
    commands: listening,
    about: 'Port to listen on. 0 picks a free one.',
  },
  listen: {
    group: 'Address',
    value: 'unix:PATH',
    kind: optional(kinds.socket),
    default: '',
    commands: serve,
    about:
      'Additional Unix socket to listen at, such as unix:/run/footfall/footfall.sock, for WordPress on the same machine: ' +
      'in a folder of its own nobody else can listen there.',
  },
  metricsListen: {
    group: 'Address',
    value: 'HOST:PORT',
    kind: optional(kinds.listen),
    default: '',
    commands: serve,
    about: 'Additional address that serves only /metrics, without authentication.',
  },
  metricsSite: {
    group: 'Address',
    value: '',
    kind: kinds.truth,
    default: '',
    commands: serve,
    about: 'Adds to /metrics how many visitors, visits and page views the site has, by host and period.',
  },
  rootPath: {
    group: 'Address',
    value: 'PATH',
    kind: kinds.prefix,
    default: '',
    commands: listening,
    about: 'Path prefix of the dashboard, the tracker and the API, for a shared host.',
  },
  basePath: {
    group: 'Address',
    value: 'PATH',
    kind: kinds.prefix,
    default: '',
    commands: serve,
    about: 'Path prefix of the API (/analytics/v1) only, such as /wp-json with WordPress.',
  },
  publicUrl: {
    group: 'Address',
    value: 'URL',
    kind: optional(kinds.siteUrl),
    default: '',
    commands: sendingMail,
    about:
      'URL at which browsers reach Footfall through a proxy, for the tag and the login link that the first start prints, and ' +
      'for the links in digests. ' +
      'Default: with --root-path, that path on the host of --site-url.',
  },
  trustProxy: {
    group: 'Address',
    value: 'NETWORKS',
    kind: kinds.networks,
    default: loopback,
    commands: collecting,
    about: 'Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted. List only proxies you run.',
  },
  requireTotp: {
    group: 'Address',
    value: '',
    kind: kinds.truth,
    default: '',
    commands: serve,
    about:
      'Require a second factor of administrators: until they have set one up, nothing else is open to them in the ' +
      'dashboard. Their application passwords open no users, logins, passwords or share links. In the environment: true.',
  },
  securityContact: {
    group: 'Address',
    value: 'CONTACT',
    kind: optional(kinds.contact),
    default: '',
    commands: serve,
    about: 'Where to report a vulnerability: an e-mail address or URI for /.well-known/security.txt.',
  },
  siteName: {
    group: 'Site',
    value: 'NAME',
    kind: optional(kinds.title),
    default: '',
    commands: sendingMail,
    about: 'Name of the site in digests and alerts. Default: the host of --site-url.',
  },
  siteUrl: {
    group: 'Site',
    value: 'URL',
    kind: optional(kinds.siteUrl),
    default: '',
    commands: ['serve', 'import', 'privacy-audit', 'cron', 'digest'],
    about: 'URL of the site whose visits are counted. Its host may send hits.',
  },
  allowedHosts: {
    group: 'Site',
    value: 'HOSTS',
    kind: kinds.hosts,
    default: '',
    commands: collecting,
    about: 'Additional hosts that may send hits. Without this and --site-url, any host may.',
  },
  timezone: {
    group: 'Site',
    value: 'ZONE',
    kind: optional(kinds.zone),
    default: '',
    commands: creatingFile,
    about:
      "Time zone of the site. Default: the file's time zone, or UTC in a new file, until a WordPress is connected.",
  },
  weekStart: {
    group: 'Site',
    value: 'WEEKDAY',
    kind: kinds.weekday,
    default: 'monday',
    commands: serve,
    about:
      "Weekday on which the site's weeks begin, such as sunday: in reports by week, comparisons and weekly digests.",
  },
  trackerPath: {
    group: 'Site',
    value: 'PATH',
    kind: kinds.path,
    default: '/tracker.js',
    commands: ['serve', 'check'],
    about: 'Additional path that serves the tracker.',
  },
  homeCountry: {
    group: 'Site',
    value: 'CODE',
    kind: optional(kinds.country),
    default: '',
    commands: [...answering, 'demo'],
    about: 'Home country of the site for the advisor (ISO 3166-1, such as DE). Default: that of the time zone.',
  },
  currency: {
    group: 'Site',
    value: 'CODE',
    kind: optional(kinds.currency),
    default: '',
    commands: serve,
    about:
      'Currency of revenue and of the values of goals (ISO 4217, such as EUR), for reports that name none. ' +
      "Default: the shop's, or else the one with the most counted orders.",
  },
  plan: {
    group: 'Site',
    value: 'PLAN',
    kind: choice('free', 'paid'),
    default: 'paid',
    commands: answering,
    about: 'Questions that the advisor answers: free for the free ones, paid for all.',
  },
  keepQuery: {
    group: 'Site',
    value: 'NAMES',
    kind: kinds.names,
    default: plainPermalinks,
    commands: [...readingUrls, 'demo'],
    about: 'Query parameters that identify pages; all others are removed.',
  },
  sources: {
    group: 'Site',
    value: 'FILE',
    kind: optional(kinds.file),
    default: '',
    commands: collecting,
    about:
      'File that says what channel and name hosts and sources have, and which networks are of servers or of people, in place of the built-in lists.',
  },
  pagePatterns: {
    group: 'Site',
    value: 'FILE',
    kind: optional(kinds.file),
    default: '',
    commands: [...readingUrls, 'demo'],
    about:
      "File of paths such as /orders/{n}: pages that differ by a number alone are one page. 'page-patterns' previews it.",
  },
  throttleHits: {
    group: 'Site',
    value: 'BURST/RATE',
    kind: kinds.limit,
    default: '60/5',
    commands: serve,
    about: 'Limit of hits and of events per visitor address: burst size and rate per second.',
  },
  throttleEngagement: {
    group: 'Site',
    value: 'BURST/RATE',
    kind: kinds.limit,
    default: '120/20',
    commands: serve,
    about: 'Limit of engagement updates per visitor address: burst size and rate per second.',
  },
  plausibleApi: {
    group: 'Site',
    value: '',
    kind: kinds.truth,
    default: '',
    commands: serve,
    about:
      "Take hits by Plausible's events API as well, at /api/event, so that its scripts and SDKs work unchanged. " +
      'In the environment: true.',
  },
  wordpressUrl: {
    group: 'Site',
    value: 'URL',
    kind: optional(kinds.siteUrl),
    default: '',
    commands: serve,
    about: 'URL of a WordPress site whose users may use the API with their WordPress login.',
  },
  viewerRoles: {
    group: 'Site',
    value: 'ROLES',
    kind: kinds.roles,
    default: '',
    commands: serve,
    about: 'Roles of WordPress users, and of tokens without capabilities, that may read reports.',
  },
  woocommerceUrl: {
    group: 'Shop',
    value: 'URL',
    kind: optional(kinds.siteUrl),
    default: '',
    commands: usingShop,
    about: 'URL of a WooCommerce shop whose orders are imported. Its key is set in the environment.',
  },
  orderStatuses: {
    group: 'Shop',
    value: 'STATUSES',
    kind: kinds.statuses,
    default: 'processing,completed,refunded',
    commands: creatingFile,
    about: 'Order statuses that count as revenue.',
  },
} satisfies Record<string, Option>
