// The requests of the API reference, in an order in which each finds what it needs. Answers are recorded, never written.
import { createHmac } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { password } from '../support/known-users.ts'
import { firefox } from '../support/service.ts'

/** The answer of an earlier step. */
export type Found = (name: string) => any

export type Step = {
  /** The operation: method and path, as its endpoint declares them. */
  name: string
  /** Path and query, if they are not those of the name. */
  path?: string | ((found: Found) => string)
  as?: 'nobody' | 'session'
  headers?: Readonly<Record<string, string>>
  body?: unknown
  /** The body, if it needs an earlier answer. */
  bodyOf?: (found: Found) => unknown
}

/** When the demo data ends. */
export const now = '2026-04-01T15:00:00Z'
export const webhookSecret = 'a secret of the webhook'
const march = 'from=2026-03-01&to=2026-03-31'
const visitor = { as: 'nobody', headers: { 'content-type': 'application/json', 'user-agent': firefox } } as const
const pvid = 'V1StGXR8_Z5jdHi6B-myT'

const order = {
  id: 9001,
  status: 'processing',
  currency: 'EUR',
  date_created_gmt: '2026-03-31T10:12:00',
  date_paid_gmt: '2026-03-31T10:12:30',
  date_modified_gmt: '2026-03-31T10:12:30',
  total: '47.60',
  total_tax: '7.60',
  shipping_total: '4.00',
  line_items: [{ id: 1, product_id: 17, name: 'Sencha', quantity: 2, total: '36.00', total_tax: '6.84' }],
}
const webhook = JSON.stringify({ ...order, id: 9002 })
const newGoal = { name: 'Letter', kind: 'page', pattern: '/letter' }
const newFunnel = {
  name: 'From the blog',
  steps: [
    { kind: 'page', pattern: '/blog/*' },
    { kind: 'page', pattern: '/product/*' },
  ],
}

const reports: readonly Step[] = [
  { name: 'GET /summary', path: `/summary?${march}&interval=week&compare=previous` },
  { name: 'GET /sources', path: `/sources?${march}&limit=2` },
  { name: 'GET /pages', path: `/pages?${march}&device=mobile&limit=2` },
  { name: 'GET /pages/entry', path: `/pages/entry?${march}&limit=2` },
  { name: 'GET /pages/exit', path: `/pages/exit?${march}&limit=2` },
  { name: 'GET /paths', path: `/paths?${march}&page=/pricing&direction=next` },
  { name: 'GET /realtime' },
  { name: 'GET /now' },
  { name: 'GET /utm', path: `/utm?${march}&group_by=source,medium&limit=2` },
  { name: 'GET /utm/landing', path: `/utm/landing?${march}&limit=2` },
  { name: 'GET /events', path: `/events?${march}&limit=2` },
  { name: 'GET /events/:name', path: `/events/add_to_cart?${march}` },
  { name: 'GET /dimensions/os/browser', path: `/dimensions/os/browser?${march}&limit=2` },
  { name: 'GET /dimensions/weekday/hour', path: `/dimensions/weekday/hour?${march}` },
  { name: 'GET /dimensions/:type', path: `/dimensions/country?${march}&limit=2` },
  { name: 'GET /sites', path: `/sites?${march}&compare=previous` },
  { name: 'GET /filters/:key', path: `/filters/browser?${march}&search=fire` },
  { name: 'GET /content', path: `/content?${march}&limit=2` },
  {
    name: 'POST /known-texts',
    body: { texts: ['/pricing', '/never-seen', 'add_to_cart'] },
  },
  { name: 'GET /refusals', path: `/refusals?${march}` },
  { name: 'GET /bots', path: `/bots?from=2026-03-10&to=2026-03-11` },
  { name: 'GET /goals/report', path: `/goals/report?${march}&compare=previous` },
  { name: 'GET /goals/:id/breakdown', path: `/goals/1/breakdown?by=channel&${march}` },
  { name: 'GET /funnels/:id/report', path: `/funnels/1/report?${march}` },
]

const revenue: readonly Step[] = [
  { name: 'GET /revenue/wc-status' },
  { name: 'GET /revenue/summary', path: `/revenue/summary?${march}&compare=previous` },
  { name: 'GET /revenue/timeseries', path: `/revenue/timeseries?${march}&interval=week` },
  { name: 'GET /revenue/by-channel', path: `/revenue/by-channel?${march}` },
  { name: 'GET /revenue/by-utm', path: `/revenue/by-utm?${march}&limit=2` },
  { name: 'GET /revenue/by-landing', path: `/revenue/by-landing?${march}&limit=2` },
  { name: 'GET /revenue/products', path: `/revenue/products?${march}&orderby=units&limit=2` },
  { name: 'GET /revenue/funnel', path: `/revenue/funnel?${march}` },
  { name: 'GET /revenue/refunds', path: `/revenue/refunds?${march}` },
  { name: 'GET /revenue/coupons', path: `/revenue/coupons?${march}&limit=2` },
  { name: 'POST /revenue/reconcile', body: { from: '2026-03-01', to: '2026-03-31' } },
  { name: 'POST /revenue/backfill', body: { from: '2026-03-01', to: '2026-03-31' } },
  { name: 'POST /orders', body: [order] },
  {
    name: 'POST /woocommerce/state',
    body: { woocommerce_version: '10.3.0', currency: 'EUR', hpos_enabled: true, attribution_enabled: true },
  },
]

const advisor: readonly Step[] = [
  { name: 'GET /advisor/questions', path: '/advisor/questions?lang=en' },
  { name: 'POST /advisor/answers', body: { ids: ['q2', 'q41'], from: '2026-03-01', to: '2026-03-31' } },
  {
    name: 'POST /advisor/ask',
    body: { text: 'How many visitors came from Germany in March?', from: '2026-03-01', to: '2026-03-31' },
  },
  { name: 'GET /advisor/changes', path: `/advisor/changes?${march}` },
  { name: 'GET /advisor/preferences' },
  { name: 'PUT /advisor/preferences', body: { pinned_questions: ['q2', 'q41'] } },
  { name: 'DELETE /advisor/preferences/:user', path: '/advisor/preferences/7' },
]

const goals: readonly Step[] = [
  { name: 'GET /goals' },
  { name: 'POST /goals/preview', body: newGoal },
  { name: 'POST /goals', body: newGoal },
  { name: 'GET /goals/:id', path: '/goals/1' },
  {
    name: 'PUT /goals/:id',
    path: found => `/goals/${found('POST /goals').id}`,
    body: { ...newGoal, name: 'Monthly letter' },
  },
  { name: 'DELETE /goals/:id', path: found => `/goals/${found('POST /goals').id}` },
  { name: 'GET /funnels' },
  { name: 'POST /funnels/preview', body: newFunnel },
  { name: 'POST /funnels', body: newFunnel },
  { name: 'GET /funnels/:id', path: '/funnels/1' },
  {
    name: 'PUT /funnels/:id',
    path: found => `/funnels/${found('POST /funnels').id}`,
    body: { ...newFunnel, name: 'Blog to shop' },
  },
  { name: 'DELETE /funnels/:id', path: found => `/funnels/${found('POST /funnels').id}` },
]

const segments: readonly Step[] = [
  { name: 'POST /segments', body: { name: 'Phones in Germany', filters: { device: 'mobile', country: 'DE' } } },
  { name: 'GET /segments' },
  { name: 'GET /segments/:id', path: '/segments/1' },
  { name: 'PUT /segments/:id', path: '/segments/1', body: { name: 'German phones', filters: { device: 'mobile' } } },
  { name: 'DELETE /segments/:id', path: '/segments/1' },
  { name: 'POST /annotations', body: { text: 'New theme', kind: 'deploy', at: '2026-03-20' } },
  { name: 'GET /annotations', path: `/annotations?${march}` },
  {
    name: 'PUT /annotations/:id',
    path: found => `/annotations/${found('POST /annotations').id}`,
    body: { text: 'New theme, with larger pictures', kind: 'deploy', at: '2026-03-20' },
  },
  { name: 'DELETE /annotations/:id', path: found => `/annotations/${found('POST /annotations').id}` },
  { name: 'PUT /alerts', body: { spike: { enabled: true, threshold: 50 } } },
  { name: 'GET /alerts' },
  { name: 'GET /alerts/history', path: '/alerts/history?limit=5' },
]

const linkPath = (found: Found): string => `/share-links/${found('POST /share-links').uuid}`
const annasPasswords = '/users/3/application-passwords'

const invitation = { name: 'Anna of the agency', filters: { country: 'DE' } }

const access: readonly Step[] = [
  { name: 'POST /session', as: 'nobody', body: { login: 'admin', password } },
  { name: 'GET /session', as: 'session' },
  { name: 'GET /sessions', as: 'session' },
  { name: 'DELETE /session', as: 'session' },
  { name: 'POST /session', as: 'nobody', body: { login: 'admin', password } },
  { name: 'GET /sessions', as: 'session' },
  { name: 'DELETE /sessions/:id', path: found => `/sessions/${found('GET /sessions').at(-1).id}` },
  { name: 'DELETE /sessions' },
  { name: 'GET /users' },
  { name: 'POST /users', body: { login: 'anna', role: 'viewer', locale: 'de', password: 'correct horse battery' } },
  { name: 'GET /users/:id', path: '/users/3' },
  { name: 'PUT /users/:id', path: '/users/3', body: { role: 'administrator' } },
  { name: 'GET /users/me' },
  { name: 'PUT /users/me', body: { locale: 'en' } },
  {
    name: 'POST /users/:id/application-passwords',
    path: annasPasswords,
    body: { name: 'Grafana', scopes: ['metrics'] },
  },
  { name: 'GET /users/:id/application-passwords', path: annasPasswords },
  {
    name: 'DELETE /users/:id/application-passwords/:uuid',
    path: found => `${annasPasswords}/${found('POST /users/:id/application-passwords').uuid}`,
  },
  { name: 'POST /users/:id/application-passwords', path: annasPasswords, body: { name: 'Backup' } },
  { name: 'DELETE /users/:id/application-passwords', path: annasPasswords },
  { name: 'DELETE /users/:id', path: '/users/3' },
  { name: 'GET /users/me/totp' },
  { name: 'POST /users/me/totp', body: { password } },
  {
    name: 'POST /users/me/totp/confirm',
    bodyOf: found => ({
      code: new TOTP({ secret: Secret.fromBase32(found('POST /users/me/totp').secret) }).generate({
        timestamp: Date.parse(now),
      }),
    }),
  },
  { name: 'DELETE /users/me/totp', body: { password } },
  { name: 'POST /invitations', body: invitation },
  { name: 'GET /invitations' },
  { name: 'DELETE /invitations/:uuid', path: found => `/invitations/${found('POST /invitations').uuid}` },
  { name: 'POST /invitations', body: invitation },
  {
    name: 'POST /invitations/accept',
    as: 'nobody',
    bodyOf: found => ({ token: found('POST /invitations').token, login: 'client', password: 'correct horse battery' }),
  },
  {
    name: 'POST /digests',
    body: { address: 'anna@agency.example', period: 'month', lang: 'de', filters: { country: 'DE' } },
  },
  { name: 'GET /digests' },
  { name: 'DELETE /digests/:uuid', path: found => `/digests/${found('POST /digests').uuid}` },
  {
    name: 'POST /share-links',
    body: {
      name: 'For the board',
      filters: { country: 'DE' },
      expires_at: '90d',
      counter: { figure: 'visitors', period: '28d' },
    },
  },
  { name: 'GET /share-links' },
  { name: 'GET /share-links/:uuid', path: linkPath },
  {
    name: 'POST /share-links/open',
    as: 'nobody',
    bodyOf: found => ({ token: found('POST /share-links').token }),
  },
  { name: 'GET /counter/:link', as: 'nobody', path: found => `/counter/${found('POST /share-links').uuid}` },
  { name: 'DELETE /share-links/:uuid', path: linkPath },
  { name: 'GET /audit', path: '/audit?limit=2' },
]

const operation = (page: string): readonly Step[] => [
  { name: 'GET ', as: 'nobody', path: '?_fields=namespace,routes./analytics/v1/session' },
  { name: 'GET /openapi.json', as: 'nobody', path: '/openapi.json?_fields=openapi,info.title' },
  {
    name: 'POST /batch',
    body: { requests: [{ path: `/summary?${march}&_fields=data.totals` }, { path: '/events/nothing' }] },
  },
  { name: 'GET /metrics' },
  { name: 'GET /settings' },
  { name: 'PUT /settings', body: { retention_days: 400, excluded_ips: ['198.51.100.7'] } },
  { name: 'PUT /bots', body: { ignored: ['small_screen'] } },
  {
    name: 'PUT /rules',
    body: {
      rules: [
        { field: 'path', pattern: '/wp-admin/*' },
        { name: 'Spam', field: 'referrer', pattern: 'junk.example' },
      ],
    },
  },
  { name: 'GET /rules' },
  {
    name: 'POST /rules/preview',
    body: {
      rules: [
        { field: 'path', pattern: '/blog/*' },
        { field: 'agent', pattern: 'acme-monitor' },
      ],
    },
  },
  { name: 'POST /erase', body: { target: 'referrer', value: 'junk.example', preview: true } },
  { name: 'GET /site' },
  { name: 'PUT /site', body: { site_name: 'My shop', allowed_hosts: ['shop.example.org'] } },
  { name: 'GET /mail' },
  { name: 'POST /mail/test', body: { lang: 'en' } },
  { name: 'GET /digest', path: '/digest?period=week' },
  { name: 'GET /diagnostics' },
  { name: 'POST /self-test' },
  { name: 'POST /check', body: { url: page } },
  { name: 'GET /privacy-audit' },
  { name: 'POST /cron/run', body: { jobs: ['rollup', 'salt'] } },
  { name: 'POST /diagnostics/enable-fallback-city' },
]

const collection: readonly Step[] = [
  {
    name: 'POST /hit',
    ...visitor,
    body: { page_url: '/blog/water-temperature-chart', title: 'Water temperature', pvid },
  },
  {
    name: 'POST /event',
    ...visitor,
    body: { name: 'newsletter_signup', page_url: '/letter', pvid, properties: { form: 'footer' } },
  },
  { name: 'POST /engagement', ...visitor, body: { pvid, engagement_time: 42, scroll_depth: 80 } },
  { name: 'POST /forget', as: 'nobody', body: { visitor_id: 'h2Qm8vXcT0-eLw4RzN7k' } },
  {
    name: 'POST /content',
    body: [
      {
        page: '/blog/water-temperature-chart',
        title: 'Water temperature',
        published_at: '2026-03-14',
        author: 'Jonas Clay',
      },
    ],
  },
]

/** `page` is a page of the site that holds the tag. */
export const stepsOf = (page: string): readonly Step[] => [
  ...reports,
  ...revenue,
  ...advisor,
  ...goals,
  ...segments,
  ...collection,
  ...operation(page),
  ...access,
  {
    name: 'POST /woocommerce/webhook',
    as: 'nobody',
    headers: {
      'content-type': 'application/json',
      'x-wc-webhook-signature': createHmac('sha256', webhookSecret).update(webhook).digest('base64'),
    },
    body: webhook,
  },
  // It ends in the background.
  { name: 'GET /revenue/reconcile' },
  { name: 'POST /users', body: { login: 'bea', password: 'correct horse battery' } },
  { name: 'DELETE /users/me' },
]

/** Of a file with an import, which demo files do not take. */
const visitors = 'date,visitors,pageviews,bounces,visits,visit_duration\n2026-02-01,7,16,3,8,240\n'

export const importSteps: readonly Step[] = [
  { name: 'POST /uploads', body: { name: 'imported_visitors.csv', bytes: visitors.length } },
  {
    name: 'PUT /uploads/:id',
    path: found => `/uploads/${found('POST /uploads').id}?offset=0`,
    headers: { 'content-type': 'application/octet-stream' },
    body: visitors,
  },
  { name: 'GET /uploads' },
  { name: 'POST /imports', bodyOf: found => ({ uploads: [found('POST /uploads').id], preview: true }) },
  { name: 'PUT /imports/current', body: { command: 'pause' } },
  { name: 'PUT /imports/current', body: { command: 'run' } },
  { name: 'GET /imports/current' },
  { name: 'DELETE /uploads/:id', path: found => `/uploads/${found('POST /uploads').id}` },
  { name: 'GET /imports' },
  { name: 'DELETE /imports/:id', path: '/imports/1' },
]
