// Whatever came: with suspect visits left out, every report is that of a file in which they never came. To switch again,
// to switch to and fro, a restart and a rebuild change nothing.
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createZone } from '../../src/lib/time.ts'
import { rebuildAll } from '../../src/rollup/rebuild-all.ts'
import { withFolder } from '../support/folder.ts'
import { checkAsync, seed } from '../support/property.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'
import { putBots } from '../support/suspects.ts'

const json = { 'content-type': 'application/json' }

/** `slot`: the 90 minutes in which it begins; some begin ten minutes before midnight. */
type Visit = {
  slot: number
  visitor: number
  isMachine: boolean
  pages: readonly { page: string; pause: number }[]
  campaign: string
  referrer: string
  event: string | null
  seconds: number
}

const start = Date.parse('2026-03-10T23:50:00Z')
const slotLength = 90 * 60_000
/** Visitors take turns within it, so that a visit begins when it does without those of others. */
const turn = slotLength / 3
const slots = 40
const end = start + slots * slotLength

/** A visitor is now a person and now a machine: a program in the browser of one, or one address of both. */
const visitors = [
  { address: '198.51.1.1', agent: firefox },
  { address: '198.51.1.1', agent: phone },
  { address: '198.51.2.1', agent: firefox },
] as const

const visits: fc.Arbitrary<Visit[]> = fc
  .uniqueArray(
    fc.record({
      slot: fc.oneof(fc.nat(slots - 1), fc.constantFrom(0, 16, 32)),
      visitor: fc.nat(visitors.length - 1),
      isMachine: fc.boolean(),
      pages: fc.array(
        fc.record({
          page: fc.constantFrom('a.example/', 'a.example/x', 'a.example/y', 'b.example/', 'b.example/x'),
          pause: fc.constantFrom(0, 1, 60, 540),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      campaign: fc.constantFrom('', '', '?utm_source=letter&utm_medium=email&utm_campaign=spring'),
      referrer: fc.constantFrom('', 'https://www.google.com/', 'https://news.example/'),
      event: fc.constantFrom(null, null, 'signup', 'download', 'not_found'),
      seconds: fc.constantFrom(0, 3, 40),
    }),
    { selector: ({ slot, visitor }) => `${slot} ${visitor}`, minLength: 8, maxLength: 24, size: 'max' },
  )
  .map(list => list.sort((one, other) => one.slot - other.slot || one.visitor - other.visitor))

const first: Visit = {
  slot: -1,
  visitor: 0,
  isMachine: false,
  pages: [
    { page: 'a.example/', pause: 0 },
    { page: 'b.example/', pause: 1 },
  ],
  campaign: '',
  referrer: '',
  event: null,
  seconds: 3,
}

const send = async (running: Running, visit: Visit): Promise<void> => {
  const { slot, visitor, isMachine, pages, campaign, referrer, event, seconds } = visit
  const { address, agent } = visitors[visitor] ?? visitors[0]
  const { clock, service } = running
  const post = async (kind: string, body: object): Promise<void> => {
    const { status } = await sendRecord(`${service.url}/analytics/v1/${kind}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'text/plain',
        'user-agent': agent,
        'x-forwarded-for': address,
        // Without it, it would be taken for a back end.
        origin: 'https://a.example',
        'accept-language': isMachine ? '' : 'de-DE,de;q=0.9',
      },
    })
    assert.is(status, 204)
  }
  clock.now = start + slot * slotLength + visitor * turn
  for (const [index, { page, pause }] of pages.entries()) {
    clock.now += pause * 1000
    const pvid = `view-number-${slot}-${visitor}-${index}`
    await post('hit', {
      page_url: `https://${page}${index === 0 ? campaign : ''}`,
      title: `${isMachine ? 'Spam' : 'Page'} ${page}`,
      ...(index === 0 && { referrer }),
      pvid,
      ...(isMachine
        ? { screen_width: 0, screen_height: 0 }
        : { screen_width: 390, screen_height: 844, language: 'de' }),
    })
    if (seconds > 0) await post('engagement', { pvid, engagement_time: seconds, scroll_depth: 50 })
  }
  if (event !== null) await post('event', { name: event, page_url: `https://${pages[0]?.page}`, value: 2 })
}

const range = 'from=2026-03-10&to=2026-03-14'
const days = ['from=2026-03-11&to=2026-03-11', 'from=2026-03-12&to=2026-03-13']
const filtered = ['', '&device=mobile', '&page=/x', '&host=b.example', '&suspect=0', '&visited=/x']
const paths = [
  ...['day', 'hour', 'week'].map(interval => `/summary?${range}&interval=${interval}`),
  ...[range, ...days].flatMap(asked => filtered.map(filter => `/summary?${asked}${filter}`)),
  ...[
    '/pages',
    '/pages/entry',
    '/pages/exit',
    '/sources',
    '/sources?group_by=channel',
    '/utm?group_by=source',
    '/utm/landing',
    '/events',
    '/events/signup',
    '/paths',
    '/sites',
    '/dimensions/os/browser',
    '/dimensions/weekday/hour',
    ...['suspect', 'host', 'hour', 'weekday', 'browser', 'device', 'screen', 'language', 'channel'].map(
      type => `/dimensions/${type}`,
    ),
    '/goals/report',
    '/goals/1/breakdown',
    '/funnels/1/report',
    '/realtime',
  ].flatMap(path => ['', '&host=a.example'].map(filter => `${path}${path.includes('?') ? '&' : '?'}${range}${filter}`)),
]

/** The first day with single visits is noted by a start. */
const withoutStart = (found: unknown): unknown =>
  JSON.parse(JSON.stringify(found, (key, value: unknown) => (key === 'known_from' ? undefined : value)))

const figures = async ({ api, settled }: Running): Promise<[string, unknown][]> => {
  await settled()
  const answers: [string, unknown][] = []
  for (const path of paths) {
    const { status, body } = await api(path)
    answers.push([path, withoutStart(status === 200 ? body.data : body)])
  }
  return answers
}

/** One report at a time, so that a difference is told by its name. */
const assertSame = (found: readonly unknown[], expected: readonly unknown[], when: string): void => {
  for (const [index, one] of expected.entries()) assert.equal(found[index], one, when)
}

const options = (file: string) => ({
  file,
  start: new Date(start - slotLength).toISOString(),
  flags: { trustProxy: '127.0.0.1', allowedHosts: 'a.example,b.example' },
})

const record = async (running: Running, sent: readonly Visit[], before: (index: number) => Promise<unknown>) => {
  const make = (path: string, body: object) =>
    running.api(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
  await make('/goals', { name: 'X', kind: 'page', pattern: '/x' })
  await make('/goals', { name: 'Sign-up', kind: 'event', pattern: 'signup', value_from: 'event' })
  const steps = [
    { name: 'Home', kind: 'page', pattern: '/' },
    { name: 'X', kind: 'page', pattern: '/x' },
  ]
  assert.is((await make('/funnels', { name: 'To X', steps })).status, 201)
  // Pages are named with their host once the file knows several, whoever visits them.
  await send(running, first)
  for (const [index, visit] of sent.entries()) {
    await before(index)
    await send(running, visit)
  }
  running.clock.now = end
}

test(`left out, suspect visits are in no report (SEED=${seed})`, () =>
  checkAsync(
    fc.asyncProperty(visits, fc.nat(24), async (sent, chosenAt) =>
      withFolder(async folder => {
        const expected: unknown[] = []
        await withService(options(join(folder, 'people.db')), async running => {
          await record(
            running,
            sent.filter(({ isMachine }) => !isMachine),
            async () => {},
          )
          expected.push(...(await figures(running)))
        })
        const file = join(folder, 'all.db')
        await withService(options(file), async running => {
          const choose = async (suspects: string): Promise<void> => {
            assert.is((await putBots(running, { suspects })).status, 200)
          }
          await record(running, sent, async index => {
            if (index === chosenAt) await choose('leave_out')
          })
          await choose('leave_out')
          const found = await figures(running)
          const { suspect } = (await running.api(`/bots?${range}`)).body.data
          assert.is(suspect, sent.filter(({ isMachine }) => isMachine).length, 'all machines are suspect')
          assertSame(found, expected, 'left out')
          await choose('leave_out')
          assertSame(await figures(running), expected, 'left out again')
          await choose('count')
          const counted = await figures(running)
          await choose('leave_out')
          assertSame(await figures(running), expected, 'left out, counted, left out')
          const rebuild = (): void => {
            const { db } = openDatabase(file)
            const { changed } = rebuildAll(db, createZone('UTC'), () => {})
            db.close()
            assert.equal(changed, [], 'a rebuild finds nothing to change')
          }
          await running.restart(rebuild)
          assertSame(await figures(running), expected, 'rebuilt')
          await choose('count')
          assertSame(await figures(running), counted, 'counted again')
          await running.restart(rebuild)
          assertSame(await figures(running), counted, 'counted and rebuilt')
        })
      }),
    ),
    { numRuns: 5, includeErrorInReport: true },
  ))

test.run()
