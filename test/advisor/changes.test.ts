// GET /advisor/changes: the differences that matter, and the filters that show them.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Running, withService } from '../support/service.ts'
import { shopOf } from '../support/shop.ts'
import { makeOrder } from '../support/wc-shop.ts'

const day = 24 * 3600 * 1000
const usual = 20

/**
 * Seventy days until yesterday, 10 March, with twenty visitors each; on 3 March sixty more come by a newsletter to a new
 * page. Visitors are apart by their networks.
 */
const record = async ({ clock, hit, settled }: Running): Promise<void> => {
  for (let index = 0; index < 70; index++) {
    const visitors = index === 62 ? usual + 60 : usual
    for (let visitor = 0; visitor < visitors; visitor++) {
      const address = { 'x-forwarded-for': `198.51.${Math.floor(visitor / 250)}${visitor % 2}.${visitor}` }
      const network = { 'x-forwarded-for': `10.${index}.${visitor}.1` }
      const isLetter = visitor >= usual
      const page_url = isLetter ? '/sampler?utm_source=newsletter&utm_medium=email&utm_campaign=winter*sampler' : '/'
      assert.is((await hit({ page_url }, visitor % 2 === 0 ? network : { ...address, ...network })).status, 204)
    }
    clock.now += day
  }
  await settled()
}

const changesOf = async ({ api }: Running, query: string): Promise<any[]> => {
  const { status, body } = await api(`/advisor/changes?${query}`)
  assert.is(status, 200, JSON.stringify(body))
  return body.changes
}

const range = 'from=2026-02-11&to=2026-03-10'

test('an unusual day, what moved most and what sold then, each with the filters that show it', () =>
  withService({ start: '2025-12-31T12:00:00Z' }, async running => {
    await record(running)
    const found = await changesOf(running, `${range}&lang=en-GB`)
    assert.equal(
      found.map(({ kind, text, from, to, filters }) => [kind, text, from, to, filters]),
      [
        ...[
          ['source', '“newsletter” brought 60 visits, in the previous period none.', { source: 'newsletter' }],
          ['page', '“/sampler” was viewed 60 times, in the previous period not at all.', { page: '/sampler' }],
        ].map(([kind, text, filters]) => [kind, text, '2026-02-11', '2026-03-10', filters]),
        [
          'day',
          '3 March 2026: 80 visitors, about 20 are usual. “newsletter” brought 60 visits, a week earlier 0.',
          '2026-03-03',
          '2026-03-03',
          { source: 'newsletter' },
        ],
      ],
    )
    for (const { kind, current, from, to, filters } of found) {
      const { totals } = (await running.api(`/summary?from=${from}&to=${to}&${new URLSearchParams(filters)}`)).body.data
      const shown = kind === 'page' ? totals.views : totals.sessions
      assert.is(shown, kind === 'day' ? current - usual : current, kind)
    }
    const { push } = shopOf(running)
    const utm = { _wc_order_attribution_source_type: 'utm', _wc_order_attribution_utm_source: 'newsletter' }
    for (let id = 1; id <= 6; id++)
      await push({
        ...makeOrder(id, 0),
        date_created_gmt: '2026-03-03T10:00:00',
        date_paid_gmt: '2026-03-03T10:00:00',
        meta_data: Object.entries({ ...utm, _wc_order_attribution_utm_campaign: 'winter*sampler' }).map(
          ([key, value]) => ({ key, value }),
        ),
      })
    await running.settled()
    const year = await changesOf(running, 'from=2026-01-30&to=2026-03-10&lang=de')
    assert.equal(
      year.map(({ kind }) => kind),
      ['day', 'campaign'],
      'days before the first one are unknown, not empty',
    )
    assert.match(year[1].text, /^3\. März 2026: „newsletter \/ winter\*sampler“ brachte 6 Bestellungen, .*€\.$/)
    assert.equal(year[1].filters, { utm_campaign: 'winter\\*sampler', utm_source: 'newsletter' })
    const revenue = (await running.api('/revenue/by-utm?from=2026-03-03&to=2026-03-03')).body.data
    assert.is(year[1].current, revenue[0].revenue)
    // Without other days of that source, none is unusual; and orders are of others, too.
    assert.equal((await changesOf(running, `${range}&source=newsletter`)).map(({ kind }) => kind).sort(), [
      'page',
      'source',
    ])
  }))

test('what chance explains is no change, and wrong ranges are refused', () =>
  withService({ start: '2026-03-01T12:00:00Z' }, async running => {
    const { clock, hit, settled, api } = running
    for (let index = 0; index < 9; index++) {
      for (let visitor = 0; visitor < 10 + (index % 3); visitor++)
        await hit({ page_url: '/' }, { 'x-forwarded-for': `10.${index}.${visitor}.1` })
      clock.now += day
    }
    await settled()
    assert.equal(await changesOf(running, 'from=2026-03-06&to=2026-03-09'), [])
    assert.equal(await changesOf(running, ''), [])
    for (const [query, name] of [
      ['from=2026-03-09&to=2026-03-01', 'to'],
      ['compare=never', 'compare'],
      ['country=Germny', 'filters'],
    ] as const) {
      const { status, body } = await api(`/advisor/changes?${query}`)
      assert.equal([status, Object.keys(body.data.params)], [400, [name]])
    }
  }))

test.run()
