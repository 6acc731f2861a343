// Revenue in wp-admin: the shop as WordPress connects it, and the import by a button.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { launchBrowser } from '../browser/chromium.ts'
import { needs, wordpress } from '../support/needs.ts'
import { startWordPress, type WordPress } from '../support/wordpress.ts'
import { openDashboard } from './admin.ts'

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

/** Runs a statement of PHP in the shop, with a document in `$data`. */
const shop = async (statement: string, data: object = {}): Promise<string> => {
  const file = join(site.folder, 'data.json')
  writeFileSync(file, JSON.stringify(data))
  return site.wp('eval', `$data = json_decode( file_get_contents( '${file}' ), true ); ${statement}`)
}

const revenue = async () => {
  const opened = await openDashboard(browser, site.url)
  await opened.frame.locator('nav a[href*="view=revenue"]').click()
  await opened.frame.locator('nav a[href*="view=revenue"][aria-current=page]').waitFor()
  return opened
}

test('without WooCommerce it says what would connect a shop, and nothing of shells', async () => {
  const { context, frame, problems } = await revenue()
  await frame.getByText('Once WooCommerce is active in this WordPress').waitFor()
  assert.is(await frame.locator('main pre').count(), 0)
  assert.equal(problems, [])
  await context.close()
})

test('with it: connected by WordPress, imported by a button', async () => {
  const plugins = join(site.folder, 'site/www/wp-content/mu-plugins')
  mkdirSync(plugins, { recursive: true })
  copyFileSync('test/wordpress/woocommerce-double.php', join(plugins, 'woocommerce-double.php'))
  await site.wp('cron', 'event', 'run', 'footfall_refresh')
  const simple = JSON.parse(readFileSync('test/fixtures/woocommerce/order-simple-coupon-attribution.json', 'utf8'))
  // In the range that the dashboard shows, and long enough ago to have arrived.
  const day = `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T10:00:00`
  const dated = { date_created_gmt: day, date_modified_gmt: day, date_paid_gmt: day }
  await shop(
    "$all = array(); for ( $i = 1; $i <= 130; $i++ ) { $all[ $i ] = array( 'id' => $i ) + $data; } $all[131] = array( 'id' => 131, 'status' => 'checkout-draft' ) + $data; update_option( 'double_orders', $all, false );",
    { ...simple, ...dated },
  )
  const { context, frame, problems } = await revenue()
  const card = frame.locator('section[aria-labelledby=shop]')
  await card.getByText('by WordPress').waitFor()
  const text = (await card.textContent()) ?? ''
  for (const absent of ['webhook', '--woocommerce', 'FOOTFALL_']) assert.not(text.includes(absent), absent)
  assert.is(await frame.locator('main pre').count(), 0)

  await card.getByRole('button', { name: 'Import all orders' }).click()
  await card.getByRole('button', { name: 'Cancel' }).waitFor()
  await shop('double_run();')
  await card.getByRole('button', { name: 'Import all orders' }).waitFor()
  assert.is((await site.direct('/revenue/wc-status')).body.data.backfill.orders_stored, 131)
  assert.equal(problems, [])
  assert.equal(site.warnings(), [])
  await context.close()
})

test.run()
