// A visitor and an administrator in a real browser: what pages report to the service, and the dashboard in wp-admin.
import * as assert from 'uvu/assert'
import { launchBrowser, visitorAgent } from '../browser/chromium.ts'
import { needs, wordpress } from '../support/needs.ts'
import { range, startWordPress, until, type WordPress } from '../support/wordpress.ts'
import { logIn, openDashboard } from './admin.ts'

const test = needs(...wordpress, 'chromium')

let site: WordPress
let browser: Awaited<ReturnType<typeof launchBrowser>>
test.before(async () => {
  site = await startWordPress()
  browser = await launchBrowser()
})
test.after(async () => {
  await browser.close()
  await site.stop()
})

/** The configuration of the tracker in a page, as a browser without cookies gets it. */
const dataOf = async (path: string): Promise<Record<string, string> | null> => {
  const html = await (await fetch(`${site.url}${path}`)).text()
  const [tag] = /<script[^>]*id="footfall-js"[^>]*>/.exec(html) ?? []
  if (tag === undefined) return null
  const config = JSON.parse(/window\.footfallConfig=(.*);/.exec(html)?.[1] ?? '')
  // For those who read pages without running them; all else is there once.
  assert.equal(
    [...tag.matchAll(/data-([a-z-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    [['api', config.api]],
  )
  return config
}

test('pages say what they are, and only public ones', async () => {
  const api = '/wp-json/analytics/v1'
  const post = await dataOf('/hello-world/')
  // That of the installation, which tests of another day may have made.
  const publishedAt = (await site.wp('post', 'get', '1', '--field=post_date_gmt')).slice(0, 10)
  assert.equal(
    { ...post, publishedAt: post?.publishedAt?.slice(0, 10) },
    { api, resourceType: 'post', resourceId: '1', author: 'admin', publishedAt },
  )
  assert.is((await dataOf('/sample-page/'))?.resourceType, 'page')
  assert.equal(await dataOf('/'), { api, resourceType: 'home' })
  assert.equal(await dataOf('/nothing-here/'), { api, status: '404' })
  assert.equal(await dataOf('/category/uncategorized/'), { api, resourceType: 'category' })
  assert.is(await dataOf('/feed/'), null)
  assert.is(await dataOf('/wp-login.php'), null)
})

test('a visitor reads two posts: views, engagement and the author are in the reports', async () => {
  const { wp, url, direct, warnings } = site
  await wp('user', 'update', 'ed', '--display_name=Ed Example')
  await wp('post', 'create', '--post_title=Second', '--post_name=second', '--post_status=publish', '--post_author=2')
  const context = await browser.newContext()
  const page = await context.newPage()
  const hosts = new Set<string>()
  page.on('request', request => hosts.add(new URL(request.url()).host))
  for (const path of ['/hello-world/', '/second/']) {
    const counted = page.waitForResponse(answer => answer.url().endsWith('/hit') && answer.status() === 204)
    await page.goto(`${url}${path}`)
    await counted
  }
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await page.goto('about:blank')
  assert.equal([...hosts].filter(Boolean), [new URL(url).host], 'no other host is asked')
  assert.equal(await context.cookies(), [], 'no cookie is set')
  const rows = await until(
    async () => (await direct(`/content?${range()}`)).body.data,
    found => found.filter((row: { views: number }) => row.views > 0).length === 2,
  )
  assert.equal(
    rows
      .map((row: Record<string, unknown>) => [row.page, row.resource_type, row.author, row.views])
      .sort((a: string[], b: string[]) => String(a[0]).localeCompare(String(b[0]))),
    [
      ['/hello-world', 'post', 'admin', 1],
      ['/second', 'post', 'Ed Example', 1],
    ],
  )
  const pages = await until(
    async () => (await direct(`/pages?${range()}`)).body.data,
    found => found.every((row: { avg_scroll_depth: number | null }) => row.avg_scroll_depth !== null),
  )
  await context.close()
  assert.is(pages.length, 2)
  assert.equal(warnings(), [])
})

test('scripts that are deferred or put together find their way, too', async () => {
  const tracker = await (await fetch(`${site.url}/wp-content/plugins/footfall/assets/tracker.js`)).text()
  const html = await (await fetch(`${site.url}/sample-page/`)).text()
  const config = /window\.footfallConfig=.*;/.exec(html)?.[0] ?? ''
  assert.ok(config.length > 0)
  const combined = html.replace(/<script[^>]*id="footfall-js"[^>]*><\/script>/, '')
  const cases: [string, string][] = [
    [
      'one file with others, without the element',
      combined.replace('</body>', `<script>${config}\n${tracker}</script></body>`),
    ],
    [
      'run later, when there is no current script',
      html
        .replace(/<script[^>]*id="footfall-js"[^>]*><\/script>/, tag =>
          tag.replace('<script', '<script type="text/plain"'),
        )
        .replace('</body>', `<script>setTimeout(() => { ${tracker} })</script></body>`),
    ],
  ]
  const context = await browser.newContext()
  for (const [index, [name, text]] of cases.entries()) {
    const page = await context.newPage()
    const address = `${site.url}/combined-${index}/`
    await page.route(address, route => route.fulfill({ body: text, contentType: 'text/html' }))
    const taken = page.waitForResponse(
      answer => answer.url() === `${site.url}/wp-json/analytics/v1/hit` && answer.status() === 204,
    )
    await page.goto(address)
    const body = JSON.parse((await taken).request().postData() ?? '{}')
    assert.equal([body.resource_type, body.resource_id], ['page', 2], name)
  }
  await context.close()
})

test('visits of excluded roles are not counted, though pages are the same for all', async () => {
  const views = async (): Promise<number> => (await site.direct(`/summary?${range()}`)).body.data.totals.views
  const context = await browser.newContext()
  const page = await context.newPage()
  await logIn(page, site.url, 'admin')
  const hit = page.waitForResponse(response => response.url().endsWith('/hit'))
  await page.goto(`${site.url}/sample-page/`)
  assert.is((await hit).status(), 204)
  const body = JSON.parse((await hit).request().postData() ?? '{}')
  assert.match(body.token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
  await context.close()
  const before = await until(views, found => found === 4)
  const visitor = await browser.newContext()
  const other = await visitor.newPage()
  await logIn(other, site.url, 'sue')
  await other.goto(`${site.url}/sample-page/`)
  await until(views, found => found === before + 1)
  await visitor.close()
})

test('a preview is not a view', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await logIn(page, site.url, 'admin')
  const id = await site.wp('post', 'create', '--post_title=Draft', '--post_status=draft', '--porcelain')
  await page.goto(`${site.url}/?p=${id}&preview=true`)
  assert.match(await page.title(), /Draft/)
  assert.is(await page.locator('#footfall-js').count(), 0)
  await context.close()
})

test('the dashboard in wp-admin: every page of it, without an error or another host', async () => {
  const { context, page, frame, problems, hosts, posts } = await openDashboard(browser, site.url, 'admin')
  await frame.locator('#live-count').waitFor()
  await frame.locator('main .card, main .panel, main section').first().waitFor()
  assert.ok(
    posts.filter(one => one.includes('/batch')).length > 0 &&
      posts.filter(one => one.includes('/summary')).length === 0,
    `figures come together: ${posts.join(' ')}`,
  )
  const frameHtml = page.frames().find(one => one.url().includes('footfall_file'))
  for (const view of ['realtime', 'revenue', 'ask', 'settings', 'system']) {
    await frame.locator(`.top nav a[href*="view=${view}"]`).click()
    await frame.locator(`.top nav a[href*="view=${view}"][aria-current=page]`).waitFor()
    await frame.locator('main h2').first().waitFor()
    assert.match(frameHtml?.url() ?? '', new RegExp(`action=footfall_file&view=${view}`))
  }
  // Reloaded, it is where it was.
  await frame.locator('.top nav a[href*="view=settings"]').click()
  await frame.locator('form.settings[aria-labelledby=settings]').waitFor()
  await frameHtml?.evaluate(() => {
    document.documentElement.dataset.old = ''
    location.reload()
  })
  await frame.locator('html:not([data-old]) form.settings[aria-labelledby=settings]').waitFor()
  const text = (await frame.locator('main').textContent()) ?? ''
  for (const absent of ['Your tag', 'Share links', 'Second factor', 'Application passwords', 'Sessions'])
    assert.not(text.includes(absent), absent)
  await frame.locator('input[name=excluded_roles][value=editor]').check()
  await frame.locator('form.settings[aria-labelledby=settings] button[type=submit]').click()
  await until(
    async () => (await site.direct('/settings')).body.excluded_roles,
    roles => roles.join() === 'administrator,editor',
  )
  await frame.locator('#options, button[aria-label], .top button').last().click()
  assert.is(await frame.getByText('Log out').count(), 0)
  // It looks as the browser's user prefers.
  assert.is(await frame.locator('html').getAttribute('data-theme'), 'system')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    const scheme = await frame.locator('body').evaluate(body => getComputedStyle(body).backgroundColor)
    assert.is(
      scheme === 'rgb(255, 255, 255)' || /^rgb\(2\d\d/.test(scheme),
      colorScheme === 'light',
      `${colorScheme}: ${scheme}`,
    )
  }
  // The batches of the page before the reload may still be running: those after it wait for their turn, and try again.
  assert.equal(
    problems.filter(problem => !/^429 .*\/batch$/.test(problem)),
    [],
  )
  assert.equal([...hosts], [new URL(site.url).host])
  await context.close()
  assert.equal(site.warnings(), [])
})

test("in the user's language; a reader sees no administration, and a subscriber nothing", async () => {
  await site.wp('cap', 'add', 'editor', 'footfall_view_reports')
  await site.wp('user', 'meta', 'update', 'ed', 'locale', 'de_DE')
  const german = await openDashboard(browser, site.url, 'ed')
  await german.frame.locator('#live-count').waitFor()
  assert.equal(await german.frame.locator('nav a').allTextContents(), ['Übersicht', 'Echtzeit', 'Umsatz', 'Fragen'])
  assert.equal(german.problems, [])
  await german.context.close()

  const { context, page } = await openDashboard(browser, site.url, 'sue')
  assert.match((await page.textContent('body')) ?? '', /not allowed/)
  const file = await page.goto(`${site.url}/wp-admin/admin-post.php?action=footfall_file`)
  assert.is(file?.status(), 403)
  await context.close()

  // Visits without what was sold.
  await site.wp('cap', 'add', 'subscriber', 'footfall_view_visits')
  const purchase = {
    name: 'purchase',
    event_id: 'bought-once',
    properties: {},
    order_id: 1,
    value: 50,
    page_url: site.url,
  }
  const headers = { 'content-type': 'text/plain', 'user-agent': visitorAgent }
  assert.is((await site.api('/event', { method: 'POST', body: JSON.stringify(purchase), headers })).status, 204)
  const password = await site.passwordOf('sue')
  const sums = async (found: Record<string, string>): Promise<unknown[]> =>
    (await site.api(`/events?${range()}`, { headers: found })).body.data.map(
      (row: { name: string; value_sum: number }) => [row.name, row.value_sum],
    )
  const admin = await site.passwordOf('admin')
  await until(
    () => sums(admin),
    rows => JSON.stringify(rows).includes('["purchase",50]'),
  )
  assert.ok(JSON.stringify(await sums(password)).includes('["purchase",0]'))
  assert.is((await site.api(`/summary?${range()}`, { headers: password })).status, 200)
  for (const path of ['/revenue/summary', '/revenue/wc-status', '/goals/report', '/advisor/questions', '/settings'])
    assert.is((await site.api(`${path}?${range()}`, { headers: password })).status, 403, path)
  const visits = await openDashboard(browser, site.url, 'sue')
  await visits.frame.locator('#live-count').waitFor()
  assert.equal(await visits.frame.locator('nav a').allTextContents(), ['Overview', 'Realtime'])
  assert.equal(visits.problems, [])
  await visits.context.close()
  await site.wp('cap', 'remove', 'subscriber', 'footfall_view_visits')
})

test('only the files of the page are served, and only with its policy', async () => {
  const { context, page } = await openDashboard(browser, site.url, 'admin')
  const file = async (query: string) => {
    const answer = await page.request.get(`${site.url}/wp-admin/admin-post.php?action=footfall_file${query}`)
    return { status: answer.status(), headers: answer.headers(), text: await answer.text() }
  }
  const main = await file('')
  assert.match(main.headers['content-security-policy'] ?? '', /default-src 'none'.*frame-ancestors 'self'/)
  assert.is(main.headers['x-content-type-options'], 'nosniff')
  assert.not(main.text.includes('data-nonce=""'))
  const script = await file('&name=dashboard.js&v=1')
  assert.match(script.headers['content-type'] ?? '', /javascript/)
  assert.match(script.headers['cache-control'] ?? '', /private, max-age=31536000, immutable/)
  for (const name of ['tracker.js', 'metrics', 'analytics/v1/settings', '../healthz', 'login', 'dashboard.css/../x'])
    assert.is((await file(`&name=${encodeURIComponent(name)}`)).status, 403, name)
  await context.close()
})

test('connected by hand in wp-admin', async () => {
  const { wp } = site
  const [address, secret] = [
    await wp('option', 'pluck', 'footfall', 'address'),
    await wp('option', 'pluck', 'footfall', 'secret'),
  ]
  await wp('option', 'delete', 'footfall')
  const context = await browser.newContext()
  const page = await context.newPage()
  await logIn(page, site.url, 'admin')
  await wp('role', 'create', 'shop_manager', 'Shop manager')
  await page.click('#footfall-notice a')
  const manager = page.locator('input[name="viewers[]"][value=shop_manager]')
  assert.is(await manager.isChecked(), true, 'proposed')
  await page.fill('#footfall-address', address)
  await page.fill('#footfall-secret', 'too short')
  await page.click('#submit')
  assert.match((await page.textContent('.notice-error')) ?? '', /at least 32 characters/)
  await page.fill('#footfall-address', address)
  await page.fill('#footfall-secret', secret)
  await page.check('input[name="viewers[]"][value=author]')
  await page.uncheck('input[name="viewers[]"][value=editor]')
  await page.check('input[name="visits[]"][value=editor]')
  await manager.uncheck()
  await page.click('#submit')
  await page.locator('#footfall-connected').waitFor()
  assert.is(await page.locator('#footfall-notice').count(), 0)
  assert.is(await page.textContent('#footfall-saved p'), 'Settings saved.')
  assert.ok((await wp('cap', 'list', 'author')).includes('footfall_view_reports'))
  assert.not((await wp('cap', 'list', 'editor')).includes('footfall_view_reports'))
  assert.ok((await wp('cap', 'list', 'editor')).includes('footfall_view_visits'))
  assert.is(await manager.isChecked(), false, 'no longer proposed')
  assert.not((await page.content()).includes(secret), 'the secret is not shown again')
  await context.close()
})

test.run()
