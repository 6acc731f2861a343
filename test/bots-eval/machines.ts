// Machines with agents of people: each is a way to visit a site.
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type BrowserContextOptions, chromium, devices } from 'playwright-core'
import { chromiumPath } from '../browser/chromium.ts'

/** How many pages are seen, and for how many seconds each. */
export type Stay = { pages: number; seconds: number }

/** Long enough for the hit of a page. */
const short: Stay = { pages: 1, seconds: 1 }

export type Machine = { name: string; visit: (url: string, stay?: Stay) => Promise<void> }

const run = promisify(execFile)
/** What its operator sees when it looks at its own version. */
const own = (await run(chromiumPath, ['--version'])).stdout.match(/(\d+)\./)?.[1] ?? ''
const agentOf = (place: string, version: string): string =>
  `Mozilla/5.0 (${place}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`
const linux = agentOf('X11; Linux x86_64', own)
const windows = agentOf('Windows NT 10.0; Win64; x64', own)
const mac = agentOf('Macintosh; Intel Mac OS X 10_15_7', own)
const older = agentOf('Windows NT 10.0; Win64; x64', '124')

const switches = ['--no-sandbox', '--disable-gpu', '--ignore-certificate-errors', '--no-proxy-server']

/** Sees pages of a site, one after the other. */
const walk = async (url: string, { pages, seconds }: Stay, open: (page: string) => Promise<unknown>): Promise<void> => {
  for (let page = 0; page < pages; page += 1) {
    await open(`${url}/${page}`)
    await sleep(seconds * 1000)
  }
}

/** Chromium in its new headless mode. */
const withPlaywright = async (
  url: string,
  stay: Stay,
  options: BrowserContextOptions,
  args: readonly string[] = [],
) => {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: [...switches, ...args] })
  try {
    const page = await (await browser.newContext({ ...options, ignoreHTTPSErrors: true })).newPage()
    await walk(url, stay, address => page.goto(address))
  } finally {
    await browser.close()
  }
}

type Page = {
  goto: (url: string) => Promise<unknown>
  setUserAgent: (agent: string | object) => Promise<void>
  setViewport: (size: { width: number; height: number }) => Promise<void>
  emulate: (device: unknown) => Promise<void>
  setExtraHTTPHeaders: (headers: Record<string, string>) => Promise<void>
}
type Launch = (options: object) => Promise<{ newPage: () => Promise<Page>; close: () => Promise<void> }>
type Puppeteer = { launch: Launch; KnownDevices: Record<string, unknown> }
type Extra = { addExtra: (puppeteer: unknown) => { launch: Launch; use: (plugin: unknown) => void } }

/** @param tools the folder where Puppeteer is */
const createPuppeteer = async (tools: string) => {
  const find = createRequire(join(tools, 'package.json'))
  const { default: puppeteer, KnownDevices }: { default: Puppeteer; KnownDevices: Puppeteer['KnownDevices'] } =
    await import(find.resolve('puppeteer-core'))
  const { addExtra }: Extra = find('puppeteer-extra')
  const stealthy = addExtra(puppeteer)
  stealthy.use(find('puppeteer-extra-plugin-stealth')())

  const visitBy = async (
    { launch }: { launch: Launch },
    url: string,
    stay: Stay,
    prepare: (page: Page) => Promise<void>,
    args: readonly string[] = [],
  ): Promise<void> => {
    const browser = await launch({ executablePath: chromiumPath, headless: true, args: [...switches, ...args] })
    try {
      const page = await browser.newPage()
      await prepare(page)
      await walk(url, stay, address => page.goto(address))
    } finally {
      await browser.close()
    }
  }
  const plain = { launch: (options: object) => puppeteer.launch(options) }
  const stealth = { launch: (options: object) => stealthy.launch(options) }
  return { plain, stealth, visitBy, KnownDevices }
}

const curl = (url: string, stay: Stay, headers: Readonly<Record<string, string>>, language = 'en-US') =>
  walk(url, stay, page_url =>
    run('curl', [
      '--insecure',
      '--silent',
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      '-H',
      'content-type: text/plain',
      '--data',
      JSON.stringify({ page_url, screen_width: 1920, screen_height: 1080, language }),
      `${new URL(url).origin}/analytics/v1/hit`,
    ]),
  )

const accepted = { 'accept-language': 'en-US,en;q=0.9' }
const brands = {
  'sec-ch-ua': `"Google Chrome";v="${own}", "Chromium";v="${own}", "Not_A Brand";v="24"`,
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
}
const opening = {
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'sec-fetch-dest': 'document',
}
const fetched = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }

export const createMachines = async (tools: string): Promise<Machine[]> => {
  const { plain, stealth, visitBy, KnownDevices } = await createPuppeteer(tools)
  const nothing = async (): Promise<void> => {}
  const byPlaywright = (name: string, options: BrowserContextOptions, args?: readonly string[]): Machine => ({
    name: `Playwright, ${name}`,
    visit: (url, stay = short) => withPlaywright(url, stay, options, args),
  })
  const byPuppeteer = (name: string, prepare: (page: Page) => Promise<void>, args?: readonly string[]): Machine => ({
    name: `Puppeteer, ${name}`,
    visit: (url, stay = short) => visitBy(plain, url, stay, prepare, args),
  })
  const byStealth = (name: string, prepare: (page: Page) => Promise<void>, args?: readonly string[]): Machine => ({
    name: `Puppeteer with stealth, ${name}`,
    visit: (url, stay = short) => visitBy(stealth, url, stay, prepare, args),
  })
  const byCurl = (name: string, headers: Record<string, string>): Machine => ({
    name: `curl with ${name}`,
    visit: (url, stay = short) => curl(url, stay, { origin: new URL(url).origin, 'user-agent': windows, ...headers }),
  })
  return [
    byPlaywright('its own agent', {}),
    byPlaywright('agent of its own system', { userAgent: linux }),
    byPlaywright('agent of Windows', { userAgent: windows }),
    byPlaywright('agent of a Mac', { userAgent: mac }),
    byPlaywright('agent of an older Chrome', { userAgent: older }),
    byPlaywright('agent and language of Windows', { userAgent: windows, locale: 'de-DE' }),
    byPlaywright('Desktop Chrome', devices['Desktop Chrome'] ?? {}),
    byPlaywright('Pixel 7', devices['Pixel 7'] ?? {}),
    byPlaywright('iPhone 15', devices['iPhone 15'] ?? {}),
    byPlaywright('switch of its own system', { viewport: null }, [`--user-agent=${linux}`]),
    byPlaywright('switch of Windows', { viewport: null }, [`--user-agent=${windows}`]),
    byPlaywright('switch of Windows and a window', { viewport: null }, [
      `--user-agent=${windows}`,
      '--window-size=1920,1080',
    ]),
    byPuppeteer('its own agent', nothing),
    byPuppeteer('agent of its own system', page => page.setUserAgent(linux)),
    byPuppeteer('agent of Windows', page => page.setUserAgent(windows)),
    byPuppeteer('agent of an older Chrome', page => page.setUserAgent(older)),
    byPuppeteer('Pixel 5', page => page.emulate(KnownDevices['Pixel 5'])),
    byPuppeteer('iPhone 15', page => page.emulate(KnownDevices['iPhone 15'])),
    byPuppeteer('switch of Windows', nothing, [`--user-agent=${windows}`]),
    byStealth('as it is', nothing),
    byStealth('large window', page => page.setViewport({ width: 1920, height: 1080 }), ['--window-size=1920,1080']),
    byStealth('header of another language', page => page.setExtraHTTPHeaders({ 'accept-language': 'de-DE,de;q=0.9' })),
    byStealth('started in another language', nothing, ['--lang=de-DE']),
    byCurl('an agent alone', {}),
    byCurl('agent and language', accepted),
    byCurl('headers of opening a page', { ...accepted, ...brands, ...opening }),
    byCurl('all headers of a hit', { ...accepted, ...brands, ...fetched }),
  ]
}
