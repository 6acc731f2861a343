// Figures in WordPress' own places: lists of posts, the dashboard's widget, the toolbar; and what is asked for them.
import * as assert from 'uvu/assert'
import { withBrowser } from '../browser/chromium.ts'
import { needs, wordpress } from '../support/needs.ts'
import { startWordPress, until, type WordPress } from '../support/wordpress.ts'
import { cookieOf, logIn } from './admin.ts'
import { viewsOf } from './essential.ts'
import { type Recorder, record } from './recorder.ts'

const test = needs(...wordpress, 'chromium')

let site: WordPress
const cookies: Record<string, string> = {}
let recorder: Recorder

const page = async (path: string, login?: string): Promise<string> => {
  const headers: Record<string, string> = login === undefined ? {} : { cookie: cookies[login] ?? '' }
  return (await fetch(`${site.url}${path}`, { headers })).text()
}

/** The rows of a list in wp-admin: the title of each post, and its views. */
const rowsOf = (html: string): [string, string][] =>
  [...html.matchAll(/<tr id="post-\d+"(.*?)<\/tr>/gs)].map(([, row = '']) => [
    (/<strong>(.*?)<\/strong>/s.exec(row)?.[1] ?? '').replace(/<[^>]*>/g, '').trim(),
    (/class='footfall_views[^>]*>(.*?)<\/td>/s.exec(row)?.[1] ?? 'no column').replace(/<[^>]*>/g, ''),
  ])

const forget = (): Promise<string> => site.wp('transient', 'delete', '--all')

test.before(async () => {
  site = await startWordPress()
  const { wp, url, hit } = site
  await wp('user', 'create', 'ann', 'ann@example.org', '--role=author', '--user_pass=secret')
  const [ann = ''] = [await wp('user', 'get', 'ann', '--field=ID')]
  const make = (...of: string[]) => wp('post', 'create', '--post_status=publish', ...of)
  await make('--post_title=Café', '--post_name=cafe-日本', `--post_author=${ann}`)
  await make('--post_title=Unread', '--post_name=unread', '--post_author=1', '--post_date=2026-01-02 10:00:00')
  await make('--post_title=Old', '--post_name=old', '--post_author=1', '--post_date=2025-01-02 10:00:00')
  const paths = ['/hello-world/', '/hello-world/', '/hello-world/', '/sample-page/', '/old/']
  for (const path of [...paths, `/${encodeURIComponent('cafe-日本')}/`, `/${encodeURIComponent('cafe-日本')}/`])
    assert.is((await hit({ page_url: url + path, referrer: 'https://news.example.net/' })).status, 204)
  await until(
    () => viewsOf(site),
    found => found['/hello-world'] === 3 && found['/cafe-日本'] === 2 && found['/old'] === 1,
  )
  for (const login of ['admin', 'ed', 'ann', 'sue']) cookies[login] = (await cookieOf(site, login)).cookie ?? ''
  recorder = await record(site)
})
test.after(async () => {
  recorder.close()
  await site.stop()
})

test('lists of posts and pages have views, in both orders, of a range that is kept', async () => {
  const list = (query = '', login = 'admin') => page(`/wp-admin/edit.php?post_status=publish${query}`, login)
  recorder.asked.length = 0
  const most = await list('&orderby=footfall_views&order=desc')
  const expected: [string, string][] = [
    ['Hello world!', '3'],
    ['Café', '2'],
    ['Old', '1'],
    ['Unread', '0'],
  ]
  assert.equal(rowsOf(most), expected)
  assert.equal(rowsOf(await list('&orderby=footfall_views&order=asc')), [...expected].reverse())
  assert.match(most, /href="[^"]*report=%2Fhello-world"[^>]*>3</)
  assert.match(most, /<span class='footfall'><a href="[^"]*report=%2Funread">Views</)
  // One batch for the list, and one for the toolbar.
  assert.is(recorder.batches(), 2)
  assert.equal(rowsOf(await page('/wp-admin/edit.php?post_type=page&post_status=publish', 'admin')), [
    ['Sample Page', '1'],
  ])
  assert.is(recorder.batches(), 2, 'kept for five minutes')
  assert.match(await list(), /<option value="28d" selected='selected'>Views in 28 days</)
  await list('&footfall_period=7d')
  assert.match(await list(), /<option value="7d" selected='selected'>Views in 7 days</)
  assert.match(await list('&footfall_period=8d'), /<option value="28d" selected='selected'>/)
  assert.equal(site.warnings(), [])
})

test('authors see the views of their own posts if the owner allows it, editors as readers all', async () => {
  const rows = async (login: string) => rowsOf(await page('/wp-admin/edit.php?post_status=publish', login)).sort()
  assert.ok((await rows('ann')).every(([, views]) => views === 'no column'))
  await withBrowser(async browser => {
    const context = await browser.newContext()
    const tab = await context.newPage()
    await logIn(tab, site.url, 'admin')
    await tab.goto(`${site.url}/wp-admin/admin.php?page=footfall-connection`)
    assert.is(await tab.locator('input[name="own[]"][value=subscriber]').count(), 0)
    await tab.check('input[name="own[]"][value=author]')
    await tab.check('input[name="visits[]"][value=editor]')
    await tab.click('#submit')
    await tab.locator('#footfall-connected').waitFor()
    await context.close()
  })
  assert.equal(await rows('ann'), [
    ['Café', '2'],
    ['Hello world!', '—'],
    ['Old', '—'],
    ['Unread', '—'],
  ])
  // Nor does the order say anything.
  const sorted = await page('/wp-admin/edit.php?post_status=publish&orderby=footfall_views&order=asc', 'ann')
  assert.not.equal(rowsOf(sorted)[0]?.[0], 'Unread')
  assert.not.match(sorted, /wp-admin-bar-footfall|report=%2F/)
  assert.equal(
    (await rows('ed')).map(([, views]) => views),
    ['2', '3', '1', '0'],
  )
})

test('the widget shows today, 28 days, pages and sources; subscribers see none of it', async () => {
  const html = await page('/wp-admin/index.php', 'admin')
  const widget = /<div id="footfall" class="postbox.*?<\/svg>.*?All reports/s.exec(html)?.[0] ?? ''
  assert.match(widget, /Visitors today: 1<.*Views today: 7/s)
  assert.match(widget, /Visitors of the last 28 days: 1/)
  assert.is(widget.match(/<rect /g)?.length, 28)
  assert.match(widget, /<title>[^<]+: 1<\/title><\/rect><\/svg>/)
  assert.match(widget, /id="footfall-pages".*?report=%2Fhello-world">\/hello-world<\/a><\/td><td[^>]*>3</s)
  assert.match(widget, /id="footfall-sources".*?news\.example\.net<\/td><td[^>]*>1</s)
  assert.not.match(await page('/wp-admin/index.php', 'sue'), /id="footfall"|wp-admin-bar-footfall/)
  assert.not.match(await page('/wp-admin/index.php', 'ann'), /id="footfall"|wp-admin-bar-footfall/)
})

test('no page of the site asks the service: the toolbar shows what is kept, until it is five minutes old', async () => {
  await forget()
  recorder.asked.length = 0
  assert.match(await page('/hello-world/', 'admin'), /wp-admin-bar-footfall'.*?ab-label">Footfall</s)
  for (const path of ['/', '/hello-world/', '/nothing-here/']) await page(path)
  assert.equal(recorder.asked, [])
  await site.wp('cron', 'event', 'run', 'footfall_refresh')
  assert.is(recorder.batches(), 1)
  const html = await page('/hello-world/', 'admin')
  assert.match(html, /wp-admin-bar-footfall'.*?ab-label">Visitors today: 1</s)
  assert.match(html, /report=%2Fhello-world'>Views of this page</)
  assert.match(await page('/category/uncategorized/', 'admin'), /report=%2Fcategory%2Funcategorized'>/)
  assert.not.match(await page('/nothing-here/', 'admin'), /report=/)
  assert.is(recorder.batches(), 1)
  const left = await site.wp('eval', 'echo get_transient( "footfall_figures_overview" )["until"] - time();')
  assert.ok(Number(left) > 0 && Number(left) <= 300, left)
})

test("the link leads to the page's own report", () =>
  withBrowser(async browser => {
    const context = await browser.newContext()
    const tab = await context.newPage()
    await logIn(tab, site.url, 'admin')
    await tab.goto(`${site.url}/cafe-日本/`)
    await tab.hover('#wp-admin-bar-footfall')
    await tab.click('#wp-admin-bar-footfall-page a')
    const frame = tab.frameLocator('#footfall-frame')
    await frame.locator('h2, h1').filter({ hasText: '/cafe-日本' }).first().waitFor()
    await frame.locator('.page-facts').waitFor()
    await context.close()
  }))

test('where the service is away, nothing is shown, and it is asked once a minute', async () => {
  await forget()
  recorder.isAway = true
  recorder.asked.length = 0
  for (let time = 0; time < 2; time++) {
    assert.match(await page('/wp-admin/index.php', 'admin'), /There are no figures at the moment\./)
    const rows = rowsOf(await page('/wp-admin/edit.php?post_status=publish&orderby=footfall_views', 'admin'))
    assert.is(rows.length, 4)
    assert.ok(rows.every(([, views]) => views === '—'))
  }
  assert.is(recorder.batches(), 2, 'the widget and the list')
  recorder.isAway = false
  assert.equal(site.warnings(), [])
})

test('in German; uninstalled, nothing is left of it', async () => {
  const { wp } = site
  await forget()
  await wp('user', 'meta', 'update', 'admin', 'locale', 'de_DE')
  const html = await page('/wp-admin/edit.php', 'admin')
  assert.match(html, /Aufrufe in 28 Tagen/)
  await wp('plugin', 'uninstall', 'footfall', '--deactivate')
  assert.is(await wp('option', 'list', '--search=*footfall*', '--format=count'), '0')
  assert.is(await wp('user', 'meta', 'get', 'admin', 'footfall_period').catch(() => ''), '')
  assert.not((await wp('cap', 'list', 'author')).includes('footfall'))
})

test.run()
