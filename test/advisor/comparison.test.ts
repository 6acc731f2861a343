// Answers compare as reports do: with the same range, cut at the same moment, to the unit; and what chance explains is
// about the same.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkAsync } from '../support/property.ts'
import { phone, type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const post = ({ api }: Running, body: object) =>
  api('/advisor/answers', { method: 'POST', body: JSON.stringify({ lang: 'en', ...body }), headers: json })
const ask = async (running: Running, ids: string[], body: object): Promise<any[]> =>
  (await post(running, { ids, ...body })).body.answers

const zones = ['UTC', 'Europe/Berlin', 'America/New_York'] as const
/** The nights on which clocks change in Berlin and in New York lie between the hits. */
const first = Date.parse('2026-10-22T00:00:00Z')
const minutes = 14 * 24 * 60
const visits = fc.array(
  fc.record({
    minute: fc.integer({ min: 0, max: minutes }),
    page: fc.constantFrom('/', '/a', '/b', '/contact'),
    referrer: fc.constantFrom(undefined, 'https://www.google.com/', 'https://old.reddit.com/r/x'),
  }),
  { minLength: 5, maxLength: 30 },
)
const localTime = (zone: string, time: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(time)
const localDay = (zone: string, time: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(time)
const shifted = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)

const compared = ['q2', 'q3', 'q4', 'q6', 'q12', 'q33', 'q34', 'q38', 'q43', 'q44', 'q47', 'q48', 'q54', 'q55', 'q95']

test('over a change of the clocks and just after midnight, answers are their reports to the unit', () =>
  checkAsync(
    fc.asyncProperty(
      visits,
      fc.constantFrom(...zones),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      fc.constantFrom('previous', 'other'),
      async (recorded, zone, length, justAfterMidnight, kind) =>
        withService({ start: new Date(first).toISOString(), flags: { timezone: zone } }, async running => {
          const { clock, hit, settled, api } = running
          for (const [index, { minute, page, referrer }] of recorded
            .toSorted((one, other) => one.minute - other.minute)
            .entries()) {
            clock.now = first + minute * 60_000
            await hit({ page_url: page, referrer }, { 'x-forwarded-for': `10.${index}.0.1` })
          }
          clock.now = first + (minutes + 1) * 60_000
          if (justAfterMidnight) while (localTime(zone, clock.now) !== '00:01') clock.now += 60_000
          await settled()
          const to = localDay(zone, clock.now)
          const from = shifted(to, 1 - length)
          const compare = kind === 'previous' ? kind : `${shifted(from, -7)}..${shifted(from, -1)}`
          const get = async (path: string): Promise<any> =>
            (await api(`${path}${path.includes('?') ? '&' : '?'}from=${from}&to=${to}&compare=${compare}`)).body
          const answers = new Map((await ask(running, compared, { from, to, compare })).map(found => [found.id, found]))
          const viz = (id: string): any => answers.get(id).viz
          const { previous, change, totals } = (await get('/summary')).data
          for (const [id, metric] of [
            ['q2', 'visitors'],
            ['q3', 'views'],
            ['q4', 'sessions'],
            ['q95', 'avg_session_duration'],
          ] as const)
            assert.equal(
              [viz(id).value, viz(id).previous, viz(id).change],
              [totals[metric], previous.totals[metric], change[metric]],
              id,
            )
          const { current, previous: before, previous_from, previous_to } = viz('q6')
          if (answers.get('q6').status === 'ok')
            assert.equal(
              [current, before, previous_from, previous_to],
              [totals.visitors, previous.totals.visitors, previous.from, previous.to],
            )
          const sources: any[] = (await get('/sources?limit=200')).data
          for (const { source, sessions, previous_sessions } of viz('q12').rows) {
            const row = sources.find(found => found.source === source)
            if (row !== undefined) assert.equal([sessions, previous_sessions], [row.sessions, row.previous], source)
          }
          // Every hit is a visitor of its own, so that visitors, visits and views of a source or page are the same.
          const channels: any[] = (await get('/sources?group_by=channel')).data
          const channel = (name: string) => channels.find(row => row.channel === name)
          for (const [id, row] of [
            ['q43', sources.find(found => found.source === 'Google')],
            ['q44', channel('Organic Search')],
            ['q47', channel('Direct')],
            ['q48', sources.find(found => found.source === 'Reddit')],
          ] as const)
            if (row !== undefined) assert.equal([viz(id).value, viz(id).previous], [row.visitors, row.previous], id)
          const [now, then] = viz('q54').series
          const sum = (points: any[]): number => points.reduce((all, { value }) => all + value, 0)
          assert.equal(
            [sum(now.points), sum(then.points)],
            [channel('Organic Search').visitors, channel('Organic Search').previous],
          )
          const pages: any[] = (await get('/pages?limit=200')).data
          for (const [id, page] of [
            ['q33', '/'],
            ['q34', '/contact'],
          ]) {
            const row = pages.find(found => found.page === page)
            if (row !== undefined)
              assert.equal([viz(id ?? '').value, viz(id ?? '').previous], [row.views, row.previous])
          }
          const fallen = pages.filter(row => row.visitors < row.previous)
          const named = viz('q38').rows.filter((row: any) => row.visitors > 0)
          assert.equal(
            named.map((row: any) => [row.page, row.previous_visitors]).sort(),
            fallen.map(row => [row.page, row.previous]).sort(),
          )
        }),
    ),
    { numRuns: 8 },
  ))

/** Visits at ten o'clock of a day, each by another visitor; of those by phone the given number goes on to a second page. */
const visit = async (running: Running, day: string, count: number, agent?: string, on = 0): Promise<void> => {
  running.clock.now = Math.max(running.clock.now + 1000, Date.parse(`${day}T10:00:00Z`))
  for (let number = 0; number < count; number++) {
    const headers = {
      'x-forwarded-for': `10.${Math.floor(number / 200)}.${number % 200}.1`,
      ...(agent !== undefined && { 'user-agent': agent }),
    }
    running.clock.now += 100
    await running.hit({ page_url: '/' }, headers)
    if (number < on) await running.hit({ page_url: '/next' }, headers)
  }
}

const march9 = { from: '2026-03-09', to: '2026-03-09' }

test('a difference that chance explains is about the same, in every sentence that compares', () =>
  withService({ start: '2026-03-07T00:00:00Z' }, async running => {
    await visit(running, '2026-03-07', 1)
    await visit(running, '2026-03-08', 20)
    await visit(running, '2026-03-09', 22)
    running.clock.now = Date.parse('2026-03-10T12:00:00Z')
    await running.settled()
    const answers = await ask(running, ['q2', 'q3', 'q6', 'q12', 'q47'], march9)
    assert.equal(
      answers.map(({ summary }) => summary),
      [
        '22 visitors came to your site, about the same as in the previous period.',
        'There were 22 page views, about the same as in the previous period.',
        '22 visitors came, about as many as the 20 in the previous period.',
        'No source changed by more than chance explains; the largest difference is “Direct”, with 22 visits after 20 in the previous period.',
        '22 visitors came straight to your site, about the same as in the previous period.',
      ],
    )
    assert.equal([answers[0].viz.previous, answers[0].viz.change], [20, 0.1])
    const [fallen] = await ask(running, ['q38'], { ...march9, compare: '2026-03-08..2026-03-08' })
    assert.is(fallen.summary, 'Nothing had fewer visitors than in the comparison period.')
    const back = { from: '2026-03-08', to: '2026-03-08', compare: '2026-03-09..2026-03-09' }
    const [loser, german, yearly] = [
      ...(await ask(running, ['q38'], back)),
      ...(await ask(running, ['q2'], { ...back, lang: 'de' })),
      ...(await ask(running, ['q2'], { ...back, compare: 'year' })),
    ]
    assert.match(
      loser.summary,
      /^No page clearly lost visitors: .* “\/” with 20 after 22 in the comparison period, may/,
    )
    assert.is(german.summary, '20 Besucher waren auf Ihrer Website, kaum anders als im Vergleichszeitraum.')
    assert.is(yearly.summary, '20 visitors came to your site; figures a year earlier are incomplete.')
  }))

test('a difference beyond chance is stated', () =>
  withService({ start: '2026-03-07T00:00:00Z' }, async running => {
    await visit(running, '2026-03-07', 1)
    await visit(running, '2026-03-08', 60)
    await visit(running, '2026-03-09', 20)
    running.clock.now = Date.parse('2026-03-10T12:00:00Z')
    await running.settled()
    assert.equal(
      (await ask(running, ['q2', 'q6', 'q12', 'q38'], march9)).map(({ summary }) => summary),
      [
        '20 visitors came to your site, down 66.7% on the previous period.',
        '20 visitors came, 40 fewer than the 60 in the previous period.',
        '“Direct” changed the most: 20 visits after 60 in the previous period.',
        '“/” lost the most: 20 visitors after 60 in the previous period.',
      ],
    )
  }))

test('verdicts on phones and computers', async () => {
  /** Visits by phone and by computer, and how many of each go on to a second page. */
  const verdicts = async (phones: [number, number], computers: [number, number]): Promise<any[]> => {
    let answers: any[] = []
    await withService({ start: '2026-03-09T00:00:00Z' }, async running => {
      await visit(running, '2026-03-09', phones[0], phone, phones[1])
      await visit(running, '2026-03-09', computers[0], undefined, computers[1])
      await running.settled()
      answers = await ask(running, ['q86', 'q87', 'q90'], march9)
    })
    return [answers[0].summary, answers[1].viz.verdict, answers[2].summary]
  }
  assert.equal(await verdicts([12, 6], [10, 6]), [
    'Neither is clearly ahead: 12 visits by phone and 10 by computer are about the same.',
    'both',
    'No, about the same: 50% of visits by phone ended after one page, and 40% by computer.',
  ])
  assert.equal(await verdicts([60, 10], [20, 15]), [
    'Yes: 60 visits by phone, compared with 20 by computer.',
    'yes',
    'Yes: 83.3% of visits by phone ended after one page, compared with 25% by computer.',
  ])
  assert.equal(await verdicts([8, 8], [60, 6]), [
    'No: 60 visits by computer, compared with 8 by phone.',
    'no',
    'No: 0% of visits by phone ended after one page, compared with 90% by computer.',
  ])
})

test('more budget goes to a campaign that did better than chance explains', () =>
  withService({ start: '2026-03-09T00:00:00Z' }, async running => {
    const campaign = async (name: string, count: number, on: number): Promise<any> => {
      for (let number = 0; number < count; number++) {
        running.clock.now += 60_000
        const headers = { 'x-forwarded-for': `10.${name.length}.${number}.1` }
        await running.hit({ page_url: `/?utm_campaign=${name}` }, headers)
        if (number < on) await running.hit({ page_url: '/next' }, headers)
      }
      await running.settled()
      return (await ask(running, ['q71'], march9))[0]
    }
    const only = await campaign('One', 8, 6)
    assert.equal(
      [only.viz.verdict, only.summary],
      ['not_enough_data', '“One” is the only campaign with enough visits, so there is nothing to compare it with.'],
    )
    const level = await campaign('Three', 10, 8)
    assert.equal(
      [level.viz.verdict, level.summary],
      ['about_the_same', 'No campaign clearly deserves more budget: “Three” and “One” did about the same.'],
    )
    const clear = await campaign('Eleventh', 40, 35)
    assert.equal(
      [clear.viz.verdict, clear.viz.message],
      ['increase', '“Eleventh” deserves more budget: 40 visits, 87.5% of them beyond the first page.'],
    )
  }))

test('a comparison that cannot be meant is refused', () =>
  withService({}, async running => {
    for (const compare of ['before', '2026-02-30..2026-03-01', '2026-03-02..2026-03-01', '', 7, ['year']]) {
      const { status, body } = await post(running, { ids: ['q2'], compare })
      assert.equal([status, Object.keys(body.data.params)], [400, ['compare']], JSON.stringify(compare))
    }
  }))

test('days before the first whole one are neither compared with nor quiet', () =>
  withService({ start: '2026-03-08T00:00:00Z' }, async running => {
    await visit(running, '2026-03-08', 20)
    await visit(running, '2026-03-09', 22)
    running.clock.now = Date.parse('2026-03-10T12:00:00Z')
    await running.settled()
    const range = { from: '2026-03-05', to: '2026-03-09' }
    for (const [id, summary] of [
      ['q6', /; figures in the previous period are incomplete\.$/],
      ['q8', /^March 9, 2026 had 22 visitors\.$/],
      ['q12', /^There is nothing to compare with/],
      ['q38', /^There is nothing to compare with/],
    ] as const) {
      const [answer] = await ask(running, [id], range)
      assert.match(answer.summary, summary)
    }
    // Counting began within 8 March.
    const [q2, q12] = await ask(running, ['q2', 'q12'], march9)
    assert.is(q2.summary, '22 visitors came to your site; figures in the previous period are incomplete.')
    assert.equal([q12.viz.rows, (await ask(running, ['q6'], march9))[0].viz.change], [[], null])
    const changes = await running.api('/advisor/changes?from=2026-03-09&to=2026-03-09')
    assert.equal(changes.body.changes, [])
  }))

test.run()
