// What real sites run: MariaDB, php-fpm and nginx; with nginx' faster way for hits, and its page cache.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { launchBrowser } from '../browser/chromium.ts'
import { footfallHere } from '../support/command.ts'
import { mariadb, needs, wordpress } from '../support/needs.ts'
import { range, startWordPress, until, type WordPress } from '../support/wordpress.ts'
import { cookieOf } from './admin.ts'
import { essentialPath, viewsOf, visit } from './essential.ts'

const test = needs(...wordpress, ...mariadb, 'chromium')

let site: WordPress
let browser: Awaited<ReturnType<typeof launchBrowser>>
test.before(async () => {
  site = await startWordPress({ stack: 'mariadb' })
  browser = await launchBrowser()
})
test.after(async () => {
  await browser.close()
  await site.stop()
})

test('a visitor, the reports and the dashboard', () => essentialPath(site, browser))

/** Adds lines to nginx, and waits until it uses them. */
const configure = async (name: string, text: string, isUsed: () => Promise<boolean>): Promise<void> => {
  const place = join(site.folder, 'site')
  writeFileSync(join(place, 'nginx', name), text)
  process.kill(Number(readFileSync(join(place, 'nginx.pid'), 'utf8')), 'SIGHUP')
  // nginx closes connections when it reads its files again.
  await until(
    () => isUsed().catch(() => false),
    yes => yes,
  )
}

/** Whether a hit has passed PHP. */
const isThroughPhp = async (): Promise<boolean> => {
  const answer = await site.hit({ page_url: `${site.url}/way/` }, { 'user-agent': '' })
  assert.is(answer.status, 204)
  return answer.headers.get('x-footfall-via') === 'wordpress'
}

test('the lines of the documents let hits pass nginx only; footfall check shows the difference', async () => {
  const { url, service, hit } = site
  const check = async (): Promise<string> => (await footfallHere(['check', `${url}/`])).stdout
  assert.is(await isThroughPhp(), true)
  assert.match(await check(), /Hits pass the WordPress plugin/)
  const [, lines = ''] = /```nginx\n(.*?)```/s.exec(readFileSync('docs/wordpress.md', 'utf8')) ?? []
  assert.ok(lines.includes('127.0.0.1:8787'))
  await configure(
    'hits.conf',
    lines.replaceAll('127.0.0.1:8787', new URL(service.url).host),
    async () => !(await isThroughPhp()),
  )
  assert.not.match(await check(), /Hits pass the WordPress plugin/)
  // As on the way through PHP, the visitor is whom the nearest proxy names: here this machine itself, which is trusted.
  const forwarded = { 'x-footfall-check': '1', 'x-forwarded-for': '203.0.113.9', 'user-agent': '' }
  assert.is((await hit({ page_url: url }, forwarded)).headers.get('x-footfall-check'), 'public')
  await visit(browser, [`${url}/hello-world/`])
  await until(
    () => viewsOf(site),
    found => found['/hello-world'] === 2,
  )
})

const pageCache = `
  fastcgi_cache pages; fastcgi_cache_key $request_method$host$request_uri; fastcgi_cache_valid 200 10m;
  fastcgi_cache_bypass $is_user; fastcgi_no_cache $is_user; add_header X-Cache $upstream_cache_status always;`

test('pages of a page cache are counted as often as they are read, and hold nothing of a user', async () => {
  const { url, wp } = site
  const place = join(site.folder, 'site')
  writeFileSync(
    join(place, 'nginx/cache.http'),
    `fastcgi_cache_path ${place}/run/cache keys_zone=pages:1m; map $http_cookie $is_user { default 0; ~wordpress_logged_in 1; }`,
  )
  const cached = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, { headers })
    return { way: answer.headers.get('x-cache'), html: await answer.text() }
  }
  await configure('cache.conf', pageCache, async () => (await cached('/hello-world/')).way === 'HIT')
  // A user reads a page first: it is not kept, as it has their token.
  await wp('post', 'create', '--post_title=Kept', '--post_name=kept', '--post_status=publish')
  const user = await cached('/kept/', await cookieOf(site, 'admin'))
  assert.equal([user.way, user.html.includes('"token":')], ['BYPASS', true])
  const stranger = await cached('/kept/')
  assert.equal([stranger.way, /data-token|"token"|nonce/.test(stranger.html)], ['MISS', false])
  await visit(browser, [`${url}/kept/`])
  await visit(browser, [`${url}/kept/`, `${url}/hello-world/`])
  const again = await cached('/kept/')
  assert.equal([again.way, again.html], ['HIT', stranger.html])
  await until(
    () => viewsOf(site),
    found => found['/kept'] === 2 && found['/hello-world'] === 3,
  )
  // A cache that knows nothing of WordPress keeps no report for others.
  const password = await site.passwordOf('admin')
  for (const path of [`/summary?${range()}`, '/settings']) {
    assert.is((await site.api(path, { headers: password })).status, 200)
    assert.is((await site.api(path)).status, 401, path)
  }
  assert.equal(site.warnings(), [])
})

test.run()
