// Several days of traffic sent over HTTP, and every report on them.

import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'
import { createZone } from '../../src/lib/time.ts'
import { rawDays } from '../../src/rollup/raw-from.ts'
import { rebuildDay } from '../../src/rollup/rebuild.ts'
import { sendRecord } from './records.ts'
import { firefox, phone, type Running, withService } from './service.ts'

export const timezone = 'Europe/Berlin'
export const zone = createZone(timezone)
export const flags = { timezone }
export const later = '2026-04-20T12:00:00Z'

const addresses = ['203.191.167.213', '198.181.149.227', '2001:db8:1:2::3', '203.0.113.7']
const agents = [firefox, phone, `${firefox} Distinct/7741`, phone]
export const secrets = [...addresses, 'Distinct/7741', 'KHTML, like Gecko', 'x-forwarded-for']

type Send = (
  visitor: number,
  time: string,
  endpoint: 'hit' | 'event' | 'engagement',
  body: Record<string, unknown>,
) => Promise<void>

const sender =
  ({ service, clock }: Running): Send =>
  async (visitor, time, endpoint, body) => {
    clock.now = Date.parse(time)
    const { status } = await sendRecord(`${service.url}/analytics/v1/${endpoint}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'text/plain',
        'user-agent': agents[visitor] ?? firefox,
        'x-forwarded-for': addresses[visitor] ?? '',
        'accept-language': visitor === 1 ? 'de-DE,de' : 'en-GB,en',
      },
    })
    if (status !== 204) throw new Error(`${endpoint} ${JSON.stringify(body)} was answered with ${status}`)
  }

const page = (path: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  page_url: `https://shop.example${path}`,
  title: `Page ${path}`,
  ...more,
})

/** A visit with up to three views, engagement and events; it may cross midnight. */
const visit = async (send: Send, visitor: number, start: string, number: number): Promise<void> => {
  const at = (minutes: number): string => new Date(Date.parse(start) + minutes * 60_000).toISOString()
  const pvid = (view: number): string => `view-of-visit-${number}-${view}-of-them`
  const referrer = ['https://www.google.de/', 'https://chatgpt.com/', 'https://news.example/secret-path', undefined][
    number % 4
  ]
  const tags = [
    '?utm_source=News&utm_medium=email&utm_campaign=Spring',
    '?utm_source=news&utm_term=a&utm_content=b',
    '',
    '',
  ][number % 4]
  await send(
    visitor,
    at(0),
    'hit',
    page(`/p/${number % 5}${tags}`, {
      pvid: pvid(0),
      referrer,
      screen_width: 500 * (1 + (number % 4)),
      screen_height: 800,
      language: ['de-CH', 'pt-BR', 'zh-TW', 'fr'][number % 4],
    }),
  )
  await send(visitor, at(5), 'engagement', {
    pvid: pvid(0),
    engagement_time: 30 + number,
    scroll_depth: (number * 7) % 100,
  })
  for (const name of ['product_view', 'add_to_cart', 'checkout_start'].slice(0, number % 4))
    await send(visitor, at(6), 'event', { name })
  if (number % 3 === 0) return
  await send(visitor, at(20), 'hit', page(`/q/${number % 7}`, { pvid: pvid(1), title: `Title ${number % 2}` }))
  await send(visitor, at(22), 'event', {
    name: number % 2 === 0 ? 'signup' : 'purchase',
    event_id: `event-of-visit-${number}-here`,
    value: number + 0.1,
    order_id: `order-${number}`,
    properties: { plan: number % 2 === 0 ? 'pro' : '=free', constructor: 'x' },
  })
  await send(visitor, at(35), 'hit', page('/p/1', { pvid: pvid(2), title: `Title ${(number % 2) + 1}` }))
  await send(visitor, at(39), 'engagement', { pvid: pvid(2), engagement_time: 12, scroll_depth: 80 })
}

export const firstDay = 20260327
export const lastDay = 20260402

/**
 * Days across a DST change and the end of a month: visits across midnight, a day with only an event, and an empty day.
 */
export const fill = (file: string): Promise<void> =>
  withService({ file, flags, start: '2026-03-27T08:00:00Z' }, async running => {
    const send = sender(running)
    let number = 0
    for (const day of ['2026-03-27', '2026-03-28', '2026-03-29', '2026-04-01', '2026-04-02']) {
      for (const [visitor, time] of [
        [0, '08:00'],
        [1, '09:30'],
        [2, '09:45'],
        [0, '14:00'],
        [3, '21:40'],
        [1, '21:50'],
      ] as const) {
        await visit(send, visitor, `${day}T${time}:00Z`, number)
        number += 1
      }
      // The end of a UTC day is after midnight in Berlin.
      await visit(send, 0, `${day}T22:10:00Z`, number)
      number += 1
      await running.hit('{"page_url":')
    }
    await send(2, '2026-03-31T10:00:00Z', 'event', {
      name: 'alone',
      value: 3,
      page_url: 'https://shop.example/alone',
      properties: { of: 'no visit' },
    })
    running.clock.now = Date.parse(later)
    await running.settled()
  })

const range = 'from=2026-03-20&to=2026-04-20'
const dimensions = [
  'country',
  'region',
  'city',
  'continent',
  'language',
  'device',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'screen',
  'channel',
  'hour',
  'weekday',
]
const groups = [
  'source',
  'medium',
  'campaign',
  'term',
  'content',
  'source,medium',
  'source,medium,campaign',
  'source,medium,campaign,term,content',
]
export const paths = [
  '/summary',
  '/summary?interval=day',
  '/pages?limit=100',
  '/pages/entry?limit=100',
  '/pages/exit?limit=100',
  '/sources?limit=100',
  '/sources?group_by=channel',
  '/revenue/funnel',
  '/dimensions/os/browser?limit=100',
  '/dimensions/weekday/hour',
  '/events?limit=100',
  '/events/signup',
  '/events/purchase',
  '/events/alone',
  ...dimensions.map(name => `/dimensions/${name}?limit=100`),
  ...groups.map(name => `/utm?group_by=${name}&limit=100`),
]

/** The responses of every report by path, over several ranges. */
export const reports = async (file: string): Promise<Record<string, unknown>> => {
  const answers: Record<string, unknown> = {}
  await withService({ file, flags, start: later }, async ({ api }) => {
    for (const path of paths) {
      for (const dates of [range, 'from=2026-03-28&to=2026-03-28', 'from=2026-03-01&to=2026-03-31']) {
        const url = `${path}${path.includes('?') ? '&' : '?'}${dates}`
        const { status, body, headers } = await api(url)
        answers[url] = [status, body.data ?? body, headers.get('x-wp-total')]
      }
    }
  })
  return answers
}

/** Reports without property values, which retention deletes with the single visits. */
export const withoutTexts = (answers: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(answers, (key, value: unknown) => (key === 'properties' ? undefined : value)))

export const withDb = async <T>(file: string, work: (db: Db) => T | Promise<T>): Promise<T> => {
  const { db } = openDatabase(file)
  try {
    return await work(db)
  } finally {
    db.close()
  }
}

export const rows = (file: string, sql: string): Promise<unknown[]> => withDb(file, db => db.prepare(sql).raw().all())

/** Days whose rollups differ from those rebuilt from raw rows. */
export const drifted = (file: string, from = 0, days = zone): Promise<number[]> =>
  withDb(file, db => rawDays(db, days).filter(day => day >= from && rebuildDay(db, days, day)))
