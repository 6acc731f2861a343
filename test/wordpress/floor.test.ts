// The oldest PHP and the oldest WordPress that the plugin names, both real.
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withBrowser } from '../browser/chromium.ts'
import { needs, wordpress } from '../support/needs.ts'
import { startWordPress } from '../support/wordpress.ts'
import { essentialPath } from './essential.ts'

const run = promisify(execFile)
/** PHP as WebAssembly, as WordPress itself uses it in browsers. */
const php = '@php-wasm/node-7-4@3.1.56'

test('PHP 7.4 reads every file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-php-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    await run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', php])
    const newer = join(folder, 'newer.php')
    writeFileSync(newer, '<?php\nclass A { public function __construct( private int $x ) {} }\n')
    const files = globSync('wordpress/footfall/**/*.php')
    const read = async (...names: string[]): Promise<string[]> => {
      const { stdout } = await run(process.execPath, [resolve('test/wordpress/site/parse.mjs'), folder, ...names])
      return stdout.trimEnd().split('\n')
    }
    assert.match((await read(newer)).join(), /newer\.php: 7\.4\.33 line 2: syntax error/)
    assert.ok(files.length > 10)
    assert.equal(
      await read(...files),
      files.map(name => `${name}: 7.4.33 fine`),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('its header, its readme and the documents name the same versions', () => {
  const header = readFileSync('wordpress/footfall/footfall.php', 'utf8')
  const readme = readFileSync('wordpress/footfall/readme.txt', 'utf8')
  const versions = (text: string): (string | undefined)[] =>
    ['Requires at least', 'Requires PHP'].map(name => new RegExp(`${name}: +([\\d.]+)`).exec(text)?.[1])
  assert.equal(versions(header), ['6.2', '7.4'])
  assert.equal(versions(readme), ['6.2', '7.4'])
  assert.match(readFileSync('docs/wordpress.md', 'utf8'), /WordPress 6\.2 and PHP 7\.4 or newer/)
})

needs(...wordpress, 'chromium')('WordPress 6.2: a visitor, the reports and the dashboard', async () => {
  const site = await startWordPress({ version: '6.2' })
  try {
    assert.match(await site.wp('core', 'version'), /^6\.2/)
    // The build lacks these files of wp-admin, whose inline scripts then fail. WordPress' own pages are not what is tested.
    const absent = readFileSync(join(site.folder, 'site/www/wordpress-remote-asset-paths'), 'utf8').trim().split('\n')
    await withBrowser(browser => essentialPath(site, browser, [...absent, 'wp is not defined']))
    // Blocks, as pages show them.
    const content = '<!-- wp:footfall/views {"period":"7d"} /--><!-- wp:footfall/popular /-->'
    await site.wp('post', 'create', '--post_name=blocks', '--post_status=publish', `--post_content=${content}`)
    await site.wp('option', 'add', 'footfall_shown', '[]', '--format=json')
    const page = async () => (await fetch(`${site.url}/blocks/`)).text()
    assert.not.match(await page(), /footfall-number/)
    await site.wp('cron', 'event', 'run', 'footfall_refresh')
    assert.match(
      await page(),
      /class="wp-block-footfall-views"><span[^>]*>Views: <[^>]*>0<.*<li><a [^>]*>Hello world!<.*>1</s,
    )
    assert.equal(site.warnings(), [])
  } finally {
    await site.stop()
  }
})

test.run()
