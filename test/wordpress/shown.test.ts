// Views that pages show to everyone: blocks and shortcodes in a real browser, functions for themes; and what is asked for them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import * as assert from 'uvu/assert'
import { launchBrowser } from '../browser/chromium.ts'
import { needs, wordpress } from '../support/needs.ts'
import { startWordPress, until, type WordPress } from '../support/wordpress.ts'
import { cookieOf, logIn } from './admin.ts'
import { viewsOf } from './essential.ts'
import { type Recorder, record } from './recorder.ts'

const test = needs(...wordpress, 'chromium')

let site: WordPress
let browser: Browser
const ids: Record<string, string> = {}
let recorder: Recorder

const page = async (path: string): Promise<string> => (await fetch(`${site.url}${path}`)).text()
const refresh = (): Promise<string> => site.wp('cron', 'event', 'run', 'footfall_refresh')
const popularBlock = (choice: object): string => `<!-- wp:footfall/popular ${JSON.stringify(choice)} /-->`
/** What the places of a page show, by their ids. */
const shown = (html: string, id: string): string =>
  (new RegExp(`<div id="${id}">(.*?)</div><!--end-->`, 's').exec(html)?.[1] ?? 'absent').trim()
const place = (id: string, content: string): string =>
  `<!-- wp:html --><div id="${id}"><!-- /wp:html -->${content}<!-- wp:html --></div><!--end--><!-- /wp:html -->`
const titles = (html: string): string[] => [...html.matchAll(/<li>.*?<\/li>/gs)].map(([row]) => textOf(row))
const textOf = (html: string): string => html.replace(/<[^>]*>/g, '').trim()

test.before(async () => {
  site = await startWordPress()
  browser = await launchBrowser()
  const { wp, url, hit } = site
  const make = async (name: string, ...of: string[]) => {
    ids[name] = await wp(
      'post',
      'create',
      '--user=admin',
      '--porcelain',
      '--post_status=publish',
      `--post_name=${name}`,
      ...of,
    )
  }
  await make('often', '--post_title=<b>Often</b> & "read" <script>alert(1)</script>')
  await make('secret', '--post_title=Secret', '--post_password=word')
  await make('hidden', '--post_title=Hidden')
  await make('gone', '--post_title=Gone')
  const places = [
    place('views', '<!-- wp:footfall/views /-->'),
    place('week', '<!-- wp:footfall/views {"period":"7d"} /-->'),
    place('other', '<!-- wp:footfall/views {"period":"8d"} /-->'),
    place('popular', popularBlock({ thumbnails: true })),
    place('short', popularBlock({ number: 1, views: false })),
    place('pages', popularBlock({ type: 'page' })),
    place('attachments', popularBlock({ type: 'attachment' })),
    place('code', '<!-- wp:shortcode -->[footfall_views period=28d]<!-- /wp:shortcode -->'),
    place(
      'list',
      '<!-- wp:shortcode -->[footfall_popular number=2 views=no period="28d" type="post"]<!-- /wp:shortcode -->',
    ),
    place(
      'wrong',
      '<!-- wp:shortcode -->[footfall_popular period="<b>"][footfall_views period=""]<!-- /wp:shortcode -->',
    ),
    place(
      'loop',
      '<!-- wp:query {"queryId":7,"query":{"perPage":9,"postType":"post","orderBy":"date","order":"asc","inherit":false}} --><!-- wp:post-template --><!-- wp:post-title /--><!-- wp:footfall/views /--><!-- /wp:post-template --><!-- /wp:query -->',
    ),
  ]
  await make('places', '--post_type=page', '--post_title=Places', `--post_content=${places.join('\n')}`)
  const paths = ['often', 'often', 'often', 'secret', 'secret', 'hidden', 'hidden', 'gone', 'hello-world', 'places']
  for (const name of paths) assert.is((await hit({ page_url: `${url}/${name}/` })).status, 204)
  await until(
    () => viewsOf(site),
    found => found['/often'] === 3 && found['/places'] === 1,
  )
  await wp('media', 'import', resolve('docs/wordpress-connection.jpg'), `--post_id=${ids.often}`, '--featured_image')
  // For themes.
  const plugins = join(site.folder, 'site/www/wp-content/mu-plugins')
  mkdirSync(plugins, { recursive: true })
  writeFileSync(
    join(plugins, 'theme.php'),
    `<?php add_filter( 'locale', function ( $locale ) { return get_option( 'test_locale', $locale ); } );
    add_action( 'wp_footer', function () {
      printf( '<div id="theme">%s</div><!--end-->', esc_html( wp_json_encode( array( footfall_views( ${ids.often} ), footfall_views( ${ids.hidden}, '28d' ), footfall_popular_posts( array( 'number' => 1 ) ) ) ) ) );
      echo '<div id="aside">' . do_shortcode( '[footfall_views]' ) . '</div><!--end-->';
    } );`,
  )
  recorder = await record(site)
})
test.after(async () => {
  await browser.close()
  recorder.close()
  await site.stop()
})

test('no page shows views until the owner allows it', async () => {
  const html = await page('/places/')
  for (const id of ['views', 'popular', 'pages', 'code', 'list', 'wrong']) assert.is(textOf(shown(html, id)), '', id)
  assert.is(shown(html, 'theme'), '[&quot;&quot;,&quot;&quot;,[]]')
  await refresh()
  assert.is(recorder.batches(), 1, 'only for the toolbar')
  const context = await browser.newContext()
  const tab = await context.newPage()
  await logIn(tab, site.url, 'admin')
  await tab.goto(`${site.url}/wp-admin/admin.php?page=footfall-connection`)
  assert.not(await tab.isChecked('input[name=shown]'))
  await tab.check('input[name=shown]')
  await tab.click('#submit')
  await tab.locator('#footfall-saved').waitFor()
  assert.ok(await tab.isChecked('input[name=shown]'))
  await context.close()
})

test('pages say what they need, cron fetches it, and no page asks the service', async () => {
  recorder.asked.length = 0
  assert.is(textOf(shown(await page('/places/'), 'views')), '')
  assert.equal(recorder.asked, [])
  assert.equal(Object.keys(JSON.parse(await site.wp('option', 'get', 'footfall_shown', '--format=json'))).sort(), [
    '28d',
    '7d',
    'all',
  ])
  await refresh()
  assert.is(recorder.batches(), 4, 'three periods, and the toolbar')
  recorder.asked.length = 0
  // A post that is no longer public is gone at once.
  await site.wp('post', 'update', ids.hidden ?? '', '--post_status=private')
  await site.wp('post', 'delete', ids.gone ?? '', '--force')
  const html = await page('/places/')
  assert.is(
    shown(html, 'views'),
    '<div class="wp-block-footfall-views"><span class="footfall-views" title="Views so far">Views: <span class="footfall-number">1</span></span></div>',
  )
  assert.is(textOf(shown(html, 'week')), 'Views: 1')
  assert.is(textOf(shown(html, 'other')), 'Views: 1', 'the period that it has unless it says a known one')
  assert.is(
    shown(html, 'code')
      .replace(/<\/?p>/g, '')
      .trim(),
    '<span class="footfall-views" title="Views in 28 days">Views: <span class="footfall-number">1</span></span>',
  )
  assert.equal(titles(shown(html, 'popular')), ['Often &#038; &#8220;read&#8221; Views: 3', 'Hello world! Views: 1'])
  assert.match(
    shown(html, 'popular'),
    /<ol class="[^"]*footfall-popular[^"]*"><li><a href="[^"]*\/often\/"><img [^>]*alt=""[^>]*>Often/,
  )
  assert.is(html.match(/wp-post-image/g)?.length, 1)
  assert.equal(titles(shown(html, 'short')), ['Often &#038; &#8220;read&#8221;'])
  assert.equal(titles(shown(html, 'pages')), ['Places Views: 1'])
  assert.is(shown(html, 'attachments'), '')
  assert.equal(titles(shown(html, 'list')), ['Often &#038; &#8220;read&#8221;', 'Hello world!'])
  assert.is(textOf(shown(html, 'wrong')), '')
  const loop = textOf(shown(html, 'loop')).replace(/\s+/g, ' ')
  assert.match(loop, /Hello world! ?Views: 1/)
  assert.match(loop, /read&#8221; ?.*Views: 3/)
  assert.is(shown(html, 'theme'), `[&quot;3&quot;,&quot;&quot;,{&quot;${ids.often}&quot;:3}]`)
  for (const id of ['popular', 'list']) assert.not.match(shown(html, id), /alert|Hidden|Gone|Secret/)
  assert.equal(recorder.asked, [])
})

test('outside of posts it is the page that is shown, or nothing', async () => {
  await site.hit({ page_url: `${site.url}/category/uncategorized/` })
  await until(
    () => viewsOf(site),
    found => found['/category/uncategorized'] === 1,
  )
  await refresh()
  recorder.asked.length = 0
  assert.is(textOf(shown(await page('/often/'), 'aside')), 'Views: 3')
  assert.is(textOf(shown(await page('/category/uncategorized/'), 'aside')), 'Views: 1')
  assert.is(textOf(shown(await page('/'), 'aside')), 'Views: 0')
  for (const path of ['/nothing-here/', '/?s=often']) assert.is(textOf(shown(await page(path), 'aside')), '', path)
  const rest = JSON.parse(await page(`/wp-json/wp/v2/pages/${ids.places}`))
  assert.match(textOf(shown(rest.content.rendered, 'code')), /Views: 1/)
  assert.equal(recorder.asked, [])
  assert.equal(site.warnings(), [])
})

test('in the editor: both blocks, with their choices, as they will look', async () => {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 } })
  const tab = await context.newPage()
  const problems: string[] = []
  tab.on('pageerror', error => problems.push(error.message))
  await logIn(tab, site.url, 'admin')
  await tab.goto(`${site.url}/wp-admin/post-new.php`)
  await tab.waitForFunction(
    'window.wp?.blocks?.getBlockType("footfall/popular") && wp.data.select("core/editor").getCurrentPostId()',
  )
  // The greeting of a first time.
  await tab.evaluate('wp.data.dispatch("core/preferences").set("core/edit-post", "welcomeGuide", false)')
  const insert = (name: string) =>
    tab.evaluate(
      `{ const block = wp.blocks.createBlock("footfall/${name}"); wp.data.dispatch("core/block-editor").insertBlocks(block); wp.data.dispatch("core/block-editor").selectBlock(block.clientId) }`,
    )
  await insert('views')
  const canvas = tab.frameLocator('iframe[name=editor-canvas]')
  await canvas.getByText('There are no figures at the moment.').waitFor()
  await insert('popular')
  await canvas.locator('ol.footfall-popular li').first().waitFor()
  assert.is(await canvas.locator('ol.footfall-popular li').count(), 2)
  // Not yet asked for by any page: the editor fetches it.
  recorder.asked.length = 0
  await tab.getByLabel('Period').selectOption('90d')
  await until(
    async () => recorder.batches(),
    found => found === 1,
  )
  await tab.getByLabel('Type').selectOption('page')
  await canvas.locator('ol.footfall-popular li').filter({ hasText: 'Places' }).waitFor()
  await tab.getByLabel('Thumbnails').check()
  await tab.evaluate(
    'wp.data.dispatch("core/editor").editPost({ title: "Made", status: "publish" }); wp.data.dispatch("core/editor").savePost()',
  )
  await tab.waitForFunction('wp.data.select("core/editor").didPostSaveRequestSucceed()')
  const made = await tab.evaluate('wp.data.select("core/editor").getPermalink()')
  const html = await page(new URL(String(made)).pathname)
  assert.equal(titles(html.slice(html.indexOf('<ol'))).slice(0, 1), ['Places Views: 1'])
  assert.equal(problems, [])
  await context.close()
  // Whoever may not edit gets no block rendered.
  const route = '/wp-json/wp/v2/block-renderer/footfall/views?context=edit'
  assert.is((await fetch(`${site.url}${route}`)).status, 401)
  const sue = await cookieOf(site, 'sue')
  assert.is((await fetch(`${site.url}${route}`, { headers: sue })).status, 403)
})

test('figures that are old are shown while the service is well, and none once it is away', async () => {
  await site.wp(
    'eval',
    '$kept = get_transient( "footfall_figures_all" ); $kept["until"] = time() - 3600; set_transient( "footfall_figures_all", $kept, 600 );',
  )
  recorder.asked.length = 0
  assert.is(textOf(shown(await page('/places/'), 'views')), 'Views: 1')
  assert.equal(recorder.asked, [])
  recorder.isAway = true
  await refresh()
  for (const id of ['views', 'popular', 'code', 'list']) assert.is(textOf(shown(await page('/places/'), id)), '', id)
  assert.not.match(await page('/places/'), /footfall-(views|popular)/)
  recorder.isAway = false
  await refresh()
  assert.is(textOf(shown(await page('/places/'), 'views')), 'Views: 1')
})

test('what no page has shown for a week is no longer fetched; in German; uninstalled, nothing is left', async () => {
  await site.wp('option', 'update', 'footfall_shown', '{"all":"2026-01-01","7d":"2026-01-01"}', '--format=json')
  recorder.asked.length = 0
  await refresh()
  assert.is(recorder.batches(), 1, 'the toolbar')
  await site.wp('option', 'update', 'test_locale', 'de_DE')
  assert.match(textOf(shown(await page('/places/'), 'code')), /^Aufrufe: 1$/)
  assert.equal(site.warnings(), [])
  await site.wp('plugin', 'uninstall', 'footfall', '--deactivate')
  assert.is(await site.wp('option', 'list', '--search=*footfall*', '--format=count'), '0')
})

test.run()
