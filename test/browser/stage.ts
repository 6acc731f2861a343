// A stage for the tracker: a site, a collector on another host, and a page of a fresh browser context.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser } from './chromium.ts'
import { openCollector, type Collector, type Kind, type Sent } from './collector.ts'
import { html, openSite, type Site, type SitePage } from './site.ts'

export type Stage = {
  context: BrowserContext
  page: Page
  site: Site
  collector: Collector
  /** Opens a path of the site and gives the hit that follows. */
  visit: (path?: string) => Promise<Sent>
  /** Gives all records of a kind, once everything that the page has begun to send has arrived. */
  all: (kind: Kind) => Promise<Sent[]>
}

/** How a scenario departs from the usual site, whose pages /, /a and /b all carry the script. */
export type Setting = {
  /** Attributes of the script element. */
  attributes?: string
  /** What comes before the script, and what the page shows. */
  head?: string
  body?: string
  /** Pages of its own, made from the script element. */
  pages?: (tag: string) => Record<string, SitePage>
  /** The path of the script, and the way from there to the API. */
  script?: string
  api?: string
  /** How many errors the page is to report; none, as a rule. */
  errors?: number
}

/** The stub of docs/tracker.md, which keeps calls until the script is there. */
export const stub =
  '<script>window.footfall=window.footfall||function(){(footfall.q=footfall.q||[]).push(arguments)}</script>'

export const tagOf = (address: string, attributes = ''): string =>
  `<script defer src="${address}" ${attributes}></script>`

const usualPages =
  ({ head = '', body = '' }: Setting) =>
  (tag: string): Record<string, SitePage> => ({
    '/': html({ title: 'Home', head: head + tag, body }),
    '/a': html({ title: 'Page A', head: head + tag, body }),
    '/b': html({ title: 'Page B', head: head + tag, body }),
  })

const lastWord = 'last-word'

const visitor = { locale: 'de-AT', timezoneId: 'Europe/Vienna', screen: { width: 1600, height: 900 } }

/** Sets a stage, plays on it, and clears it away; a page that reports an error fails, and so does a CORS preflight. */
export const play = async (browser: Browser, setting: Setting, run: (stage: Stage) => Promise<void>): Promise<void> => {
  const collector = await openCollector(setting.script, setting.api)
  const tag = tagOf(collector.url(setting.script ?? '/tracker.js'), setting.attributes)
  const site = await openSite((setting.pages ?? usualPages(setting))(tag))
  const context = await browser.newContext(visitor)
  const errors: string[] = []
  context.on('weberror', error => errors.push(String(error.error())))
  try {
    const page = await context.newPage()
    const visit = async (path = '/'): Promise<Sent> => {
      await page.goto(site.url(path))
      return collector.next('hit')
    }
    // Records come in order: when the last word is there, so is all that went before.
    const all = async (kind: Kind): Promise<Sent[]> => {
      await page.evaluate(`footfall('${lastWord}')`)
      await collector.find('the last event of the page', ({ body }) => body.name === lastWord)
      return collector.received.filter(sent => sent.kind === kind && sent.body.name !== lastWord)
    }
    await run({ context, page, site, collector, visit, all })
    assert.is(errors.length, setting.errors ?? 0, errors.join('\n'))
    assert.is(collector.preflights(), 0, 'no request asks for permission first')
  } finally {
    await context.close()
    await Promise.all([site.close(), collector.close()])
  }
}

/** Gives a file of tests a browser that they share, and the way to write scenarios. */
export const stageFor = (
  test: Test,
): ((name: string, setting: Setting, run: (stage: Stage) => Promise<void>) => void) => {
  let browser: Promise<Browser>
  test.before(async () => {
    await (browser = launchBrowser())
  })
  test.after(async () => (await browser).close())
  return (name, setting, run) => test(name, async () => play(await browser, setting, run))
}

/** Gives a page that should say nothing the time to say it. */
export const settle = async (page: Page, collector: Collector): Promise<void> => {
  await page.evaluate(
    `new Promise(resolve => setTimeout(resolve, 150)).then(() => fetch('${collector.url('/quiet')}'))`,
  )
}

/** Hides a page or shows it again; a browser without a window never does so by itself, unless the page is left. */
export const hide = (page: Page, hidden: boolean): Promise<unknown> =>
  page.evaluate(`
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)

/** Lets the page's clock run, a second at a time, until something has happened. */
export const runUntil = async <T>(page: Page, event: Promise<T>): Promise<T> => {
  let over = false
  const settled = event
    .then(
      () => {},
      () => {},
    )
    .then(() => {
      over = true
    })
  while (!over) await page.clock.runFor(1000)
  await settled
  return event
}

export const idPattern = /^[A-Za-z0-9_-]{21}$/

export const bodies = (sent: Sent[]): Record<string, unknown>[] => sent.map(({ body }) => body)

/** Name and properties of events. */
export const told = (sent: Sent[]): unknown[] => sent.map(({ body }) => [body.name, body.properties])
