// The npm package of packages/tracker as npm packs it: its files, its types, and a React app that counts with it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser } from '../browser/chromium.ts'
import { hide } from '../browser/scenario.ts'
import { html, openSite, type Site, type SitePage } from '../browser/site.ts'
import { needs } from '../support/needs.ts'
import { footfall, start, temporaryFolder } from '../support/program.ts'
import { until } from '../support/wait.ts'

/** A copy: packages.test.ts may pack the folder itself at the same time. */
const source = 'dist/tracker-package'
const { path, remove } = temporaryFolder()
const installed = path('node_modules/@footfall/tracker')
const manifest = (file: string): any => JSON.parse(readFileSync(file, 'utf8'))

const run = (command: string, args: readonly string[], cwd = process.cwd()): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  assert.is(status, 0, `${command} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

test.before(() => {
  mkdirSync(installed, { recursive: true })
  rmSync(source, { recursive: true, force: true })
  cpSync('packages/tracker', source, { recursive: true, filter: name => !name.endsWith('/dist') })
  run('npm', ['pack', '--ignore-scripts=false', '--silent', '--pack-destination', path('.')], source)
  const { version } = manifest('package.json')
  run('tar', ['xzf', path(`footfall-tracker-${version}.tgz`), '-C', installed, '--strip-components=1'])
})
test.after(remove)

test('npm packs the module, its types, its readme and the licence, in the version of the service', () => {
  const [packed] = JSON.parse(run('npm', ['pack', '--ignore-scripts=false', '--dry-run', '--json', '--silent'], source))
  assert.equal(packed.files.map((file: any) => file.path).sort(), [
    'LICENSE',
    'README.md',
    'dist/index.d.ts',
    'dist/index.js',
    'package.json',
  ])
  const { version, dependencies, license } = manifest(join(installed, 'package.json'))
  assert.equal([version, dependencies, license], [manifest('package.json').version, undefined, 'MIT'])
  assert.is(readFileSync(join(installed, 'LICENSE'), 'utf8'), readFileSync('LICENSE', 'utf8'))
})

test('it is tiny', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(installed, 'dist/index.js')],
    minify: true,
    write: false,
    format: 'esm',
  })
  const size = outputFiles[0]?.contents.length ?? Number.POSITIVE_INFINITY
  assert.ok(size < 700, `${size} bytes`)
})

/** The messages of a strict compiler for a module that uses the package. */
const compile = (name: string, text: string): string => {
  const file = path(`${name}.ts`)
  writeFileSync(file, text)
  const flags = [
    '--ignoreConfig',
    '--strict',
    '--noUncheckedIndexedAccess',
    '--exactOptionalPropertyTypes',
    '--noEmit',
    '--pretty',
    'false',
    '--types',
    '',
  ]
  const target = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom']
  return spawnSync(resolve('node_modules/.bin/tsc'), [...flags, ...target, file], { encoding: 'utf8' }).stdout
}

test('strict TypeScript takes every documented call', () => {
  const text = `
    import { footfall, loadFootfall, type Footfall, type LoadOptions } from '@footfall/tracker'
    const options: LoadOptions = { src: '/tracker.js', nonce: undefined, mode: 'full', consent: 'granted', auto: false }
    loadFootfall({ ...options, views: 'manual', resourceType: 'post', resourceId: 12, status: 404, api: '/analytics/v1' })
    footfall('signup', { plan: 'pro', seats: 3, trial: true })
    footfall('purchase', {}, { value: 19.5, order_id: 1042 })
    footfall('pageview')
    footfall('pageview', { page_url: '/checkout/payment' })
    footfall('consent', true)
    footfall('consent', 'denied')
    footfall('optout')
    footfall('optin')
    const same: Footfall | undefined = window.footfall
    window.footfall?.('signup', { plan: 'pro' })
    export { same }`
  assert.is(compile('right', text), '')
})

test('it refuses what the tracker would not understand', () => {
  const wrong = {
    property: `footfall('signup', { plan: { name: 'pro' } })`,
    consent: `footfall('consent', 1)`,
    value: `footfall('purchase', {}, { value: '19.5' })`,
    setting: `loadFootfall({ src: '/tracker.js', consent: 'yes' })`,
    source: 'loadFootfall({})',
  }
  for (const [name, call] of Object.entries(wrong))
    assert.match(
      compile(
        name,
        `import { footfall, loadFootfall } from '@footfall/tracker'\n${call}\nexport { footfall, loadFootfall }`,
      ),
      `${name}.ts(2,`,
      name,
    )
})

test('on a server it does nothing', async () => {
  const { footfall: call, loadFootfall } = await import(pathToFileURL(join(installed, 'dist/index.js')).href)
  call('signup')
  loadFootfall({ src: 'https://footfall.example.org/tracker.js' })
  assert.is(Reflect.get(globalThis, 'footfall'), undefined)
})

const nonce = 'r4nd0m'

/** The app on its own host, under a policy that takes only what has the nonce. */
const openApp = async (tracker: string): Promise<Site> => {
  const { outputFiles } = await build({
    entryPoints: ['test/fixtures/react-app.jsx'],
    bundle: true,
    minify: true,
    write: false,
    jsx: 'automatic',
    nodePaths: [path('node_modules')],
    define: {
      TRACKER: JSON.stringify(tracker),
      NONCE: JSON.stringify(nonce),
      'process.env.NODE_ENV': '"development"',
    },
  })
  const document = html({ body: `<div id="root"></div><script nonce="${nonce}" src="/app.js"></script>` })
  const serve: SitePage = (_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; script-src 'nonce-${nonce}'; connect-src ${new URL(tracker).origin}`,
    )
    response.end(document)
  }
  return openSite({
    '/': serve,
    '/prices': serve,
    '/app.js': (_request, response) => {
      response.setHeader('Content-Type', 'text/javascript')
      response.end(outputFiles[0]?.contents)
    },
  })
}

const scripts = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.scripts].filter(({ src }) => src.endsWith('/tracker.js')).length`)

needs('chromium')('a React app: views, navigation, events and engagement arrive in the report', async () => {
  const data = path('test.db')
  const service = await start(['--data', data])
  const browser = await launchBrowser()
  const site = await openApp(`http://footfall.test:${new URL(service.url).port}/tracker.js`)
  const context = await browser.newContext()
  const errors: string[] = []
  context.on('weberror', error => errors.push(String(error.error())))
  const report = (name: string): any => {
    const { status, stdout, stderr } = footfall(['report', name, '--json', '--data', data])
    assert.is(status, 0, stderr)
    return JSON.parse(stdout).data
  }
  const views = () =>
    report('pages')
      .map((row: any) => [row.page, row.title, row.views])
      .sort()
  const events = () =>
    report('events')
      .map((row: any) => [row.name, row.total])
      .sort()
  try {
    const page = await context.newPage()
    // The script cannot be had at first: what was called waits for it, and the next call of loadFootfall adds it again.
    await context.route('**/tracker.js', route => route.abort())
    await page.goto(site.url('/'))
    await until(async () => assert.is(await scripts(page), 0))
    await context.unroute('**/tracker.js')
    await page.click('#load')
    await until(() => assert.equal(views(), [['/', 'Home', 1]]))
    await page.click('#load')
    assert.is(await scripts(page), 1)

    await page.click('#prices')
    await until(() =>
      assert.equal(views(), [
        ['/', 'Home', 1],
        ['/prices', 'Prices', 1],
      ]),
    )
    await page.click('#signup')
    await until(() =>
      assert.equal(events(), [
        ['app_started', 1],
        ['signup', 1],
      ]),
    )
    assert.equal(
      report('events/signup')
        .properties.map(({ key, values }: any) => [key, values[0].value])
        .sort(),
      [
        ['plan', 'pro'],
        ['seats', '3'],
      ],
    )
    await page.waitForTimeout(1500)
    await hide(page, true)
    await until(() => assert.ok(report('summary').totals.total_duration >= 1))

    await page.click('#optout')
    await page.click('#signup')
    await page.reload()
    await page.waitForTimeout(1000)
    const { visitors, sessions } = report('summary').totals
    assert.equal(
      [visitors, sessions, views().length, events()],
      [
        1,
        1,
        2,
        [
          ['app_started', 1],
          ['signup', 1],
        ],
      ],
    )
    assert.equal(errors, [])
  } finally {
    await context.close()
    await browser.close()
    await site.close()
    service.process.kill('SIGTERM')
    await service.ended
  }
})

test.run()
