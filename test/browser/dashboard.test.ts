// The first run of the dashboard: the door, the wait for a visit, and what hostile texts do (nothing).
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { type DashboardServer, password, startDashboard } from './dashboard.ts'

const test = needs('chromium')

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard()
})
test.after(() => dashboard.close())

test('a wrong password is refused in a sentence, and the right one opens', async () => {
  const { page, problems, until, close } = await dashboard.open('?view=settings', { loggedOut: true })
  await page.fill('[name=login]', 'admin')
  await page.fill('[name=password]', 'not this one')
  await page.click('button[type=submit]')
  assert.is(await page.innerText('[role=alert]'), 'Incorrect login or password.')
  await page.fill('[name=password]', password)
  await page.click('button[type=submit]')
  await page.waitForSelector('#tracking_enabled')
  assert.is(new URL(page.url()).search, '?view=settings', 'the way to where one wanted to go is kept')
  await until(async () => assert.is(await page.locator('.loading, [aria-busy=true]').count(), 0))
  await page.click('#options')
  await page.click('text=Log out')
  await page.waitForSelector('[name=password]')
  // What was asked just before the log-out may be answered after it.
  assert.equal(
    problems.filter(problem => !/^40[13] from .analytics.v1.realtime$/.test(problem)),
    [],
  )
  await close()
})

test('the link that the first start prints leads to the dashboard', async () => {
  const link = dashboard.running.output.stdout.match(/http:\S+\/login\?token=\S+/)?.[0] ?? ''
  const { page, problems, close } = await dashboard.open('', { loggedOut: true })
  await page.goto(link)
  await page.click('button')
  await page.waitForSelector('#tag')
  assert.is(new URL(page.url()).pathname, '/')
  assert.equal(problems, [])
  await close()
})

test('the page speaks the language of the browser, or the one that is chosen', async () => {
  const { page, until, close } = await dashboard.open('', { locale: 'de-AT' })
  assert.is(await page.innerText('#first-run'), 'Warten auf den ersten Besuch')
  await page.click('#options')
  for (const [language, title] of [
    ['fr', 'En attente de la première visite'],
    ['es', 'Esperando la primera visita'],
    ['en', 'Waiting for your first visit'],
  ] as const) {
    await page.selectOption('.options select >> nth=0', language)
    await until(async () =>
      assert.equal([await page.innerText('#first-run'), await page.getAttribute('html', 'lang')], [title, language]),
    )
    await until(async () => assert.is((await dashboard.resource('/users/me')).locale, language))
  }
  await page.reload()
  assert.is(await page.innerText('#first-run'), 'Waiting for your first visit')
  const paper = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const light = await paper()
  await page.click('#options')
  await page.selectOption('.options select >> nth=1', 'dark')
  await until(async () => assert.is.not(await paper(), light))
  await page.reload()
  await page.waitForSelector('#first-run')
  assert.is.not(await paper(), light, 'the choice of colours is kept')
  await close()
})

test('before the first visit the page shows the tag with this host; the visit turns it into the dashboard', async () => {
  const { page, problems, texts, until, close } = await dashboard.open()
  assert.is(await page.innerText('#tag'), `<script defer src="${dashboard.url}/tracker.js"></script>`)
  assert.is(await page.locator('.kpi').count(), 0, 'there are no made-up zeros')
  await dashboard.hit({
    page_url: 'https://site.example/first',
    title: '<img src=x onerror="document.title=1">',
    referrer: 'https://evil.example/"><script>alert(1)</script>',
  })
  await page.waitForSelector('.kpi')
  await until(async () => assert.is((await texts('.kpi-value'))[0], '1'))
  assert.match((await texts('#period')).join(), /Today/)
  await until(async () => assert.is(await page.innerText('#live-count'), '1'))
  assert.equal(problems, [])
  await close()
})

test('while nothing comes, the page says why: counting is off, or what came was refused', async () => {
  const waiting = await startDashboard('', ['--site-url', 'https://site.example'])
  try {
    const { page, problems, until, close } = await waiting.open()
    await page.click('nav >> text=Settings')
    await page.uncheck('#tracking_enabled')
    await page.click('button:has-text("Save")')
    await page.waitForSelector('text=Saved. The changes are in effect.')
    await page.click('nav >> text=Overview')
    await page.click('text=Turn it on')
    await page.waitForSelector('text=Counting is turned off', { state: 'detached' })
    const answer = await fetch(`${waiting.url}/analytics/v1/hit`, {
      method: 'POST',
      body: '{"page_url":"https://shop.site.example/"}',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    })
    assert.is(answer.status, 400)
    await until(async () =>
      assert.match(
        await page.innerText('.obstacle'),
        /other hosts 1[\s\S]*from shop\.site\.example[\s\S]*Count visits of shop\.site\.example/,
      ),
    )
    await waiting.hit({ page_url: 'https://site.example/' })
    await page.waitForSelector('.kpi')
    assert.equal(problems, [])
    await close()
  } finally {
    await waiting.close()
  }
})

test('a one-time link logs in whom it is for, though somebody else is logged in', async () => {
  const other = await startDashboard('', [])
  try {
    await other.send('/users', { login: 'ada', password: 'a password for ada' })
    const { page, close } = await other.open('', { loggedOut: true })
    await page.fill('[name=login]', 'ada')
    await page.fill('[name=password]', 'a password for ada')
    await page.click('button[type=submit]')
    await page.waitForSelector('#tag')
    await page.goto(other.running.output.stdout.match(/http:\S+\/login\?token=\S+/)?.[0] ?? '')
    await page.click('button')
    await page.waitForSelector('#tag')
    await page.click('#options')
    await page.waitForSelector('text=Logged in as admin')
    await close()
  } finally {
    await other.close()
  }
})

test('texts of visitors are shown as texts', async () => {
  const nasty = '<script>window.hurt=1</script><img src=x onerror="window.hurt=1">'
  await dashboard.hit(
    {
      page_url: `https://site.example/${encodeURIComponent(nasty)}?utm_campaign=${encodeURIComponent(nasty)}`,
      title: nasty,
    },
    '198.51.100.9',
  )
  const { page, problems, texts, until, close } = await dashboard.open('?sources_tab=utm_campaign')
  await until(async () => assert.ok((await texts('.panel .name')).includes(nasty)))
  for (const view of ['?view=realtime', '?details=page', `?page=${encodeURIComponent(`/${nasty}`)}`]) {
    await page.goto(`${dashboard.url}/${view}`)
    await until(async () => assert.ok((await page.innerText('body')).includes('<script>window.hurt=1'), view))
  }
  assert.is(await page.evaluate('window.hurt'), undefined)
  assert.is(await page.locator('#app img, #app script').count(), 0)
  assert.equal(problems, [])
  await close()
})

test('on a shared host everything lies below its path', async () => {
  const shared = await startDashboard('', ['--root-path', '/stats', '--base-path', '/wp-json'])
  try {
    const { page, problems, close } = await shared.open('stats/')
    assert.is(await page.innerText('#tag'), `<script defer src="${shared.url}/stats/tracker.js"></script>`)
    await page.click('nav >> text=Settings')
    await page.waitForSelector('#tracking_enabled')
    assert.is(new URL(page.url()).pathname, '/stats/')
    assert.equal(problems, [])
    await close()
  } finally {
    await shared.close()
  }
})

test('users who may not see the figures learn so', async () => {
  const { page, close } = await dashboard.open('', { loggedOut: true })
  await page.route('**/realtime*', route =>
    route.fulfill({
      status: 403,
      contentType: 'application/json',
      body: '{"code":"rest_forbidden","message":"Sorry.","data":{"status":403}}',
    }),
  )
  await page.fill('[name=login]', 'admin')
  await page.fill('[name=password]', password)
  await page.click('button[type=submit]')
  await page.waitForSelector('text=Your account is not allowed to see')
  await close()
})

test.run()
