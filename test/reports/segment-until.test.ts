// Days limited to a time of day, used to compare today with equally long parts of other days.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { phone, withService, type Running } from '../support/service.ts'

const reports = [
  '/summary?interval=hour',
  '/summary?interval=day',
  '/sources?',
  '/sources?group_by=channel',
  '/sources?channel=Direct',
  '/pages?',
  '/pages/entry?',
  '/pages/exit?',
  '/utm?',
  '/events?',
  '/events/signup?',
  '/dimensions/country?',
  '/dimensions/hour?',
  '/dimensions/browser?device=mobile',
]
const addressOf = (report: string, query: string): string => `${report}&${query}`.replace('?&', '?')

const event = ({ service }: Running, headers: Record<string, string>): Promise<unknown> =>
  fetch(`${service.url}/analytics/v1/event`, {
    method: 'POST',
    body: JSON.stringify({ name: 'signup', page_url: '/join', properties: { plan: 'team' } }),
    headers: { 'content-type': 'text/plain', ...headers },
  })

/** Two visits: one of two pages by phone with an event, and one of a campaign. */
const record = async (running: Running, number: number): Promise<void> => {
  const byPhone = { 'x-forwarded-for': `10.0.${number}.1`, 'user-agent': phone }
  await running.hit({ page_url: '/', language: 'de' }, byPhone)
  await running.hit({ page_url: '/join' }, byPhone)
  await event(running, byPhone)
  await running.hit(
    { page_url: '/shop?utm_source=letter', referrer: 'https://news.example/' },
    { 'x-forwarded-for': `81.2.${number}.142` },
  )
}

/** The data of all the reports. */
const reported = async ({ api }: Running, query: string): Promise<unknown[]> => {
  const answers: unknown[] = []
  for (const report of reports) {
    const { status, body } = await api(addressOf(report, query))
    assert.is(status, 200, `${report} ${JSON.stringify(body)}`)
    answers.push([report, body.data])
  }
  return answers
}

/**
 * Days of 24, 23 and 25 hours; and those of Lord Howe, whose clocks are changed by half an hour. `until` is 10:29 UTC
 * there.
 */
const days = [
  { timezone: 'Europe/Berlin', day: '2026-03-28', next: '2026-03-29', until: '11:29' },
  { timezone: 'Europe/Berlin', day: '2026-03-29', next: '2026-03-30', until: '12:29' },
  { timezone: 'Europe/Berlin', day: '2026-10-25', next: '2026-10-26', until: '11:29' },
  { timezone: 'Australia/Lord_Howe', day: '2026-04-05', next: '2026-04-06', until: '20:59' },
  { timezone: 'Australia/Lord_Howe', day: '2026-10-04', next: '2026-10-05', until: '21:29' },
]
for (const { timezone, day, next, until } of days) {
  test(`the ${day} in ${timezone} until ${until} equals the reports at that time`, () =>
    withService({ start: `${day}T00:10:00Z`, flags: { timezone } }, async running => {
      const { clock, settled } = running
      await record(running, 1)
      clock.now = Date.parse(`${day}T10:10:00Z`)
      await record(running, 2)
      clock.now = Date.parse(`${day}T10:29:00Z`)
      await settled()
      const query = `from=${day}&to=${day}`
      const then = await reported(running, query)
      // Within the half hour, and after it.
      for (const [index, time] of ['10:40', '11:45'].entries()) {
        clock.now = Date.parse(`${day}T${time}:00Z`)
        await record(running, 3 + index)
      }
      await settled()
      assert.not.equal(await reported(running, query), then)
      assert.equal(await reported(running, `${query}&until=${until}`), then)
      const { totals, previous } = (
        await running.api(`/summary?from=${next}&to=${next}&compare=previous&until=${until}`)
      ).body.data
      assert.equal([totals.views, previous.totals.views], [0, 6], 'what it is compared with is cut as well')
    }))
}

test('every day of a range is cut, and an invalid time of day is rejected', () =>
  withService({ start: '2026-03-10T06:00:00Z' }, async running => {
    const { clock, settled, api } = running
    for (const hour of [6, 18, 30, 42]) {
      clock.now = Date.parse('2026-03-10T00:00:00Z') + hour * 3_600_000
      await record(running, hour)
    }
    await settled()
    const viewsUntil = async (until: string): Promise<number> =>
      (await api(`/summary?from=2026-03-10&to=2026-03-11&until=${until}`)).body.data.totals.views
    assert.equal(
      [await viewsUntil('06:00'), await viewsUntil('06:01'), await viewsUntil('18:01'), await viewsUntil('23:59')],
      [0, 6, 12, 12],
    )
    for (const wrong of ['24:00', '7:00', '12:60', '', 'noon']) {
      const { status, body } = await api(`/pages?until=${wrong}`)
      assert.equal([status, Object.keys(body.data?.params ?? {})], [400, ['until']], wrong)
    }
  }))

test.run()
