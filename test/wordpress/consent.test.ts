// A consent tool in WordPress (by the WP Consent API) decides what the tracker may keep on a visitor's device.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { launchBrowser } from '../browser/chromium.ts'
import { needs, wordpress } from '../support/needs.ts'
import { range, startWordPress, until, type WordPress } from '../support/wordpress.ts'

const test = needs(...wordpress, 'chromium')

let site: WordPress
let browser: Awaited<ReturnType<typeof launchBrowser>>

/**
 * A double of the plugin "WP Consent API" with a consent tool that asks for permission: the functions and events that
 * it has in pages, and the list of plugins that take part.
 */
const consentApi = `<?php
add_action( 'wp_enqueue_scripts', function () {
  wp_register_script( 'wp-consent-api', false, array(), '1', true );
  wp_enqueue_script( 'wp-consent-api' );
  wp_add_inline_script( 'wp-consent-api', "
    window.wp_consent_type = 'optin';
    window.wp_has_consent = category => document.cookie.includes('wp_consent_' + category + '=allow');
    window.wp_set_consent = (category, value) => {
      document.cookie = 'wp_consent_' + category + '=' + value + ';path=/';
      document.dispatchEvent(new CustomEvent('wp_listen_for_consent_change', { detail: { [category]: value } }));
    };
  " );
}, 5 );
`

test.before(async () => {
  site = await startWordPress()
  const folder = join(site.folder, 'site/www/wp-content/mu-plugins')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'consent-api.php'), consentApi)
  const headers = { ...(await site.passwordOf('admin')), 'content-type': 'application/json' }
  const saved = await site.api('/settings', { method: 'PUT', body: JSON.stringify({ consent_mode: 'full' }), headers })
  assert.is(saved.status, 200)
  browser = await launchBrowser()
})
test.after(async () => {
  await browser.close()
  await site.stop()
})

type Hit = { consent_granted?: boolean; visitor_id?: string }

/** The bodies of the hits that a tab sends, and how they were answered. */
const listen = (page: Page): { body: Hit; status: number }[] => {
  const hits: { body: Hit; status: number }[] = []
  page.on('response', answer => {
    if (answer.url().endsWith('/hit'))
      hits.push({ body: JSON.parse(answer.request().postData() ?? '{}'), status: answer.status() })
  })
  return hits
}

const counted = async (): Promise<number> => (await site.direct(`/summary?${range()}`)).body.data.totals.views

test('nothing is kept or counted before the visitor agrees, and no more once they decline', async () => {
  const page = await (await browser.newContext()).newPage()
  const hits = listen(page)
  const kept = () => page.evaluate(() => localStorage.getItem('footfall'))
  await page.goto(`${site.url}/hello-world/`)
  await until(
    async () => hits,
    found => found.some(({ body }) => body.consent_granted === false),
  )
  assert.is(await kept(), null)
  assert.ok(hits.every(({ body }) => body.visitor_id === undefined))

  await page.evaluate("wp_set_consent('marketing', 'allow')")
  assert.is(await kept(), null, 'another category says nothing')
  await page.evaluate("wp_set_consent('statistics', 'allow')")
  const agreed = await until(
    async () => hits.find(({ body }) => body.consent_granted === true),
    found => found !== undefined,
  )
  assert.is(agreed?.body.visitor_id, await kept())
  assert.is(await until(counted, found => found > 0), 1)

  // The answer is known on the next page.
  hits.length = 0
  await page.goto(`${site.url}/sample-page/`)
  await until(
    async () => hits,
    found => found.some(({ body }) => body.consent_granted === true),
  )
  assert.is(await until(counted, found => found > 1), 2)

  await page.evaluate("wp_set_consent('statistics', 'deny')")
  assert.is(await kept(), null)
  await page.context().close()
  assert.equal(site.warnings(), [])
})

test('WordPress knows that the plugin respects the answer', async () => {
  const listed = await site.wp(
    'eval',
    "echo has_filter( 'wp_consent_api_registered_footfall/footfall.php' ) ? 'yes' : 'no';",
  )
  assert.is(listed, 'yes')
})

test.run()
