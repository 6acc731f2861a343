// The options of the site that an owner changes without a shell: kept in the file, in force at once.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { type Answer, type Running, withService } from '../support/service.ts'
import { order, shopOf } from '../support/shop.ts'

const put = ({ api }: Running, body: object, init: object = {}): Promise<Answer> =>
  api('/site', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), ...init })

const optionsOf = async ({ api }: Running) => (await api('/site')).body.options

const hitAt = async ({ hit }: Running, url: string): Promise<number> => (await hit({ page_url: url })).status

test('hosts, kept parameters and the time zone of the file count from the next hit on, and after a restart', () =>
  withService({}, async running => {
    assert.equal((await optionsOf(running)).allowed_hosts, { value: [], from: 'default', option: '--allowed-hosts' })
    assert.is(await hitAt(running, 'https://else.example/'), 204)
    const changed = await put(running, {
      site_url: 'https://shop.example/',
      allowed_hosts: ['blog.example', 'BLOG.example'],
      keep_query: ['topic'],
      timezone: 'Pacific/Auckland',
    })
    assert.equal(changed.body.options.allowed_hosts, {
      value: ['blog.example'],
      from: 'file',
      option: '--allowed-hosts',
    })
    const check = async (): Promise<void> => {
      assert.is(await hitAt(running, 'https://else.example/'), 400)
      assert.is(await hitAt(running, 'https://shop.example/?topic=1&other=2'), 204)
      assert.is(await hitAt(running, 'https://blog.example/'), 204)
      const { urls, timezone } = (await running.api('/site')).body
      assert.equal([urls, timezone], [['https://shop.example/', 'https://blog.example/'], 'Pacific/Auckland'])
    }
    await check()
    await running.restart()
    await check()
    await running.settled()
    const { data, meta } = (await running.api('/pages?from=2026-03-11&to=2026-03-11')).body
    assert.is(meta.timezone, 'Pacific/Auckland')
    assert.equal(Object.fromEntries(data.map(({ page, views }: any) => [page, views])), {
      'blog.example/': 2,
      'shop.example/?topic=1': 2,
      'else.example/': 1,
    })
    await put(running, { allowed_hosts: null, site_url: null, keep_query: null })
    assert.is(await hitAt(running, 'https://else.example/'), 204)
    assert.equal((await optionsOf(running)).keep_query.from, 'default')
  }))

test('what the command line says stands, and shows as fixed', () =>
  withService({ flags: { siteUrl: 'https://shop.example', timezone: 'Europe/Berlin' } }, async running => {
    const { site_url, timezone, home_country } = await optionsOf(running)
    assert.equal(
      [site_url, timezone, home_country].map(({ value, from }) => [value, from]),
      [
        ['https://shop.example', 'option'],
        ['Europe/Berlin', 'option'],
        [null, 'default'],
      ],
    )
    const refused = await put(running, { home_country: 'DE', site_url: 'https://other.example' })
    assert.equal([refused.status, refused.body.code], [409, 'rest_option_fixed'])
    assert.match(refused.body.message, /--site-url/)
    assert.is((await optionsOf(running)).home_country.value, null, 'all or nothing')
    assert.is((await put(running, { home_country: 'de' })).body.options.home_country.value, 'DE')
  }))

test('reports of orders and goals speak the currency of the site, unless they are asked for another', () =>
  withService({ start: '2026-04-10T12:00:00Z' }, async running => {
    const { push, report, meta } = shopOf(running)
    await push(order(), order(), order({ currency: 'JPY', total: '1500', total_tax: '136' }))
    assert.is((await meta('summary')).currency, 'EUR')
    const { currency } = (await put(running, { currency: 'jpy' })).body.options
    assert.equal(currency, { value: 'JPY', from: 'file', option: '--currency' })
    const check = async (): Promise<void> => {
      const { currency, currency_minor_unit, other_currencies } = await meta('summary')
      assert.equal([currency, currency_minor_unit, other_currencies], ['JPY', 0, ['EUR']])
      assert.is((await report('summary')).net_revenue, 1364)
      assert.is((await meta('summary', 'currency=EUR&from=2026-03-01&to=2026-03-31')).currency, 'EUR')
    }
    await check()
    await running.restart()
    await check()
    const goal = { name: 'Sale', kind: 'event', pattern: 'sale', value_from: 'fixed', value: 5 }
    const made = await running.api('/goals', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(goal),
    })
    assert.is(made.status, 201, JSON.stringify(made.body))
    assert.is((await running.api('/goals/report?from=2026-03-01&to=2026-03-31')).body.meta.currency, 'JPY')
    const told = ['report', 'revenue/summary', '--from', '2026-03-01', '--to', '2026-03-31', '--json']
    const { status, stdout, stderr } = await footfallHere([...told, '--data', running.file])
    assert.is(status, 0, stderr)
    assert.is(JSON.parse(stdout).meta.currency, 'JPY')
    await put(running, { currency: null })
    assert.is((await meta('summary')).currency, 'EUR')
  }))

test('weeks begin on the weekday of the site: in series, comparisons, named ranges, answers and digests', () =>
  // A Wednesday.
  withService({ start: '2026-03-11T12:00:00Z' }, async running => {
    const { api } = running
    assert.is(await hitAt(running, 'https://shop.example/'), 204)
    await running.settled()
    /** What a week is, wherever one is meant. */
    const weeks = async () => {
      const [series, compared, named, session, asked] = await Promise.all([
        api('/summary?from=2026-03-01&to=2026-03-11&interval=week'),
        api('/pages?period=week&compare=previous'),
        api('/pages?period=last_week'),
        api('/session'),
        api('/advisor/ask', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ text: 'how many visitors last week' }),
        }),
      ])
      return {
        series: series.body.data.series.map(({ date }: any) => date),
        week: [compared.body.meta.from, compared.body.meta.to],
        before: compared.body.meta.compared,
        last: [named.body.meta.from, named.body.meta.to],
        start: session.body.start.week_start,
        asked: [asked.body.understood.from, asked.body.understood.to],
      }
    }
    const fromMonday = await weeks()
    assert.equal(fromMonday, {
      series: ['2026-02-23', '2026-03-02', '2026-03-09'],
      week: ['2026-03-09', '2026-03-11'],
      before: { from: '2026-03-02', to: '2026-03-04' },
      last: ['2026-03-02', '2026-03-08'],
      start: 1,
      asked: ['2026-03-02', '2026-03-08'],
    })
    const { week_start } = (await put(running, { week_start: 'Sunday' })).body.options
    assert.equal(week_start, { value: 'sunday', from: 'file', option: '--week-start' })
    const check = async (): Promise<void> => {
      assert.equal(await weeks(), {
        series: ['2026-03-01', '2026-03-08'],
        week: ['2026-03-08', '2026-03-11'],
        before: { from: '2026-03-01', to: '2026-03-04' },
        last: ['2026-03-01', '2026-03-07'],
        start: 7,
        asked: ['2026-03-01', '2026-03-07'],
      })
      const preview = (await api('/digest?period=week')).body
      assert.match(JSON.stringify(preview), /March 1\D+7|1\D+7 March/)
    }
    await check()
    await running.restart()
    await check()
    const told = ['report', 'summary?interval=week', '--from', '2026-03-01', '--to', '2026-03-11', '--json']
    const { status, stdout, stderr } = await footfallHere([...told, '--data', running.file])
    assert.is(status, 0, stderr)
    assert.equal(
      JSON.parse(stdout).data.series.map(({ date }: any) => date),
      ['2026-03-01', '2026-03-08'],
    )
    await put(running, { week_start: null })
    assert.equal(await weeks(), fromMonday)
  }))

test('what cannot be is refused by name, with what is expected, and nothing is changed', () =>
  withService({}, async running => {
    for (const [name, value] of Object.entries({
      site_url: 'ftp://shop.example',
      allowed_hosts: ['shop.example', 'a b@c'],
      timezone: 'Mars/Base',
      home_country: 'Germany',
      currency: 'Euro',
      week_start: 'someday',
      keep_query: ['a=b'],
      mail_to: ['nobody'],
      digest: ['year'],
      lang: 'tlh',
      site_name: 'x'.repeat(81),
      public_url: 'https://user:secret@shop.example',
    })) {
      const { status, body } = await put(running, { site_name: 'Shop', [name]: value })
      assert.equal([status, Object.keys(body.data.params)], [400, [name]])
      assert.match(body.data.params[name], / takes /)
    }
    assert.is((await put(running, { unknown: 1 })).status, 400)
    const many = Array.from({ length: 101 }, (_, index) => `h${index}.example`)
    assert.is((await put(running, { allowed_hosts: many })).status, 400)
    assert.ok(Object.values<any>(await optionsOf(running)).every(({ from }) => from === 'default'))
    assert.not.ok(running.logs.some(line => /starts again/.test(line)))
  }))

test('who sends orders tells the time zone of WordPress and nothing else; who reads reports sees none', () =>
  withService({}, async running => {
    const made = await running.api('/users/1/application-passwords', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'plugin', scopes: ['push'] }),
    })
    const headers = {
      'content-type': 'application/json',
      authorization: `Basic ${btoa(`admin:${made.body.password.replaceAll(' ', '')}`)}`,
    }
    assert.is((await put(running, { wordpress_timezone: 'Europe/Kyiv' }, { headers })).status, 200)
    assert.is((await put(running, { allowed_hosts: ['mine.example'] }, { headers })).status, 403)
    assert.is((await running.api('/site', { headers })).body.options, null)
    assert.is((await put(running, { allowed_hosts: ['mine.example'] }, { as: 'reader' })).status, 403)
    const { allowed_hosts, timezone } = await optionsOf(running)
    assert.equal([allowed_hosts.value, timezone.from], [[], 'wordpress'])
  }))

test('changes are in the audit log, without the addresses of people', () =>
  withService({}, async running => {
    await put(running, { mail_to: ['ada@shop.example', 'bob@shop.example'], digest: ['week'], lang: 'de' })
    await put(running, { alert_recipients: ['night@shop.example'] })
    const said = (await running.api('/audit')).body.map(({ what }: any) => what).join('\n')
    assert.match(said, /Changed the setting digest: {2}→ week/)
    assert.match(said, /Changed the setting mail_to; entries: 0 → 2/)
    assert.match(said, /Changed the setting alert_recipients; entries: 0 → 1/)
    assert.not.match(said, /ada|night/)
  }))

test('commands take what the file says, below their own flags', () =>
  withService({}, async running => {
    await put(running, { mail_to: ['ada@shop.example'], site_name: 'The Shop', lang: 'de', keep_query: ['topic'] })
    await running.hit({ page_url: 'https://shop.example/?topic=1' })
    await running.settled()
    const mail = async (...more: string[]): Promise<string> =>
      (await footfallHere(['digest', '--period', 'day', '--format', 'mail', '--data', running.file, ...more])).stdout
    assert.match(await mail(), /To: ada@shop\.example[\s\S]*The Shop/)
    assert.match(await mail('--mail-to', 'bob@shop.example'), /To: bob@shop\.example/)
    const { stdout } = await footfallHere(['forget', '--page', '/?topic=1', '--data', running.file])
    assert.match(stdout, /Erased 1 page view/)
  }))

test.run()
