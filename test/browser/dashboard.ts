// The dashboard of the built program in a browser, with test data, a login, and a record of all errors.
import { writeFileSync } from 'node:fs'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import * as assert from 'uvu/assert'
import { footfall, type Running, start, temporaryFolder } from '../support/program.ts'
import { until } from '../support/wait.ts'
import { launchBrowser } from './chromium.ts'
import { midday } from './midday.ts'

export const password = 'a password for looking'

export type DashboardPage = {
  page: Page
  /** Console errors (including CSP violations), uncaught errors, failed responses, and requests to other hosts. */
  problems: string[]
  /** The visible texts of all elements that match a selector, once the page has settled. */
  texts: (selector: string) => Promise<string[]>
  until: typeof until
  close: () => Promise<void>
}

export type DashboardServer = {
  url: string
  running: Running
  browser: Browser
  /** The `data` of a report. */
  api: (path: string) => Promise<any>
  /** The whole JSON of a resource. */
  resource: (path: string) => Promise<any>
  send: (path: string, body: unknown) => Promise<Response>
  /** Deletes a resource; returns the status. */
  remove: (path: string) => Promise<number>
  hit: (body: Record<string, unknown>, address?: string) => Promise<void>
  /** Opens a page in a new context, logged in as `login` (an administrator) unless `loggedOut`. */
  open: (
    query?: string,
    options?: BrowserContextOptions & { loggedOut?: boolean; login?: string },
  ) => Promise<DashboardPage>
  close: () => Promise<void>
}

/** The requests to the service that a page waits for: for figures, and for the scripts of views. */
const awaited = new WeakMap<Page, Set<Request>>()

const watch = (page: Page, url: string): string[] => {
  const problems: string[] = []
  const open = new Set<Request>()
  awaited.set(page, open)
  page.on('request', request => {
    if (new URL(request.url()).origin === url) open.add(request)
  })
  page.on('requestfinished', request => open.delete(request))
  page.on('requestfailed', request => open.delete(request))
  page.on('console', message => {
    // Chromium logs every failed response; the `response` handler below reports those.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => problems.push(`thrown: ${error.message}`))
  page.on('request', request => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== url)
      problems.push(`request to ${request.url()}`)
  })
  page.on('response', response => {
    const { pathname } = new URL(response.url())
    // Without a session, /session fails as expected.
    if (response.status() >= 400 && !pathname.endsWith('/session'))
      problems.push(`${response.status()} from ${pathname}`)
  })
  return problems
}

/**
 * Waits until the page shows what it has asked the service for. Before that, a text that is read once may be that of a moment
 * before, and what comes may move a tab or a row away between the press of the mouse's button and its release, so that nothing
 * is clicked.
 */
export const settle = (page: Page): Promise<void> =>
  until(async () => {
    const waitsFor = (): string[] => [...(awaited.get(page) ?? [])].map(request => request.url())
    assert.equal(waitsFor(), [])
    // What has come is drawn, and what that asks for has begun.
    await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn))))
    assert.equal(waitsFor(), [])
    assert.is(await page.locator('.loading').count(), 0, 'something loads')
  })

/** Milliseconds: each answer of the API is held back for a random time up to this, to find tests that need a quick one. */
const slowAnswers = Number(process.env.SLOW_ANSWERS ?? 0)
const holdBack = (context: BrowserContext): Promise<unknown> =>
  context.route('**/analytics/v1/**', async route => {
    await new Promise(resolve => setTimeout(resolve, Math.random() * slowAnswers))
    // The page may have left or closed meanwhile.
    await route.continue().catch(() => undefined)
  })

const logIn = async (page: Page, login: string) => {
  await page.fill('[name=login]', login)
  await page.fill('[name=password]', password)
  await page.click('button[type=submit]')
  await page.waitForSelector('header.top')
  return { ...(await page.context().storageState()), origins: [] }
}

/** Starts the program on a database with these recorded requests (NDJSON), and a browser. */
export const startDashboard = async (
  lines = '',
  flags: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<DashboardServer> => {
  const folder = temporaryFolder()
  const data = folder.path('test.db')
  if (lines !== '') {
    writeFileSync(folder.path('lines.ndjson'), lines)
    const { status, stderr } = footfall(
      ['import', folder.path('lines.ndjson'), '--format', 'requests', '--data', data, ...flags],
      { env: midday },
    )
    assert.is(status, 0, stderr)
  }
  const running = await start(['--data', data, ...flags], {
    env: { ...midday, FOOTFALL_ADMIN_PASSWORD: password, ...env },
  })
  const key = footfall(['app-password', 'create', 'admin', '--name', 'test', '--data', data], { env: midday })
    .stdout.trim()
    .split('\n')
    .at(-1)
  const browser = await launchBrowser()
  const { url } = running
  const authorization = `Basic ${btoa(`admin:${key}`)}`
  const resource = async (path: string): Promise<any> => {
    const answer = await fetch(`${url}/analytics/v1${path}`, { headers: { authorization } })
    assert.is(answer.status, 200, `${path}: ${await answer.clone().text()}`)
    return answer.json()
  }

  /** Cookies of a user who has logged in. */
  const states = new Map<string, Awaited<ReturnType<typeof logIn>>>()

  return {
    url,
    running,
    browser,
    api: async path => (await resource(path)).data,
    resource,
    send: (path, body) =>
      fetch(`${url}/analytics/v1${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization, 'content-type': 'application/json' },
      }),
    remove: async path =>
      (await fetch(`${url}/analytics/v1${path}`, { method: 'DELETE', headers: { authorization } })).status,
    hit: async (body, address = '203.0.113.7') => {
      const answer = await fetch(`${url}/analytics/v1/hit`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          'x-forwarded-for': address,
        },
      })
      assert.is(answer.status, 204)
    },
    open: async (query = '', { loggedOut = false, login = 'admin', ...options } = {}) => {
      const state = states.get(login)
      const context = await browser.newContext({
        ...(state !== undefined && !loggedOut && { storageState: state }),
        locale: 'en-GB',
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
        ...options,
      })
      if (slowAnswers > 0) await holdBack(context)
      const page = await context.newPage()
      const problems = watch(page, url)
      await page.goto(`${url}/${query}`)
      if (!loggedOut) {
        await page.waitForSelector('header.top, [name=login]')
        // The first time, and if a test has ended that session.
        if (await page.isVisible('[name=login]')) states.set(login, await logIn(page, login))
      }
      return {
        page,
        problems,
        until,
        texts: async selector => {
          await settle(page)
          return (await page.locator(selector).allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim())
        },
        close: () => context.close(),
      }
    },
    close: async () => {
      await browser.close()
      running.process.kill('SIGKILL')
      await running.ended
      folder.remove()
    },
  }
}
