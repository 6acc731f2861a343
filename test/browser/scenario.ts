// Tracker scenarios: a site, a collector on another host, and a page in a new browser context.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser } from './chromium.ts'
import { type Collector, type Kind, openCollector, type Sent } from './collector.ts'
import { html, openSite, type Site, type SitePage } from './site.ts'

export type Scenario = {
  context: BrowserContext
  page: Page
  site: Site
  collector: Collector
  /** Opens a path of the site and resolves with its hit. */
  visit: (path?: string) => Promise<Sent>
  /** Resolves with all records of a kind once everything the page has sent so far has arrived. */
  all: (kind: Kind) => Promise<Sent[]>
}

/** Overrides of the default site, whose pages /, /a and /b include the script. */
export type ScenarioOptions = {
  /** Attributes of the script element. */
  attributes?: string
  /** HTML in front of the script, and the body of the page. */
  head?: string
  body?: string
  /** Replaces the default pages; receives the script element. */
  pages?: (tag: string) => Record<string, SitePage>
  /** The path of the script, and the path of the API relative to it. */
  script?: string
  api?: string
  /** The names of `--keep-query`. */
  keep?: readonly string[]
  /** The expected number of page errors. Default: 0. */
  errors?: number
}

/** The stub of docs/tracker.md, which queues calls until the script has loaded. */
export const stub =
  '<script>window.footfall=window.footfall||function(){(footfall.q=footfall.q||[]).push(arguments)}</script>'

export const tagOf = (address: string, attributes = ''): string =>
  `<script defer src="${address}" ${attributes}></script>`

/** What has been sent so far by a page whose tracker sends no events: the page sends one by itself. */
export const sentBy = async (page: Page, collector: Collector): Promise<Sent[]> => {
  await page.evaluate(`(async () => {
    await new Promise(done => setTimeout(done, 500))
    await fetch('${collector.url('/analytics/v1/event')}', { method: 'POST', body: '{"name":"last"}' })
  })()`)
  return collector.received.filter(({ body }) => body.name !== 'last')
}

const defaultPages =
  ({ head = '', body = '' }: ScenarioOptions) =>
  (tag: string): Record<string, SitePage> => ({
    '/': html({ title: 'Home', head: head + tag, body }),
    '/a': html({ title: 'Page A', head: head + tag, body }),
    '/b': html({ title: 'Page B', head: head + tag, body }),
  })

const sentinel = 'sentinel'

const visitor = { locale: 'de-AT', timezoneId: 'Europe/Vienna', screen: { width: 1600, height: 900 } }

/** Runs a scenario with its own site and collector. Fails on unexpected page errors and on any CORS preflight. */
export const runScenario = async (
  browser: Browser,
  options: ScenarioOptions,
  run: (scenario: Scenario) => Promise<void>,
): Promise<void> => {
  const collector = await openCollector(options.script, options.api, options.keep)
  const tag = tagOf(collector.url(options.script ?? '/tracker.js'), options.attributes)
  const site = await openSite((options.pages ?? defaultPages(options))(tag))
  const context = await browser.newContext(visitor)
  const errors: string[] = []
  context.on('weberror', error => errors.push(String(error.error())))
  try {
    const page = await context.newPage()
    const visit = async (path = '/'): Promise<Sent> => {
      await page.goto(site.url(path))
      return collector.next('hit')
    }
    // Records arrive in order: once the sentinel has arrived, so have all earlier ones.
    const all = async (kind: Kind): Promise<Sent[]> => {
      await page.evaluate(`footfall('${sentinel}')`)
      await collector.find('the sentinel event', ({ body }) => body.name === sentinel)
      return collector.received.filter(sent => sent.kind === kind && sent.body.name !== sentinel)
    }
    await run({ context, page, site, collector, visit, all })
    assert.is(errors.length, options.errors ?? 0, errors.join('\n'))
    assert.is(collector.preflights(), 0, 'no CORS preflight')
  } finally {
    await context.close()
    await Promise.all([site.close(), collector.close()])
  }
}

/** Starts one browser for a test file. Returns a function that registers a scenario as a test. */
export const scenariosFor = (
  test: Test,
): ((name: string, options: ScenarioOptions, run: (scenario: Scenario) => Promise<void>) => void) => {
  let browser: Promise<Browser>
  test.before(async () => {
    await (browser = launchBrowser())
  })
  test.after(async () => (await browser).close())
  return (name, options, run) => test(name, async () => runScenario(await browser, options, run))
}

/** Waits long enough for a page to send records that it should not send. */
export const settle = async (page: Page, collector: Collector): Promise<void> => {
  await page.evaluate(
    `new Promise(resolve => setTimeout(resolve, 150)).then(() => fetch('${collector.url('/quiet')}'))`,
  )
}

/** Hides or shows a page. A headless browser changes visibility only when the page is left. */
export const hide = (page: Page, hidden: boolean): Promise<unknown> =>
  page.evaluate(`
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)

/** Advances the page's clock, a second at a time, until a promise settles. */
export const runUntil = async <T>(page: Page, event: Promise<T>): Promise<T> => {
  let isSettled = false
  const settled = event
    .then(
      () => {},
      () => {},
    )
    .then(() => {
      isSettled = true
    })
  while (!isSettled) await page.clock.runFor(1000)
  await settled
  return event
}

export const idPattern = /^[A-Za-z0-9_-]{21}$/

export const bodies = (sent: Sent[]): Record<string, unknown>[] => sent.map(({ body }) => body)

/** Name and properties of events. */
export const namesAndProperties = (sent: Sent[]): unknown[] => sent.map(({ body }) => [body.name, body.properties])
