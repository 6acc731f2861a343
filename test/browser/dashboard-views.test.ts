// Revenue, questions, settings and the state of the installation, where a shop has sent its orders.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/service/service.ts'
import { needs } from '../support/needs.ts'
import { order, sendEvent } from '../support/shop.ts'
import { type DashboardServer, settle, startDashboard } from './dashboard.ts'
import { ordersUntil } from './orders.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard(visitsUntil(Date.now(), 10, 8))
})
test.after(() => dashboard.close())

const today = (): string => new Date().toISOString().slice(0, 10)
const range = (): string => `from=${new Date(Date.now() - 27 * 86_400_000).toISOString().slice(0, 10)}&to=${today()}`
const euros = (value: number): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' }).format(value)
const query = (page: Page): string => decodeURIComponent(new URL(page.url()).search)

test('without a shop, revenue says how to connect one', async () => {
  const { page, problems, close } = await dashboard.open('?view=revenue')
  await page.waitForSelector('text=No shop is connected')
  assert.match(await page.innerText('pre'), /--woocommerce-url/)
  assert.equal(problems, [])
  await close()
})

test('with orders, revenue shows what its reports say', async () => {
  const stored = await dashboard.send('/orders', ordersUntil(Date.now(), 40, 3))
  assert.is(stored.status, 200)
  // Fewer checkouts than orders, and one order of the telephone.
  await dashboard.hit({ page_url: '/checkout' }, '198.51.100.7')
  await sendEvent(
    { service: { url: dashboard.url } as Service },
    { name: 'checkout_start', page_url: '/checkout' },
    '198.51.100.7',
  )
  const now = new Date(Date.now() - 60_000).toISOString().slice(0, 19)
  assert.is((await dashboard.send('/orders', order({ date_created_gmt: now, date_paid_gmt: now }))).status, 200)
  const { page, problems, texts, until, close } = await dashboard.open('?view=revenue')
  await page.getByText("start the service with --woocommerce-url and the key of the shop's REST API").waitFor()
  assert.is(await page.locator('#shop-match').count(), 0, 'no shop to compare with')
  const { net_revenue, orders, average_order_value } = await dashboard.api(`/revenue/summary?${range()}`)
  await until(async () =>
    assert.equal((await texts('.kpi-value')).slice(0, 3), [
      euros(net_revenue),
      String(orders),
      euros(average_order_value),
    ]),
  )
  await settle(page)
  await page.click('role=tab[name="Coupons"]')
  const coupons = await dashboard.api(`/revenue/coupons?${range()}`)
  await until(async () =>
    assert.equal(
      await texts('[aria-labelledby=panel-goods] tbody .name'),
      coupons.map(({ code }: any) => code),
    ),
  )
  assert.match(query(page), /goods_tab=coupons/)
  const { stages, orders_without_visit } = await dashboard.api(`/revenue/funnel?${range()}`)
  const counts: number[] = stages.map(({ sessions }: any) => sessions)
  assert.equal([counts[2], counts[3], orders_without_visit], [1, orders, 1])
  // The funnel is a report of its own, which may arrive last.
  await until(async () =>
    assert.equal(
      await texts('.funnel b'),
      [...counts.slice(0, 3), orders - 1].map(count => count.toLocaleString('en-GB')),
    ),
  )
  const funnel = (await texts('.funnel')).join(' ')
  assert.match(funnel, /1 order without a recorded visit/)
  const rates = [...funnel.matchAll(/([\d.,]+)%/g)].map(([, rate]) => Number(rate?.replaceAll(',', '')))
  assert.ok(rates.length > 0 && rates.every(rate => rate <= 100), funnel)
  // The same stages as a saved funnel.
  await page.click('text=Save as a funnel')
  await page.waitForSelector('[aria-labelledby=panel-events] [aria-selected=true]:text-is("Funnels")')
  const [saved] = await dashboard.resource('/funnels')
  assert.equal(
    saved.steps.map(({ pattern }: any) => pattern),
    ['product_view', 'add_to_cart', 'checkout_start', 'purchase'],
  )
  await page.goBack()
  await page.click('text=Open the funnel “Purchase funnel”')
  await page.waitForSelector('[aria-labelledby=panel-events] [aria-selected=true]:text-is("Funnels")')
  await page.goBack()
  await page.click('[aria-labelledby=panel-origins] footer button')
  await page.waitForSelector('#details tbody tr')
  await page.click('#details .explain > summary')
  const developers = page.locator('#details').locator('.explain details, button:has-text("curl")')
  assert.is(await developers.count(), 0, 'SQL and curl are for those who want them')
  await page.keyboard.press('Escape')
  await page.click('nav >> text=System')
  await page.getByLabel('Show the SQL statements and curl commands').check()
  await page.goBack()
  await page.click('[aria-labelledby=panel-origins] footer button')
  await page.waitForSelector('#details tbody tr')
  await page.click('#details .explain > summary')
  assert.is(await developers.count(), 2)
  assert.is(await page.locator('#details .explain pre').count(), 0, 'the statements are one level deeper')
  await page.click('#details .explain details summary')
  await page.waitForSelector('#details .explain pre')
  assert.equal(problems, [])
  await close()
})

test('each page of settings saves its own, has an address, and names a wrong value', async () => {
  const { page, problems, until, texts, close } = await dashboard.open('?view=settings')
  await page.fill('#excluded_ips', '192.0.2.7\n2001:db8::/32')
  await page.click('button:has-text("Save")')
  await page.waitForSelector('text=Saved. The changes are in effect.')
  const pages = [
    'Collection',
    'Site',
    'Import',
    'Privacy',
    'Goals and segments',
    'Alerts',
    'E-mail',
    'Access',
    'Your account',
  ]
  assert.equal(await texts('main nav a'), pages)
  for (const name of pages) {
    await page.click(`main nav a:text-is("${name}")`)
    await page.waitForSelector(`main nav [aria-current=page]:text-is("${name}")`)
    await page.waitForSelector('main .card h2')
    assert.ok(
      (await page.locator('main button.primary:text-is("Save")').count()) <= 1,
      `${name} has one button to save`,
    )
    assert.ok((await page.locator('main .card').count()) <= 4, `${name} is short`)
  }
  await page.goBack()
  await page.waitForSelector('[aria-current=page]:text-is("Access")')
  await page.goto(`${dashboard.url}/?view=settings&settings_tab=privacy`)
  await page.uncheck('#respect_gpc')
  await page.fill('#retention_days', '400')
  await page.click('button:has-text("Save")')
  await page.waitForSelector('text=Saved. The changes are in effect.')
  const kept = await dashboard.resource('/settings')
  assert.equal([kept.excluded_ips, kept.respect_gpc, kept.retention_days], [['192.0.2.7', '2001:db8::/32'], false, 400])
  assert.equal(problems, [])
  await page.click('nav >> text=Settings')
  await page.fill('#excluded_ips', 'nonsense')
  await page.click('button:has-text("Save")')
  await until(async () => assert.match(await page.innerText('#excluded_ips-problem'), /nonsense$/))
  assert.is(await page.innerText('.settings .tools [role=alert]'), 'Not saved. Please correct: Excluded addresses')
  await until(async () => assert.is(await page.evaluate('document.activeElement.id'), 'excluded_ips'))
  await close()
  const german = await dashboard.open('?view=settings&settings_tab=privacy', { locale: 'de-DE' })
  await german.page.fill('#retention_days', '7')
  await german.page.click('button:has-text("Speichern")')
  await german.until(async () =>
    assert.is(
      await german.page.innerText('#retention_days-problem'),
      'Geben Sie eine ganze Zahl von 30 bis 3.650 ein.',
    ),
  )
  assert.is(await german.page.getAttribute('#retention_days', 'aria-invalid'), 'true')
  await german.close()
})

test('the audit log says who did what, in the language of the page', async () => {
  const { page, texts, problems, until, close } = await dashboard.open('?view=system', { locale: 'de-DE' })
  await page.click('#activity')
  await until(async () => {
    const entries = (await texts('.log li')).map(text => text.replace(/^.*?\d\d:\d\d ?/, ''))
    assert.ok(entries.includes('admin Angemeldet.'), entries.join('; '))
    assert.ok(
      entries.includes('Kommandozeile Anwendungspasswort „test“ von admin erstellt; Berechtigungen: all.'),
      entries.join('; '),
    )
  })
  assert.equal(problems, [])
  await close()
})

test('what a figure means is said in the language of the page', async () => {
  const { page, problems, texts, until, close } = await dashboard.open('', { locale: 'de-DE' })
  const meaning = () => page.getAttribute('.kpi >> nth=2', 'title')
  await until(async () => assert.match((await meaning()) ?? '', /^Seitenaufrufe, /))
  await page.click('#options')
  await page.selectOption('.options select >> nth=0', 'es')
  await until(async () => assert.match((await meaning()) ?? '', /^Páginas vistas, /))
  assert.match((await texts('.kpi')).join(' '), /Duración de la visita/)
  // Other browsers begin with what was chosen last.
  await page.selectOption('.options select >> nth=0', 'en')
  await until(async () => assert.is((await dashboard.resource('/users/me')).locale, 'en'))
  assert.equal(problems, [])
  await close()

  const filtered = await dashboard.open('?page=/checkout&times_tab=weekday', { locale: 'en-GB' })
  await filtered.until(async () => assert.match((await filtered.texts('.kpi')).join(' '), /Time on page/))
  assert.match((await filtered.page.getAttribute('.kpi >> nth=5', 'title')) ?? '', /^Engaged seconds on the page/)
  await filtered.until(async () =>
    assert.match((await filtered.texts('.columns li')).join(' '), /day: \d(\.\d+)? visits per day, 1 in all/),
  )
  assert.equal(filtered.problems, [])
  await filtered.close()
})

test('jobs run by a click, the audit measures, the self-test tests', async () => {
  const { page, problems, until, close } = await dashboard.open('?view=system')
  await page.click('#jobs')
  await page.click('text=Run now: Optimization of the file')
  await until(async () => assert.not.match(await page.innerText('tr:has-text("Optimization")'), /never|Running/))
  await page.click('#audit ~ .tools button')
  await until(async () => assert.match(await page.innerText('#audit ~ .tools'), /\d+ of 100/))
  await page.click('#self-test ~ .tools button')
  await until(async () => assert.match(await page.innerText('#self-test ~ .tools'), /Everything works/))
  assert.equal(problems, [])
  await close()
})

test('questions are pinned and moved, asked in plain words, and answered as they are understood', async () => {
  const { page, problems, texts, until, close } = await dashboard.open('?view=ask')
  await page.waitForSelector('.answer')
  const pinned = (await dashboard.resource('/advisor/preferences')).pinned_questions as string[]
  assert.is(await page.locator('.answer').count(), pinned.length)
  await page.click('.answer:first-child .pin-tools button:nth-child(2)')
  await until(async () =>
    assert.equal((await dashboard.resource('/advisor/preferences')).pinned_questions.slice(0, 2), [
      pinned[1],
      pinned[0],
    ]),
  )
  await page.hover('.answer:first-child h3')
  await page.mouse.down()
  // One movement begins to drag; only once that is drawn, a second one can drag over.
  await page.hover('.answer:nth-child(3) h3')
  await page.waitForSelector('.answer.dragged')
  await page.hover('.answer:nth-child(3) h3')
  await page.mouse.up()
  await until(async () =>
    assert.equal((await dashboard.resource('/advisor/preferences')).pinned_questions.slice(0, 3), [
      pinned[0],
      pinned[2],
      pinned[1],
    ]),
  )
  await page.fill('#search', 'top pages for people from Germany yesterday')
  await page.press('#search', 'Enter')
  await page.waitForSelector('.asked .answer-summary')
  assert.match(query(page), /q=top pages for people/)
  assert.match((await texts('.asked .pill')).join(' '), /Country is Germany/)
  assert.match((await texts('.asked h3')).join(' '), /Which pages were viewed most/)
  // Without its filter and its days the question is answered again, for those of the page.
  const [told = ''] = await texts('.asked .answer-summary')
  assert.match(told, / Counted: only country “Germany”\.$/)
  // Pills that were changed by hand say themselves what is counted.
  const answered = told.replace(/ Counted: .*/, '')
  await page.click('#ask-country')
  await page.click('.pill .offers button:not(:has-text("Germany"))')
  await until(async () => {
    assert.is(await page.locator('.asked .pill:has-text("Germany")').count(), 0)
    assert.is.not((await texts('.asked .answer-summary'))[0], answered)
  })
  await page.click('#ask-country')
  await page.fill('.pill .menu-form input', 'Germany')
  await page.press('.pill .menu-form input', 'Enter')
  await until(async () => assert.is((await texts('.asked .answer-summary'))[0], answered))
  await page.click('.asked .pill:has-text("Germany") .pill-remove')
  await until(async () => assert.is(await page.locator('.asked .pill').count(), 1))
  await page.click('.asked .pill .pill-remove')
  await until(async () => assert.is.not((await texts('.asked .answer-summary'))[0], answered))
  // A report that no question asks, and days to compare with that the words name.
  const changed: any[] = []
  page.on('request', request => {
    if (request.url().endsWith('/advisor/answers')) changed.push(request.postDataJSON())
  })
  const answerOf = async (words: string): Promise<string> => {
    await page.fill('#search', words)
    await page.press('#search', 'Enter')
    await page.click('.asked .pill:has-text("Germany") .pill-remove')
    await until(async () => assert.is(await page.locator('.asked .pill:has-text("Germany")').count(), 0))
    await page.waitForSelector('.asked .answer-summary')
    assert.is(await page.locator('.asked .bad').count(), 0)
    return (await texts('.asked .answer-summary')).join()
  }
  assert.match(await answerOf('visits by hour from Germany yesterday'), /\d/)
  assert.equal(changed.at(-1)?.ids, ['dimensions/hour'])
  await answerOf('visitors from Germany this week compared with last year')
  assert.is(changed.at(-1)?.compare, 'year')
  await page.fill('#search', 'bouncce rate plugh')
  await page.press('#search', 'Enter')
  await until(async () => assert.match((await texts('.asked')).join(), /ignored: plugh/))
  await page.click('.asked .question-text >> nth=0')
  await page.waitForSelector('.answer-open p')
  assert.match(query(page), /ask=q\d+/)
  // What may mean several things is asked back.
  await page.fill('#search', 'did you see my test click')
  await page.press('#search', 'Enter')
  await until(async () => assert.match((await texts('.asked')).join(), /several things/))
  await page.click('.asked .question-text:has-text("test visit")')
  await until(async () => assert.match((await texts('.asked h3')).join(), /test visit/))
  assert.is(await page.locator('.asked .answer').count(), 1)
  await page.fill('#search', 'how old are my visitors')
  await page.press('#search', 'Enter')
  await until(async () => assert.match((await texts('.asked')).join(), /I don’t know that/))
  assert.equal(problems, [])
  await close()
})

test.run()
