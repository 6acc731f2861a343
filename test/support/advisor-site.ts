// A small site with all that the advisor's questions rest on: visits, campaigns, events, content and a shop.

import { sendRecord } from './records.ts'
import { firefox, phone, type Running } from './service.ts'
import { line, meta, order, sendEvent, shopOf } from './shop.ts'

type Visit = {
  at: string
  page: string
  title?: string
  address: string
  agent?: string
  referrer?: string
  language?: string
  content?: Record<string, unknown>
  then?: readonly string[]
  seconds?: number
}

const tablet =
  'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1'
export const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

/** Addresses of which the built-in database knows the country. */
const london = '81.2.69.142'
const german = (last: number): string => `88.64.1.${last}`

const day = (date: string, hour: number): string => `${date}T${String(hour).padStart(2, '0')}:00:00Z`

/** Forty days of steady visits, so that weekdays can be compared. */
const steady: readonly Visit[] = Array.from({ length: 40 }, (_, index) => {
  const date = new Date(Date.UTC(2026, 0, 30) + index * 86_400_000).toISOString().slice(0, 10)
  return [1, 2, 3].map(visitor => ({
    at: day(date, 8 + visitor),
    page: visitor === 1 ? '/' : '/blog/tea',
    title: visitor === 1 ? 'Home' : 'How to brew tea',
    address: german(visitor),
    agent: visitor === 2 ? phone : firefox,
    language: 'de-DE',
    seconds: 20 * visitor,
    ...(visitor === 3 && { referrer: 'https://www.google.com/', then: ['/pricing'] }),
    ...(visitor !== 1 && {
      content: { resource_type: 'post', resource_id: 7, published_at: '2025-06-01T08:00:00Z', author: 'Ada' },
    }),
  }))
}).flat()

const special: readonly Visit[] = [
  // Counting began before the days that are compared with.
  { at: day('2026-01-09', 10), page: '/', title: 'Home', address: german(9) },
  {
    at: day('2026-02-20', 15),
    page: '/blog/old',
    title: 'An old story',
    address: london,
    language: 'en-GB',
    content: { resource_type: 'post', published_at: '2025-01-01T08:00:00Z' },
  },
  ...[1, 2, 3, 4, 5, 6].map(n => ({
    at: day('2026-03-04', 10 + n),
    page: '/landing?utm_source=newsletter&utm_medium=email&utm_campaign=Spring',
    title: 'Spring sale',
    address: german(20 + n),
    agent: n % 2 === 0 ? phone : firefox,
    ...(n > 4 && { then: ['/product/mug'] }),
  })),
  ...[1, 2, 3, 4, 5, 6].map(n => ({
    at: day('2026-03-05', 10 + n),
    page: '/landing?utm_source=facebook&utm_medium=cpc&utm_campaign=Ads',
    title: 'Spring sale',
    address: german(40 + n),
    agent: phone,
  })),
  ...[
    ['https://www.facebook.com/', 1],
    ['https://www.reddit.com/r/tea', 2],
    ['https://t.co/x', 3],
    ['https://www.instagram.com/', 4],
    ['https://www.youtube.com/watch', 5],
    ['https://chatgpt.com/', 6],
    ['https://tea-lovers.example/', 7],
  ].map(([referrer, n]) => ({
    at: day('2026-03-06', 9 + Number(n)),
    page: '/blog/tea',
    title: 'How to brew tea',
    address: london,
    referrer: String(referrer),
    agent: tablet,
    language: 'en-GB',
  })),
  {
    at: day('2026-03-07', 9),
    page: '/contact',
    title: 'Contact',
    address: london,
    then: ['/about', '/product/mug'],
    seconds: 95,
  },
  {
    at: day('2026-03-09', 9),
    page: '/blog/new',
    title: 'Fresh from the press',
    address: german(60),
    content: { resource_type: 'post', published_at: '2026-03-08T07:00:00Z' },
  },
  { at: '2026-03-10T11:50:00Z', page: '/', title: 'Home', address: german(70), then: ['/pricing'] },
]

const inOrder = [...steady, ...special].sort((a, b) => (a.at < b.at ? -1 : 1))

let pvid = 0

/** Records the site; the clock is at noon of 10 March 2026 afterwards. */
export const recordSite = async (running: Running): Promise<void> => {
  const { clock, hit, service } = running
  const engage = (id: string, address: string, agent: string, seconds: number) =>
    sendRecord(`${service.url}/analytics/v1/engagement`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'user-agent': agent, 'x-forwarded-for': address },
      body: JSON.stringify({ pvid: id, engagement_time: seconds, scroll_depth: Math.min(100, seconds) }),
    })
  for (const {
    at,
    page,
    title,
    address,
    agent = firefox,
    referrer,
    language,
    content,
    then = [],
    seconds,
  } of inOrder) {
    clock.now = Date.parse(at)
    const headers = { 'x-forwarded-for': address, 'user-agent': agent }
    for (const [index, path] of [page, ...then].entries()) {
      const id = `advisor-view-${String(pvid++).padStart(8, '0')}`
      const body = {
        page_url: `https://shop.example${path}`,
        pvid: id,
        ...(index === 0 && { title, referrer, ...content }),
        language,
      }
      const { status } = await hit(body, headers)
      if (status !== 204) throw new Error(`hit: ${status}`)
      clock.now += 30_000
      if (seconds !== undefined) await engage(id, address, agent, seconds)
    }
  }
  clock.now = Date.parse('2026-03-04T11:30:00Z')
  await hit({ page_url: 'https://shop.example/' }, { 'user-agent': googlebot })
  clock.now = Date.parse('2026-03-10T12:00:00Z')
  await running.settled()
}

/** Events of the funnel, and others; visits under way hold them. */
export const recordEvents = async (running: Running): Promise<void> => {
  running.clock.now = Date.parse('2026-03-10T11:56:00Z')
  for (const name of ['product_view', 'add_to_cart', 'checkout_start', 'signup'])
    await sendEvent(running, { name, page_url: '/pricing' }, german(70))
  running.clock.now = Date.parse('2026-03-10T12:00:00Z')
  await running.settled()
}

/** Orders of two channels, with a coupon and a refund. */
export const recordShop = async (running: Running): Promise<void> => {
  const results = await shopOf(running).push(
    order({
      id: 1,
      date_created_gmt: '2026-03-04T12:00:00',
      date_paid_gmt: '2026-03-04T12:00:03',
      meta_data: meta({
        source_type: 'utm',
        utm_source: 'newsletter',
        utm_medium: 'email',
        utm_campaign: 'Spring',
        session_entry: 'https://shop.example/landing',
      }),
      coupon_lines: [{ id: 1, code: 'SPRING10', discount: '3.00', discount_tax: '0.00' }],
    }),
    order({
      id: 2,
      date_created_gmt: '2026-03-05T12:00:00',
      date_paid_gmt: '2026-03-05T12:00:03',
      total: '36.00',
      total_tax: '6.00',
      line_items: [line({ quantity: 3, total: '30.00', total_tax: '6.00' })],
    }),
    order({
      id: 3,
      date_created_gmt: '2026-03-08T12:00:00',
      date_paid_gmt: '2026-03-08T12:00:03',
      total: '24.00',
      total_tax: '4.00',
      shipping_total: '5.00',
      line_items: [line({ id: 3, name: 'Teapot', product_id: 102, quantity: 1, total: '15.00', total_tax: '4.00' })],
      refunds: [{ id: 31, reason: '', total: '-6.00' }],
    }),
  )
  if (results.some(result => result !== 'stored')) throw new Error(`orders: ${results}`)
  await running.settled()
}

/** What the CMS says of itself: pages, among them one that nobody has seen. */
export const recordContent = async ({ api }: Running): Promise<void> => {
  const items = [
    { page: '/', title: 'Home', resource_type: 'page' },
    {
      page: 'https://shop.example/blog/unseen/',
      title: 'Nobody reads this',
      resource_type: 'post',
      published_at: '2026-01-05T08:00:00Z',
      author: 'Ada',
    },
  ]
  const { status } = await api('/content', {
    method: 'POST',
    body: JSON.stringify(items),
    headers: { 'content-type': 'application/json' },
  })
  if (status !== 200) throw new Error(`content: ${status}`)
}
