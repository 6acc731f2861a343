// The overview with two months of visits: figures, filters, the address, details, keys, and what no page may do.
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import type { Download, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { until } from '../support/wait.ts'
import { type DashboardServer, settle, startDashboard } from './dashboard.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard(visitsUntil(Date.now(), 62, 25), ['--timezone', 'Europe/Berlin'])
})
test.after(() => dashboard.close())

const day = 86_400_000
const today = (): string => new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(Date.now())
const daysAgo = (days: number): string => new Date(Date.parse(today()) - days * day).toISOString().slice(0, 10)
const lastDays = (): string => `from=${daysAgo(27)}&to=${today()}`
const plain = (value: number): string => value.toLocaleString('en-GB')
const percent = (ratio: number): string =>
  ratio.toLocaleString('en-GB', { style: 'percent', maximumFractionDigits: ratio >= 0.1 ? 0 : 1 })
/** Of a browser in another process, which has the file. */
const textOf = async (download: Download): Promise<string> => text(await download.createReadStream())
const searchOf = (page: Page): string => decodeURIComponent(new URL(page.url()).search)

test('tiles and panels show what the API says', async () => {
  const { page, texts, until, problems, close } = await dashboard.open()
  const { totals } = await dashboard.api(`/summary?${lastDays()}`)
  await until(async () =>
    assert.equal((await texts('.kpi-value')).slice(0, 3), [
      plain(totals.visitors),
      plain(totals.sessions),
      plain(totals.views),
    ]),
  )
  const pages = await dashboard.api(`/pages?${lastDays()}&limit=9`)
  await until(async () =>
    assert.equal(
      await texts('[aria-labelledby=panel-pages] tbody .name'),
      pages.map(({ page }: any) => page),
    ),
  )
  assert.equal(
    await texts('[aria-labelledby=panel-pages] tbody td:nth-child(2)'),
    pages.map(({ views }: any) => plain(views)),
  )
  const heads = page.locator('[aria-labelledby=panel-pages] thead th:not(.more-cell)')
  assert.equal(await heads.evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth).length), 0)
  assert.match((await texts('.zone')).join(), /Europe\/Berlin/)
  assert.equal(problems, [])
  await close()
})

test('a bounce rate that falls is good, and a tile chooses what the chart shows', async () => {
  const { page, close } = await dashboard.open()
  const { change } = await dashboard.api(`/summary?${lastDays()}&compare=previous`)
  const classes = await page.getAttribute('.kpi:nth-child(5) .change', 'class')
  if (change.bounce_rate !== 0) assert.match(classes ?? '', change.bounce_rate < 0 ? /good/ : /bad/)
  await settle(page)
  await page.click('.kpi:nth-child(5)')
  await page.waitForSelector('.kpi:nth-child(5)[aria-pressed=true]')
  assert.match(searchOf(page), /metric=bounce_rate/)
  await page.click('.chart summary')
  assert.is(await page.locator('.chart tbody tr').count(), 28)
  assert.match(await page.innerText('.chart tbody tr:last-child'), /not over yet/)
  await close()
})

test('any days can be compared with, and the figures say so', async () => {
  const { page, texts, until, problems, close } = await dashboard.open(`?from=${daysAgo(8)}&to=${daysAgo(2)}`)
  await page.click('#period')
  await page.click('text=other dates')
  await page.fill('#compare-from', daysAgo(40))
  await page.fill('#compare-to', daysAgo(34))
  await page.click('.choice ~ .days-form button')
  const query = `compare=custom&compare_from=${daysAgo(40)}&compare_to=${daysAgo(34)}`
  await until(async () => assert.ok(searchOf(page).includes(query)))
  const [now, before] = await Promise.all([
    dashboard.api(`/summary?from=${daysAgo(8)}&to=${daysAgo(2)}`),
    dashboard.api(`/summary?from=${daysAgo(40)}&to=${daysAgo(34)}`),
  ])
  const more = now.totals.views - before.totals.views
  await until(async () =>
    assert.match(
      (await texts('.kpi:nth-child(3) .kpi-words')).join(),
      more > 0 ? `${plain(more)} more` : more < 0 ? `${plain(-more)} less` : '',
    ),
  )
  const change = Math.abs((now.totals.views - before.totals.views) / before.totals.views)
  assert.match((await texts('.kpi:nth-child(3) .change')).join(), `${percent(change)}`)
  assert.equal(problems, [])
  await close()
})

test('today is compared with yesterday until the same time', async () => {
  const { page, texts, until, problems, close } = await dashboard.open('?period=today')
  const note = async (): Promise<string> => (await texts('main .note')).join()
  await until(async () => assert.match(await note(), /until \d?\d:\d\d/))
  // The page is loaded again as well: a moment later the same part of yesterday may have more views.
  await until(async () => {
    await page.reload()
    await page.waitForSelector('.kpi-value')
    const { totals, previous } = await dashboard.api(`/summary?from=${today()}&to=${today()}&compare=previous`)
    const more = totals.views - previous.totals.views
    const words = `${plain(Math.abs(more))} ${more > 0 ? 'more' : 'less'}`
    if (more !== 0) assert.match((await texts('.kpi:nth-child(3) .kpi-words')).join(), words)
  })
  assert.equal(problems, [])
  await close()
})

test('the last 24 hours are a period of hours, and whole days elsewhere', async () => {
  const { page, texts, until, problems, close } = await dashboard.open()
  await page.keyboard.press('h')
  await until(async () => assert.is(searchOf(page), '?period=24h'))
  await until(async () => assert.match((await texts('#period')).join(), /Last 24 hours/))
  const hours = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: 'Europe/Berlin' })
  // The page is loaded again as well: it may have been there before the hour ended.
  await until(async () => {
    await page.reload()
    await page.waitForSelector('.kpi-value')
    const hour = Number(hours.format(Date.now()))
    const range = hour === 23 ? `from=${today()}` : `from=${daysAgo(1)}&from_hour=${hour + 1}`
    const { totals } = await dashboard.api(`/summary?${range}&to=${today()}`)
    assert.is((await texts('.kpi-value'))[2], plain(totals.views))
  })
  await page.click('.chart summary')
  assert.is(await page.locator('.chart tbody tr').count(), 24)
  await page.click('nav >> text=Revenue')
  await page.waitForSelector('text=No shop is connected')
  assert.equal(problems, [])
  await close()
})

test('values are offered while one types, and a part of a page finds all that hold it', async () => {
  const { page, texts, until, problems, close } = await dashboard.open()
  const offered = await dashboard.api(`/filters/country?${lastDays()}&search=ger`)
  await page.click('#add-filter')
  await page.waitForSelector('#filter-value:focus')
  assert.ok((await page.locator('.menu-form select >> nth=0').locator('option').count()) <= 10, 'few fields at first')
  await page.selectOption('.menu-form select >> nth=0', 'country')
  await page.fill('#filter-value', 'ger')
  await until(async () =>
    assert.equal(
      await texts('.offers .name'),
      offered.map(({ label }: { label: string }) => label),
    ),
  )
  await page.keyboard.press('ArrowDown')
  assert.is(await page.textContent('.offers button:focus .name'), offered[0].label)
  // A shortcut, but for the open menu.
  await page.keyboard.press('w')
  await page.keyboard.press('ArrowUp')
  await page.waitForSelector('#filter-value:focus')
  assert.is(searchOf(page), '')
  await page.click('.offers button:has-text("Germany")')
  await until(async () => assert.is(searchOf(page), '?country=DE'))
  await until(async () => assert.equal(await texts('.pill-text'), ['Country is Germany']))
  // The form stays for another one.
  assert.equal(await texts('.menu-form [role=status]'), ['Added: Country is Germany'])
  await page.waitForSelector('#filter-value:focus')
  assert.is(await page.inputValue('#filter-value'), '')
  await page.selectOption('.menu-form select >> nth=0', 'page')
  await page.selectOption('.menu-form select >> nth=1', 'contains')
  await page.fill('#filter-value', 'shop')
  await page.click('.menu-form .primary')
  await page.click('.menu-form button:has-text("Done")')
  await page.waitForSelector('#add-filter:focus')
  assert.is(await page.locator('.menu-form').count(), 0)
  const { totals } = await dashboard.api(`/summary?${lastDays()}&country=DE&page=*shop*`)
  await until(async () => assert.equal(await texts('.kpi:nth-child(3) .kpi-value'), [plain(totals.views)]))
  assert.equal(await texts('.pill-text'), ['Page contains shop', 'Country is Germany'])
  await page.click('#add-filter')
  await page.waitForSelector('.menu-form')
  const fields = page.locator('.menu-form select >> nth=0').locator('option')
  const chosen = await page.inputValue('.menu-form select >> nth=0')
  await page.selectOption('.menu-form select >> nth=0', { label: 'More fields …' })
  assert.is(await page.inputValue('.menu-form select >> nth=0'), chosen)
  assert.equal(
    await page.locator('.menu-form optgroup').evaluateAll(all => all.map(one => one.getAttribute('label'))),
    ['Pages', 'Sources', 'Places', 'Devices', 'Visit times', 'Events and goals'],
  )
  assert.is(await fields.count(), 28)
  const offering: string[] = []
  for (const key of await fields.evaluateAll(all => all.map(one => one.getAttribute('value') ?? ''))) {
    await page.selectOption('.menu-form select >> nth=0', key)
    if ((await page.locator('.menu-form option:text-is("contains")').count()) > 0) offering.push(key)
  }
  assert.equal(offering, [
    ...['page', 'entry_page', 'exit_page', 'host', 'source', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term'],
    ...['utm_content', 'event'],
  ])
  assert.equal(problems, [])
  await close()
})

test('a click on a pill changes its filter, its values and its field', async () => {
  const { page, texts, until, problems, close } = await dashboard.open('?country=DE,FR&page=*shop*')
  await page.click('#pill-country')
  await page.waitForSelector('#filter-value:focus')
  assert.is(await page.inputValue('#filter-value'), 'Germany, France')
  await page.fill('#filter-value', 'Germany, aust')
  await page.click('.pill .offers button:has-text("Austria")')
  await until(async () => assert.is(searchOf(page), '?page=*shop*&country=DE,AT'))
  await page.waitForSelector('#pill-country:focus')
  // What is typed first replaces what is there.
  await page.click('#pill-page')
  assert.equal(await texts('.pill option:checked'), ['Page', 'contains'])
  await page.keyboard.type('oak')
  await page.keyboard.press('Enter')
  await until(async () => assert.is(searchOf(page), '?country=DE,AT&page=*oak*'))
  await page.click('#pill-country')
  await page.selectOption('.pill select >> nth=0', 'device')
  assert.is(await page.inputValue('#filter-value'), '')
  await page.click('.pill .offers button:has-text("Phone")')
  await until(async () => assert.equal(await texts('.pill-text'), ['Page contains oak', 'Device is Phone']))
  await page.waitForSelector('#pill-device:focus')
  // Another value of the same field counts as well.
  await page.click('#add-filter')
  await page.selectOption('.menu-form select >> nth=0', 'device')
  await page.click('.menu-form .offers button:not(:has-text("Phone"))')
  await until(async () => assert.match(searchOf(page), /\?page=\*oak\*&device=mobile,\w+$/))
  assert.equal(problems, [])
  await close()
})

test('a filter that cannot be is said once, at its pill', async () => {
  const { page, texts, until, close } = await dashboard.open('?country=Germny&details=page')
  await until(async () => assert.match((await texts('.pill [role=alert]')).join(), /Germany \(DE\)/))
  assert.equal(await page.locator('[role=alert]').count(), 1)
  assert.is(await page.locator('main .card, dialog').count(), 0, 'there are no figures')
  await page.click('#pill-country')
  await page.fill('#filter-value', 'Germany')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.kpi-value')
  assert.is(await page.locator('[role=alert]').count(), 0)
  await close()
})

test('the details of an event keep to the filters', async () => {
  const { page, texts, until, problems, close } = await dashboard.open('?device=mobile&open=add_to_cart')
  const { total, pages } = await dashboard.api(`/events/add_to_cart?${lastDays()}&device=mobile`)
  assert.ok(total < (await dashboard.api(`/events/add_to_cart?${lastDays()}`)).total)
  await until(async () => assert.match(await page.innerText('#event'), `${plain(total)} events`))
  assert.equal(
    (await texts('#event table.rows:last-of-type tbody td')).slice(-pages.length),
    pages.map((row: any) => plain(row.total)),
  )
  assert.equal(problems, [])
  await close()
})

test('a click on a row filters everything; pills, the address, back and forward follow', async () => {
  const { page, texts, until, problems, close } = await dashboard.open()
  await settle(page)
  await page.click('[aria-labelledby=panel-devices] tbody button:has-text("Phone")')
  await page.waitForSelector('.pill')
  assert.is(searchOf(page), '?device=mobile')
  const { totals } = await dashboard.api(`/summary?${lastDays()}&device=mobile`)
  const all = await dashboard.api(`/summary?${lastDays()}`)
  const views = async (): Promise<string | undefined> => (await texts('.kpi-value'))[2]
  await until(async () => assert.is(await views(), plain(totals.views)))
  const sources = await dashboard.api(`/dimensions/channel?${lastDays()}&device=mobile&limit=9`)
  await until(async () =>
    assert.equal(
      await texts('[aria-labelledby=panel-sources] tbody td:nth-child(2)'),
      sources.map(({ sessions }: any) => plain(sessions)),
    ),
  )

  await page.click('.pill-text')
  assert.equal(await texts('.pill option:checked'), ['Device', 'is'])
  assert.is(await page.inputValue('#filter-value'), 'Phone')
  await page.selectOption('.pill select >> nth=1', 'is_not')
  await page.click('.pill .primary')
  await until(async () => assert.is(searchOf(page), '?device=!mobile'))
  await until(async () => assert.equal(await texts('.pill-text'), ['Device is not Phone']))
  await page.goBack()
  await until(async () => assert.equal(await texts('.pill-text'), ['Device is Phone']))
  await page.goBack()
  await until(async () => assert.is(await views(), plain(all.totals.views)))
  assert.is(await page.locator('.pill').count(), 0)
  await page.goForward()
  await until(async () => assert.is(await views(), plain(totals.views)))
  await page.click('.pill-remove')
  await until(async () => assert.is(await views(), plain(all.totals.views)))
  assert.is(new URL(page.url()).search, '')
  assert.equal(problems, [])
  await close()
})

test('an address with filters, period and tab opens just that', async () => {
  const { page, texts, until, close } = await dashboard.open(
    `?from=${daysAgo(20)}&to=${daysAgo(3)}&channel=Organic%20Search,Direct&country=!DE&pages_tab=entry&compare=off`,
  )
  assert.equal(await texts('.pill-text'), ['Channel is Organic search, Direct', 'Country is not Germany'])
  const asked = `from=${daysAgo(20)}&to=${daysAgo(3)}&channel=Organic%20Search,Direct&country=!DE`
  const { totals } = await dashboard.api(`/summary?${asked}`)
  await until(async () => assert.is((await texts('.kpi-value'))[0], plain(totals.visitors)))
  const entries = await dashboard.api(`/pages/entry?${asked}&limit=9`)
  await until(async () =>
    assert.equal(
      await texts('[aria-labelledby=panel-pages] tbody .name'),
      entries.map(({ page: path }: any) => path),
    ),
  )
  assert.is(await page.locator('.change').count(), 0, 'nothing is compared')
  await close()
})

test('details are searched, sorted and downloaded as the API has them', async () => {
  const { page, texts, until, close } = await dashboard.open('?details=page')
  const rows = await dashboard.api(`/pages?${lastDays()}&limit=200`)
  await until(async () => assert.is(await page.locator('#details tbody tr').count(), rows.length))
  const depths = rows.map(({ avg_scroll_depth: depth }: any) => (depth === null ? '–' : percent(depth / 100)))
  assert.equal(await texts('#details tbody td:nth-child(9)'), depths)
  await page.click('#details thead button:has-text("Entries")')
  const sorted = rows
    .map(({ entries }: any) => entries)
    .sort((a: number, b: number) => b - a)
    .map(plain)
  await until(async () => assert.equal(await texts('#details tbody td:nth-child(5)'), sorted))
  assert.match((await page.getAttribute('.page-link >> nth=0', 'href')) ?? '', /^https:\/\/hearth\.example\//)
  const compared = await dashboard.api(`/pages?${lastDays()}&limit=200&compare=previous`)
  await page.click('#details thead button:has-text("Change")')
  const risen = Math.max(...compared.map(({ change }: any) => change ?? 0))
  await until(async () => {
    const [first] = (await texts('#details tbody td:last-child')).filter(text => text !== 'new')
    assert.match(first ?? '', percent(risen))
  })
  await page.fill('#search', 'oak')
  await until(async () => assert.equal(await texts('#details tbody .name'), ['/shop/oak-table']))
  assert.match(searchOf(page), /q=oak/)
  await page.fill('#search', '')
  await page.click('#details thead button:has-text("Page views")')
  await until(async () =>
    assert.equal(
      await texts('#details tbody .name'),
      rows.map(({ page: path }: any) => path),
    ),
  )
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#details button:has-text("CSV")')])
  const [head = '', ...lines] = (await textOf(download)).trim().split('\r\n')
  assert.equal(head.split(','), [...Object.keys(rows[0]), 'previous', 'change'])
  assert.is(lines.length, rows.length)
  assert.equal(
    lines.map(line => line.split(',')[0]),
    rows.map(({ page: path }: any) => path),
  )
  await page.keyboard.press('Escape')
  await until(async () => assert.is(new URL(page.url()).search, ''))
  await settle(page)
  await page.click('[aria-labelledby=panel-pages] footer button')
  await page.click('#details tbody button:has-text("/shop/oak-table")')
  await until(async () => assert.is(searchOf(page), '?page=/shop/oak-table'))
  assert.is(await page.locator('#details').count(), 0)
  await close()
})

test('what fell to nothing is among the changes of the details', async () => {
  await dashboard.hit({ page_url: '/only-today' })
  const days = `from=${daysAgo(1)}&to=${daysAgo(1)}&compare=custom&compare_from=${today()}&compare_to=${today()}`
  const { page, texts, until, problems, close } = await dashboard.open(`?${days}&details=page`)
  await page.waitForSelector('#details tbody tr')
  assert.not((await texts('#details tbody .name')).includes('/only-today'))
  await page.click('#details thead button:has-text("Change")')
  await page.click('#details thead button:has-text("Change")')
  await until(async () => assert.ok((await texts('#details tbody .name')).includes('/only-today')))
  const row = page.locator('#details tbody tr').filter({ hasText: '/only-today' })
  assert.match((await row.innerText()).replace(/\s+/g, ' '), /\/only-today .*0 –.* down 100%$/)
  // What counts a visitor is said where the figures are explained.
  await page.keyboard.press('Escape')
  await settle(page)
  await page.click('.chart .explain > summary')
  assert.match(await page.innerText('.chart .explain'), /cut to their network before they are hashed \(256 addresses/)
  assert.equal(problems, [])
  await close()
})

test('keys choose periods, but not while somebody types', async () => {
  const { page, until, close } = await dashboard.open()
  await page.keyboard.press('w')
  await until(async () => assert.is(searchOf(page), '?period=7d'))
  await page.keyboard.press('ArrowLeft')
  await until(async () => assert.is(searchOf(page), `?from=${daysAgo(13)}&to=${daysAgo(7)}`))
  await page.keyboard.press('ArrowRight')
  await until(async () => assert.is(searchOf(page), `?from=${daysAgo(6)}&to=${today()}`))
  await page.keyboard.press('/')
  await page.waitForSelector('#filter-value:focus')
  await page.keyboard.type('dewy')
  assert.is(searchOf(page), `?from=${daysAgo(6)}&to=${today()}`)
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.waitForSelector('#keys[open]')
  await close()
})

test('a panel that fails says so and tries again by itself', async () => {
  const { page, until, close } = await dashboard.open('', { loggedOut: false })
  await page.route('**/dimensions/browser*', route =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: '{"code":"storage_unavailable","message":"The file is busy.","data":{"status":503}}',
    }),
  )
  await settle(page)
  await page.click('role=tab[name=Browsers]')
  await until(async () =>
    assert.match(await page.innerText('[aria-labelledby=panel-devices] [role=alert] p'), /cannot be read or written/),
  )
  await page.unroute('**/dimensions/browser*')
  await page.click('role=button[name="Try again"]')
  await page.waitForSelector('[aria-labelledby=panel-devices] tbody >> text=Chrome')
  await close()
})

test('sources are by name, and one that is filtered by shows its domains', async () => {
  const names = '[aria-labelledby=panel-sources] tbody .name'
  const { page, texts, until, problems, close } = await dashboard.open('?period=28d&sources_tab=source')
  const listed = await dashboard.api(`/sources?${lastDays()}&group_by=source`)
  const google = listed.filter(({ source }: any) => source === 'Google')
  await until(async () => assert.ok((await texts(names)).includes('Google')))
  await page.goto(`${dashboard.url}/?period=28d&sources_tab=source&source=Google`)
  const domains = google.flatMap((row: any) => row.domains.map(({ domain }: any) => domain))
  await until(async () => assert.equal((await texts(names)).sort(), domains.sort()))
  assert.equal(problems, [])
  await close()
})

const lengthOf = (address: string, accepted: string): Promise<{ bytes: number; encoding: string | undefined }> =>
  new Promise((found, fail) => {
    get(address, { headers: { 'accept-encoding': accepted } }, answer => {
      answer.resume()
      found({ bytes: Number(answer.headers['content-length']), encoding: answer.headers['content-encoding'] })
    }).on('error', fail)
  })

/** Bytes of a file as browsers get it: with Brotli, once that is made, save the page itself. */
const compressedLength = async (address: string): Promise<number> => {
  const best = address === `${dashboard.url}/` ? 'gzip' : 'br'
  const bytes = await until(async () => {
    const answer = await lengthOf(address, 'gzip, deflate, br')
    assert.is(answer.encoding, best, address)
    return answer.bytes
  })
  const zipped = await lengthOf(address, 'gzip, br;q=0')
  assert.is(zipped.encoding, 'gzip')
  assert.ok(bytes <= zipped.bytes, `${address}: ${bytes} of ${zipped.bytes} bytes`)
  return bytes
}

test('the figures come after two answers one after the other, whatever else the service is slow with', async () => {
  const { page, problems, close } = await dashboard.open()
  await page.route('**/analytics/v1/**', route => {
    const { pathname } = new URL(route.request().url())
    return /\/(session|summary)$/.test(pathname) ? route.continue() : undefined
  })
  await page.reload()
  await page.locator('.kpi-value').first().waitFor()
  assert.is(await page.locator('#live-count').count(), 0, 'nobody is online before the service has said so')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  await page.locator('#live-count').waitFor()
  assert.equal(problems, [])
  await close()
})

test('the first load is small, from this host alone, and nothing in it runs inline', async () => {
  const { page, close } = await dashboard.open('', { loggedOut: true })
  const loaded = new Set<string>()
  page.on('request', request => loaded.add(request.url()))
  const [answer] = await Promise.all([page.waitForResponse(`${dashboard.url}/`), page.reload()])
  await page.waitForSelector('[name=login]')
  const parts = [...loaded].filter(address => address.startsWith(dashboard.url) && !address.includes('/analytics/'))
  const sizes = await Promise.all(parts.map(compressedLength))
  // The page, its script and style, and the texts of one language. Map and flags are loaded when they come into view.
  assert.is(sizes.length, 4)
  const sum = sizes.reduce((all, size) => all + size, 0)
  assert.ok(sum <= 120_000, `${sum} bytes`)
  const policy = answer.headers()['content-security-policy'] ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.not.match(policy, /unsafe|\*|https?:/)
  await close()
})

const axe = readFileSync(createRequire(`${process.cwd()}/`).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds that is serious, each with the place of the first element. */
const findings = async (page: Page): Promise<string[]> => {
  const { violations } = (await page.evaluate(`${axe}; axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes: [node] }) => `${id}: ${node?.html} ${node?.failureSummary}`)
}

const states = [
  '',
  '?device=mobile&places_tab=city&sources_tab=source&pages_tab=exit',
  '?details=page',
  '?open=add_to_cart',
  '?view=realtime',
  ...['collection', 'site', 'imports', 'privacy', 'goals', 'alerts', 'mail', 'access', 'account'].map(
    tab => `?view=settings&settings_tab=${tab}`,
  ),
  '?view=revenue',
  '?view=page&page=/',
  '?times_tab=week',
  '?view=ask',
  '?view=system',
]
/** Each width once, and each theme once: the layout does not depend on the theme, nor colours on the width. */
const looks = [
  { colorScheme: 'light', widths: [1440, 768, 360, 320] },
  { colorScheme: 'dark', widths: [1440] },
] as const
/** Where the page is laid out in another way: one column or two, menus open or folded. */
const layouts: readonly number[] = [1440, 360]

for (const { colorScheme, widths } of looks) {
  test(`every view is accessible and fits, ${colorScheme} at ${widths.join(', ')}`, async () => {
    const { page, problems, until, close } = await dashboard.open('', { colorScheme, bypassCSP: true })
    for (const state of states) {
      await page.goto(`${dashboard.url}/${state}`)
      await page.waitForSelector('main .card')
      await page.waitForLoadState('networkidle')
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await until(async () =>
          assert.is(
            await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
            0,
            `${state} is too wide at ${width}`,
          ),
        )
        if (layouts.includes(width)) assert.equal(await findings(page), [], `${state} at ${width}`)
      }
    }
    assert.equal(problems, [])
    await close()
  })
}

test.run()
