// Logging in to a WordPress, and its page with the dashboard, for the tests of this folder.

import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { WordPress } from '../support/wordpress.ts'

/** Logs in as a browser does; the cookies with the nonce that pages of wp-admin ask for. */
export const cookieOf = async ({ url }: WordPress, login: string): Promise<Record<string, string>> => {
  const answer = await fetch(`${url}/wp-login.php`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ log: login, pwd: 'secret', testcookie: '1' }),
    headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
  })
  const cookie = answer.headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')
  const nonce = await (await fetch(`${url}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers: { cookie } })).text()
  return { cookie, 'x-wp-nonce': nonce }
}

/** By the request of the form: in the browser, the form's own script moves the focus while the fields are filled. */
export const logIn = async (page: Page, url: string, login: string): Promise<void> => {
  const form = `${url}/wp-login.php`
  // Sets the cookie by which WordPress sees that the browser takes cookies.
  await page.request.get(form)
  const answer = await page.request.post(form, {
    form: { log: login, pwd: 'secret', testcookie: '1' },
    maxRedirects: 0,
  })
  assert.is(answer.status(), 302)
  await page.goto(`${url}/wp-admin/`)
}

/** Opens the dashboard as a user; collects what should not be there. */
export const openDashboard = async (browser: Browser, url: string, login = 'admin') => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ignoreHTTPSErrors: true })
  const page = await context.newPage()
  const problems: string[] = []
  const hosts = new Set<string>()
  const posts: string[] = []
  await logIn(page, url, login)
  page.on('request', request => {
    if (!/^(data|blob):/.test(request.url())) hosts.add(new URL(request.url()).host)
    if (request.url().includes('rest_route')) posts.push(decodeURIComponent(new URL(request.url()).search))
  })
  page.on('console', message => {
    // What was not found is reported below, with its address.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) problems.push(message.text())
  })
  page.on('pageerror', error => problems.push(error.message))
  page.on('response', response => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(`${url}/wp-admin/admin.php?page=footfall`)
  const frame = page.frameLocator('#footfall-frame')
  return { context, page, frame, problems, hosts, posts }
}
