// Comparisons by the calendar, through the service: what is compared, up to when, and that all who compare say the same.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runCommand } from '../support/command.ts'
import { type Running, withService } from '../support/service.ts'

/** Thursday. */
const now = '2026-11-26T10:00:00Z'

/** Visits of one page at a moment, each by another visitor. */
const visit = async ({ clock, hit }: Running, moment: string, count: number, page_url: string): Promise<void> => {
  clock.now = Date.parse(moment)
  for (let number = 0; number < count; number++) {
    clock.now += 1000
    assert.is((await hit({ page_url }, { 'x-forwarded-for': `10.${number}.1.1` })).status, 204)
  }
}

const compared = async ({ api }: Running, path: string): Promise<{ data: any; meta: any }> => {
  const { status, body } = await api(path)
  assert.is(status, 200, `${path} ${JSON.stringify(body)}`)
  return body
}

const letter = '/offer?utm_source=letter'

test('a month that is not over is compared with the same part of the one before, everywhere', () =>
  withService({ start: '2025-11-20T08:00:00Z' }, async running => {
    const { api, clock, settled, file } = running
    await visit(running, '2025-11-26T09:00:00Z', 1, '/year')
    await visit(running, '2025-11-27T09:00:00Z', 2, '/weekday')
    await visit(running, '2026-09-15T09:00:00Z', 20, letter)
    await visit(running, '2026-10-01T09:00:00Z', 20, '/first')
    await visit(running, '2026-10-20T09:00:00Z', 62, letter)
    await visit(running, '2026-10-26T09:59:00Z', 3, '/until')
    await visit(running, '2026-10-26T10:01:00Z', 4, '/later')
    await visit(running, '2026-10-27T09:00:00Z', 5, '/next')
    await visit(running, '2026-11-19T09:00:00Z', 6, '/thursday')
    await visit(running, '2026-11-24T09:00:00Z', 7, '/')
    clock.now = Date.parse(now)
    await settled()
    const month = 'from=2026-11-01&to=2026-11-26'
    const { data, meta } = await compared(running, `/summary?${month}&compare=previous`)
    assert.equal(
      [meta.compared, meta.compared_until, meta.compared_days],
      [{ from: '2026-10-01', to: '2026-10-26' }, '2026-10-26T10:00:00Z', undefined],
    )
    assert.equal([data.totals.sessions, data.previous.totals.sessions], [13, 85])
    const { meta: ofPages } = await compared(running, `/pages?${month}&compare=previous`)
    assert.is(ofPages.previous_unlisted, 85)
    const answers = await api('/advisor/answers', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ids: ['q4'], from: '2026-11-01', to: '2026-11-26', lang: 'en' }),
    })
    assert.is(answers.body.answers[0].viz.previous, 85)
    const changes = await compared(running, `/advisor/changes?${month}&lang=en`)
    const page = (changes as any).changes.find(({ kind }: any) => kind === 'page')
    assert.equal([page.current, page.previous], [0, 62])
    const other = async (range: string, compare: string) =>
      Object.values((await compared(running, `/summary?${range}&compare=${compare}`)).meta.compared).join(' ')
    assert.is(await other('from=2026-11-23&to=2026-11-26', 'previous'), '2026-11-16 2026-11-19')
    assert.is(await other('from=2026-11-26&to=2026-11-26', 'year'), '2025-11-26 2025-11-26')
    assert.is(await other('from=2026-11-26&to=2026-11-26', 'year_weekday'), '2025-11-27 2025-11-27')

    // October is a day longer than September: what changed is said per day.
    const october = 'from=2026-10-01&to=2026-10-31'
    const whole = await compared(running, `/summary?${october}&compare=previous`)
    assert.equal([whole.meta.compared.from, whole.meta.compared_days], ['2026-09-01', [31, 30]])
    const texts = ((await compared(running, `/advisor/changes?${october}&lang=en`)) as any).changes.map(
      ({ text }: any) => text,
    )
    assert.ok(texts.includes('“/offer” was viewed 200% more often per day: 62 times instead of 20.'), texts.join('\n'))

    const printed = await runCommand(
      ['report', 'pages?compare=previous', '--from', '2026-10-01', '--to', '2026-10-31', '--data', file],
      now,
    )
    assert.match(printed.stdout, /Compared with 2026-09-01 to 2026-09-30 \(31 days against 30\)\./)
  }))

test('nothing is compared with days before the first whole one', () =>
  withService({ start: '2026-11-20T09:00:00Z' }, async running => {
    const { clock, settled, file } = running
    await visit(running, '2026-11-20T09:00:00Z', 1, letter)
    await visit(running, '2026-11-21T00:10:00Z', 2, letter)
    await visit(running, '2026-11-22T09:00:00Z', 4, letter)
    clock.now = Date.parse(now)
    await settled()
    const on = (day: string, path = '/summary') =>
      compared(running, `${path}?from=2026-11-${day}&to=2026-11-${day}&compare=previous`)
    // Counting began within the 20th.
    const partial = await on('21')
    assert.is(partial.meta.not_compared, '2026-11-21')
    assert.is(partial.data.previous.totals.views, 1)
    assert.equal([...new Set(Object.values(partial.data.change))], [null])
    for (const path of ['/pages', '/sources', '/utm', '/dimensions/country']) {
      const { data, meta } = await on('21', path)
      assert.equal([data[0].previous, data[0].change, meta.not_compared], [1, null, '2026-11-21'], path)
    }
    const whole = await on('22')
    assert.equal([whole.meta.not_compared, whole.data.change.views], [undefined, 1])
    const printed = await runCommand(
      ['report', 'pages?compare=previous', '--from', '2026-11-21', '--to', '2026-11-21', '--data', file],
      now,
    )
    assert.match(printed.stdout, /No changes: the first day that was counted as a whole is 2026-11-21\./)
  }))

test.run()
