// What administrators do at the dashboard for others: users, application passwords, shared links; and what a link
// shows.
import { SignJWT } from 'jose'
import type { Route } from 'playwright-core'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { type DashboardServer, password, startDashboard } from './dashboard.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

const secret = 'a-secret-that-the-host-platform-shares'
let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard(visitsUntil(Date.now(), 12, 10), [], { FOOTFALL_JWT_SECRET: secret })
})
test.after(() => dashboard.close())

const basic = (login: string, secret: string): RequestInit => ({
  headers: { authorization: `Basic ${btoa(`${login}:${secret}`)}` },
})
const statusOf = async (init: RequestInit): Promise<number> =>
  (await fetch(`${dashboard.url}/analytics/v1/pages`, init)).status

/** What was under way with the session of the old password is asked again. */
const withoutOldSession = (problems: readonly string[]): string[] =>
  problems.filter(problem => !/^40[13] from .analytics.v1.realtime$/.test(problem))

test('a user is added, gets a password for a program that works until it is revoked, and is removed', async () => {
  const { page, problems, until, close } = await dashboard.open('?view=settings&settings_tab=access')
  const add = page.locator('form', { hasText: 'Add a user' })
  await add.getByLabel('Login').fill('ada')
  await add.getByRole('button', { name: 'Add' }).click()
  const made = await add.locator('.secret pre').innerText()
  assert.ok(made.length >= 24, 'without a password one is made up and shown')
  await page.click('.user:has-text("ada") > summary')
  const ada = page.locator('.user:has-text("ada")')
  await ada.getByLabel('Name').fill('reports')
  await ada.getByRole('button', { name: 'Create' }).click()
  const secret = await ada.locator('.secret pre').innerText()
  assert.is(await statusOf(basic('ada', secret)), 200)
  await ada.getByRole('button', { name: /Revoke.*reports/ }).click()
  assert.is(await statusOf(basic('ada', secret)), 200, 'one click is not enough')
  await page.keyboard.press('Tab')
  await ada.getByRole('button', { name: /Revoke.*reports/ }).click()
  await ada.getByRole('button', { name: /Sure.*reports/ }).click()
  await until(async () => assert.is(await statusOf(basic('ada', secret)), 401))
  await ada.locator('tbody tr').waitFor({ state: 'detached' })
  await ada.getByRole('button', { name: /Remove.*ada/ }).click()
  await ada.getByRole('button', { name: /Sure.*ada/ }).click()
  await until(async () => assert.is(await page.locator('.user').count(), 1))
  // What proved who she is does not come back.
  const access = page.locator('section[aria-labelledby=access]')
  await access.getByText(/“ada” was removed\. .*new password/).waitFor()
  await access.getByRole('button', { name: 'Undo' }).click()
  await ada.waitFor()
  await until(async () => {
    const shown = await access.locator('.secret pre').allInnerTexts()
    assert.ok(shown.length > 0 && !(shown.at(0) === made && shown.length === 1))
  })
  const [again] = (await dashboard.resource('/users')).filter(({ login }: any) => login === 'ada')
  assert.is(again.role, 'viewer', 'the form begins with it')
  assert.is(await dashboard.remove(`/users/${again.id}`), 200)
  assert.equal(problems, [])
  await close()
})

test('an application password is for what was ticked, until the day that was chosen, within the filters', async () => {
  const { page, problems, texts, until, close } = await dashboard.open(
    '?view=settings&settings_tab=access&device=mobile',
  )
  await page.click('.user:has-text("you") > summary')
  const own = page.locator('.user:has-text("you")')
  const create = async (name: string): Promise<string> => {
    await own.getByLabel('Name').fill(name)
    await own.getByRole('button', { name: 'Create' }).click()
    await until(async () => assert.match(await own.locator('.secret').innerText(), new RegExp(name)))
    return own.locator('.secret pre').innerText()
  }
  await own.getByLabel('Always apply these filters: Device is Phone').check()
  const agency = await create('agency')
  const pages = await fetch(`${dashboard.url}/analytics/v1/realtime`, basic('admin', agency))
  assert.is(pages.status, 403, 'it is held to the filters')
  assert.is(await statusOf(basic('admin', agency)), 200)

  await own.getByLabel('read reports, revenue and answers').uncheck()
  assert.ok(await own.getByRole('button', { name: 'Create' }).isDisabled(), 'a password for nothing')
  await own.getByLabel('read the metrics of the service').check()
  await own.getByLabel('Expires').selectOption('in 90 days')
  const metrics = await create('Prometheus')
  assert.is((await fetch(`${dashboard.url}/metrics`, basic('admin', metrics))).status, 200)
  assert.is(await statusOf(basic('admin', metrics)), 403)

  await own.getByLabel('do everything the user may do').check()
  assert.ok(await own.getByLabel('send orders', { exact: true }).isDisabled())
  await create('everything')
  await until(async () => assert.is((await texts('.user[open] tbody tr')).length, 4))
  const rows = (await texts('.user[open] tbody tr')).join('\n')
  assert.match(rows, /agency\s+read reports, revenue and answers; Device is Phone\s+never/)
  assert.match(rows, /Prometheus\s+read the metrics of the service \(Prometheus\)\s+\d+ \w+ \d{4}/)
  assert.match(rows, /everything\s+do everything the user may do\s+never/)
  assert.equal(problems, [])
  await close()
})

test('who changes their own password stays logged in, and must know the old one', async () => {
  const { page, problems, until, close } = await dashboard.open('?view=settings&settings_tab=access')
  await page.click('.user:has-text("you") > summary')
  const change = async (current: string, next: string): Promise<void> => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password').fill(next)
    await page
      .locator('form', { has: page.getByLabel('New password') })
      .getByRole('button', { name: 'Save' })
      .click()
  }
  // An answer of before the change comes after it, with the nonce of the session that the change ends.
  let release = (): void => {}
  const isChanged = new Promise<void>(resolve => {
    release = resolve
  })
  const delay = async (route: Route): Promise<void> => {
    const response = await route.fetch()
    await isChanged
    await route.fulfill({ response })
  }
  await page.route('**/realtime*', delay, { times: 1 })
  await page.waitForRequest('**/realtime*')
  await change('not this one', 'quite another one')
  await until(async () => assert.match(await page.innerText('.user [role=alert]'), /current password is incorrect/i))
  assert.equal(problems.splice(0), ['403 from /analytics/v1/users/1'])
  const changed = async (): Promise<void> => {
    // The fields are emptied when it is done; the message of the change before may still be on the page.
    await until(async () => assert.is(await page.getByLabel('New password').inputValue(), ''))
    await page.waitForSelector('text=Password changed.')
  }
  await change(password, 'quite another one')
  await changed()
  const late = page.waitForResponse('**/realtime*')
  release()
  assert.is((await late).status(), 200)
  await change('quite another one', password)
  await changed()
  await page.click('nav >> text=Overview')
  await page.waitForSelector('.kpi')
  assert.equal(withoutOldSession(problems), [])
  await close()
})

test('the warning of the printed password leads to the form that changes it, and the audit does not fail for it', async () => {
  const first = await startDashboard('', ['--site-url', 'https://site.example'], { FOOTFALL_ADMIN_PASSWORD: '' })
  try {
    const { page, problems, until, close } = await first.open('?view=system', { loggedOut: true })
    const printed = /[A-Za-z0-9]{24}/.exec(first.running.output.stdout)?.[0] ?? ''
    await page.getByLabel('Login').fill('admin')
    await page.getByLabel('Password').fill(printed)
    await page.click('button[type=submit]')
    await page.getByText('still has the password that the first start printed').waitFor()
    await page.getByRole('button', { name: 'Run audit' }).click()
    await page.getByText(/^Score: |\bof 100\b/).waitFor()
    assert.is(await page.locator('section[aria-labelledby=audit] .check.fail').count(), 0)
    assert.is(await page.locator('section[aria-labelledby=audit] .check.warning a').count(), 1)
    await page.locator('section[aria-labelledby=diagnostics]').getByText('Change the password here').click()
    await page.getByLabel('Current password').fill(printed)
    await page.getByLabel('New password').fill(password)
    await page
      .locator('form', { has: page.getByLabel('New password') })
      .getByRole('button', { name: 'Save' })
      .click()
    await page.getByText('Password changed.').waitFor()
    await page.click('nav >> text=System')
    await page.locator('section[aria-labelledby=diagnostics]').waitFor()
    await until(async () => assert.is(await page.getByText('still has the password').count(), 0))
    assert.equal(withoutOldSession(problems), [])
    await close()
  } finally {
    await first.close()
  }
})

test('a link shares what is filtered, with its password, and nothing else', async () => {
  const { page, problems, texts, until, close } = await dashboard.open('?device=mobile')
  await page.waitForSelector('.pill')
  await page.click('nav >> text=Settings')
  await page.click('nav >> text=Access')
  const shares = page.locator('section', { hasText: 'Shared links' })
  await shares.getByLabel('Name').fill('For the board')
  await shares.getByLabel('Password (optional)').fill('between us only')
  const year = new Date().getUTCFullYear() + 1
  await shares.getByLabel('Expires on (optional)').fill(`${year}-06-30`)
  assert.match(await shares.innerText(), /Always apply these filters: Device is Phone/)
  await shares.getByRole('button', { name: 'Create' }).click()
  const link = await shares.locator('.secret pre').innerText()
  assert.ok(link.startsWith(`${dashboard.url}/#share=`))
  await until(async () =>
    assert.match(
      (await texts('.links li')).join(),
      new RegExp(`For the board Device is Phone · password-protected · .* · until 30 Jun ${year}`),
    ),
  )
  await page.reload()
  await shares.getByRole('button', { name: /Show link.*board/ }).click()
  assert.is(await shares.locator('.secret pre').innerText(), link, 'it is shown again')
  // It says so for two seconds only.
  const copied = shares.getByRole('button', { name: /Copied.*board/ }).waitFor()
  await Promise.all([copied, shares.getByRole('button', { name: /Copy link.*board/ }).click()])
  assert.equal(problems, [])

  const guest = await dashboard.open(link.slice(dashboard.url.length + 1), { loggedOut: true })
  await guest.page.waitForSelector('text=This link is protected by a password.')
  await guest.page.fill('[name=password]', 'between us only')
  await guest.page.click('button[type=submit]')
  await guest.page.waitForSelector('.pill.fixed')
  const day = new Date().toISOString().slice(0, 10)
  const from = new Date(Date.now() - 27 * 86_400_000).toISOString().slice(0, 10)
  const { totals } = await dashboard.api(`/summary?from=${from}&to=${day}&device=mobile`)
  await guest.until(async () =>
    assert.equal(
      (await guest.texts('.kpi-value')).slice(1, 3),
      [totals.sessions, totals.views].map((value: number) => value.toLocaleString('en-GB')),
    ),
  )
  assert.equal(await guest.texts('nav a'), ['Overview'])
  assert.match((await guest.texts('.top')).join(), /hearth\.example.*Read only/)
  assert.is(await guest.page.title(), 'Overview · hearth.example · Footfall')
  assert.is(
    await guest.page.locator('[aria-labelledby=panel-devices] button.row-name').count(),
    0,
    'the fixed filter cannot be left',
  )
  await guest.page.click('[aria-labelledby=panel-pages] tbody button >> nth=0')
  await guest.page.waitForSelector('.pill:not(.fixed)')
  assert.ok(guest.page.url().includes('#share='), 'the link stays in the address')
  await guest.page.goto(`${dashboard.url}/?view=settings&device=desktop${link.slice(dashboard.url.length + 1)}`)
  await guest.page.fill('[name=password]', 'between us only')
  await guest.page.click('button[type=submit]')
  await guest.page.waitForSelector('text=This link does not allow these filters of the address: Device.')
  assert.equal(await guest.texts('.pill'), ['Device is Phone'])
  assert.equal(
    guest.problems.filter(problem => !problem.endsWith('/share-links/open')),
    [],
  )

  await shares.getByRole('button', { name: /Revoke.*board/ }).click()
  await shares.getByRole('button', { name: /Sure/ }).click()
  await page.waitForSelector('.links li', { state: 'detached' })
  await guest.page.reload()
  await guest.page.waitForSelector('text=This link is invalid, has expired or has been revoked.')
  await guest.close()
  await close()
})

test('filters are saved as a segment, shown by a link under its name, replaced, and removed once no link shows it', async () => {
  const { page, problems, texts, until, close } = await dashboard.open('?device=mobile&country=DE')
  const pills = async (): Promise<string> => (await texts('.pill')).join(' ')
  const save = async (name: string, button: string): Promise<void> => {
    await page.click('#save-filters')
    await page.getByLabel('Name of the segment').fill(name)
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.waitForSelector(`.pill:has-text("Segment ${name}")`)
    await page.waitForSelector('#pill-segment:focus')
  }
  await save('German phones', 'Save')
  assert.match(page.url(), /\?segment=1$/)
  assert.is(await page.locator('#save-filters').count(), 0, 'it is saved')
  await page.click('.pill-text')
  await until(async () => assert.is(await pills(), 'Country is Germany ✕ Device is Phone ✕'))
  await page.click('.pill-remove >> nth=0')
  await page.click('#save-filters')
  await page.getByLabel('Name of the segment').fill('german PHONES')
  await page.waitForSelector('text=Replaces the segment “German phones”: Country is Germany; Device is Phone.')
  await page.keyboard.press('Escape')
  await save('German phones', 'Replace')
  assert.equal((await dashboard.resource('/segments/1')).filters, { device: 'mobile' })

  await page.goto(`${dashboard.url}/?view=settings&settings_tab=access&segment=1`)
  const shares = page.locator('section[aria-labelledby=shares]')
  await shares.getByLabel('Name').fill('Phones only')
  await shares.getByText('Always apply these filters: Segment German phones').waitFor()
  await shares.getByRole('button', { name: 'Create' }).click()
  const link = await shares.locator('.secret pre').innerText()
  const guest = await dashboard.open(link.slice(dashboard.url.length + 1), { loggedOut: true })
  await guest.page.waitForSelector('.pill.fixed')
  assert.equal(await guest.texts('.pill'), ['Segment German phones'])
  assert.match((await guest.page.getAttribute('.pill', 'title')) ?? '', /Device is Phone$/)
  await guest.page.click('#add-filter')
  await guest.page.getByLabel('Field').waitFor()
  assert.is(await guest.page.locator('.saved-segments').count(), 0, 'a link chooses no other segment')
  assert.equal(guest.problems, [])
  await guest.close()

  const segments = page.locator('section[aria-labelledby=segments]')
  await page.click('nav >> text=Goals and segments')
  const remove = async (): Promise<void> => {
    await segments.getByRole('button', { name: /Remove.*phones/ }).click()
    await segments.getByRole('button', { name: /Sure.*phones/ }).click()
  }
  await remove()
  await segments.getByText('“Phones only” uses this segment. Remove it there first.').waitFor()
  assert.equal(problems.splice(0), ['409 from /analytics/v1/segments/1'])
  await page.click('nav >> text=Access')
  await shares.getByRole('button', { name: /Revoke.*Phones/ }).click()
  await shares.getByRole('button', { name: /Sure.*Phones/ }).click()
  await until(async () => assert.equal(await dashboard.resource('/share-links'), []))
  await page.click('nav >> text=Goals and segments')
  await remove()
  await until(async () => assert.equal(await dashboard.resource('/segments'), []))
  await until(async () => assert.not.match(page.url(), /segment/))
  await segments.getByText(/“.*phones” was removed\./i).waitFor()
  await segments.getByRole('button', { name: 'Undo' }).click()
  await segments.getByText(/“.*phones” is back\./i).waitFor()
  const [again] = await dashboard.resource('/segments')
  assert.equal(again.filters, { device: 'mobile' })
  assert.is(await dashboard.remove(`/segments/${again.id}`), 200)
  assert.equal(problems, [])
  await close()
})

test('a link may have a public number and a frame, and the form says what to paste', async () => {
  const { page, problems, close } = await dashboard.open('?view=settings&settings_tab=access')
  const shares = page.locator('section[aria-labelledby=shares]')
  await shares.getByLabel('Name').fill('Elsewhere')
  await shares.getByText('On your own pages').click()
  await shares.getByLabel('A number that everybody may read').selectOption({ label: 'Page views' })
  await shares.getByLabel('Addresses whose pages may show it').fill('https://www.example.org')
  await shares.getByRole('button', { name: 'Create' }).click()
  await shares.getByText('The dashboard in a frame, for the pages of https://www.example.org:').waitFor()
  const [link = '', badge = '', frame = ''] = await shares.locator('.secret pre').allInnerTexts()
  const [, image = ''] = /^<img alt="Page views" src="([^"]+)">$/.exec(badge) ?? []
  const shown = await fetch(image)
  assert.equal([shown.status, shown.headers.get('content-type')], [200, 'image/svg+xml; charset=UTF-8'])
  const [, framed = ''] = /^<iframe src="([^"]+)"/.exec(frame) ?? []
  const policy = (await fetch(framed)).headers.get('content-security-policy') ?? ''
  assert.match(policy, /frame-ancestors https:\/\/www\.example\.org/)
  assert.is(new URL(framed).hash, new URL(link).hash)
  await shares.getByRole('button', { name: /Revoke.*Elsewhere/ }).click()
  await shares.getByRole('button', { name: /Sure.*Elsewhere/ }).click()
  await shares.getByText('Elsewhere', { exact: true }).waitFor({ state: 'detached' })
  assert.equal(problems, [])
  await close()
})

test('a link that was cut off or garbled says that it is invalid', async () => {
  for (const token of ['%', '%E0%A4', '', 'x'.repeat(200), '%00', 'no-such-link']) {
    const { page, close } = await dashboard.open(`#share=${token}`, { loggedOut: true })
    await page.waitForSelector('text=This link is invalid, has expired or has been revoked.')
    await close()
  }
})

test('a user held to filters sees what they select and the own account, until they are lifted', async () => {
  const admin = await dashboard.open('?view=settings&settings_tab=access&device=mobile')
  const add = admin.page.locator('form', { hasText: 'Add a user' })
  const filters = 'Always apply these filters: Device is Phone'
  await add.getByLabel('Login').fill('hedda')
  await add.getByLabel('Role').selectOption({ label: 'Administrator' })
  assert.is(await add.getByLabel(filters).count(), 0, 'an administrator sees all')
  await add.getByLabel('Role').selectOption({ label: 'Viewer' })
  await add.getByLabel(filters).check()
  await add.getByLabel('Password').fill(password)
  await add.getByRole('button', { name: 'Add' }).click()
  await admin.page.waitForSelector('.user:has-text("hedda")')
  assert.match((await admin.texts('.user > summary')).join(), /hedda Viewer · Device is Phone/)

  const held = await dashboard.open('?view=revenue&device=desktop', { login: 'hedda' })
  await held.page.waitForSelector('text=You cannot choose these filters of the address: Device.')
  assert.equal(await held.texts('.pill'), ['Device is Phone'])
  assert.match(
    (await held.page.getAttribute('.pill', 'title')) ?? '',
    /^You see only visits that this filter selects\.$/,
  )
  assert.equal(await held.texts('nav a'), ['Overview', 'Settings'])
  const day = new Date().toISOString().slice(0, 10)
  const from = new Date(Date.now() - 27 * 86_400_000).toISOString().slice(0, 10)
  const { totals } = await dashboard.api(`/summary?from=${from}&to=${day}&device=mobile`)
  await held.until(async () =>
    assert.equal(
      (await held.texts('.kpi-value')).slice(1, 3),
      [totals.sessions, totals.views].map((value: number) => value.toLocaleString('en-GB')),
    ),
  )
  assert.match((await held.texts('.top')).join(), /Read only/)
  await held.page.click('nav >> text=Settings')
  await held.page.waitForSelector('text=Logged-in browsers')
  const headings = ['Password', 'Two-factor authentication', 'Logged-in browsers', 'Digests to you']
  assert.equal(await held.texts('main h2'), headings)
  assert.equal(held.problems, [])

  const hedda = admin.page.locator('.user:has-text("hedda")')
  await hedda.locator('summary').click()
  await hedda.getByRole('button', { name: /Clear filters.*hedda/ }).click()
  await hedda.getByRole('button', { name: /Sure.*hedda/ }).click()
  await hedda.getByText('All visits.').waitFor()
  await held.page.reload()
  await held.until(async () => assert.is((await held.texts('nav[aria-label=Sections] a')).length, 5))
  await hedda.getByRole('button', { name: filters }).click()
  await hedda.locator('summary', { hasText: 'Device is Phone' }).waitFor()
  await held.close()

  // A removed user who comes back sees no more than before.
  await hedda.getByRole('button', { name: /Remove.*hedda/ }).click()
  await hedda.getByRole('button', { name: /Sure.*hedda/ }).click()
  const access = admin.page.locator('section[aria-labelledby=access]')
  await access.getByText('“hedda” was removed.').waitFor()
  await access.getByRole('button', { name: 'Undo' }).click()
  const again = await admin.until(async () => {
    const [user] = (await dashboard.resource('/users')).filter(({ login }: any) => login === 'hedda')
    return user ?? assert.unreachable('hedda is not back')
  })
  assert.equal([again.role, again.filters], ['viewer', { device: 'mobile' }])
  assert.is(await dashboard.remove(`/users/${again.id}`), 200)
  assert.equal(admin.problems, [])
  await admin.close()
})

test('the language that somebody chooses goes along to other browsers', async () => {
  const lena = { login: 'lena', password, role: 'viewer' }
  assert.is((await dashboard.send('/users', lena)).status, 201)
  const localeOf = async (): Promise<string> =>
    (await dashboard.resource('/users')).find(({ login }: any) => login === 'lena').locale
  for (const [language, id, overview] of [
    ['Deutsch', 'de', 'Übersicht'],
    ['English', 'en', 'Overview'],
  ] as const) {
    const one = await dashboard.open('', { login: 'lena' })
    await one.page.click('#options')
    await one.page.locator('select:has(option[value=fr])').selectOption({ label: language })
    await one.page.locator('nav a', { hasText: overview }).waitFor()
    await one.until(async () => assert.is(await localeOf(), id))
    assert.equal(one.problems, [])
    await one.close()
    const other = await dashboard.open('', { login: 'lena' })
    await other.page.locator('nav a', { hasText: overview }).waitFor()
    await other.close()
  }
  const [user] = (await dashboard.resource('/users')).filter(({ login }: any) => login === 'lena')
  assert.is(await dashboard.remove(`/users/${user.id}`), 200)
})

test('who is invited chooses a login and a password by a link that works once', async () => {
  const admin = await dashboard.open('?view=settings&settings_tab=access&device=mobile')
  const invite = admin.page.locator('section[aria-labelledby=invite]')
  const make = async (name: string): Promise<string> => {
    await invite.getByLabel('Name').fill(name)
    await invite.getByRole('button', { name: 'Create' }).click()
    await invite.locator('.secret', { hasText: name }).waitFor()
    return (await invite.locator('.secret pre').innerText()).slice(dashboard.url.length + 1)
  }
  await invite.getByLabel('Always apply these filters: Device is Phone').waitFor()
  const [used, withdrawn] = [await make('Ida'), await make('Pia')]
  await admin.until(async () =>
    assert.match((await invite.innerText()).toString(), /Ida\s+Viewer · Device is Phone · until/),
  )
  await invite.getByRole('button', { name: /Revoke.*Pia/ }).click()
  await invite.getByRole('button', { name: /Sure.*Pia/ }).click()
  await invite.getByText('Pia', { exact: true }).waitFor({ state: 'detached' })

  const guest = await dashboard.open(used, { loggedOut: true })
  const join = async (login: string, secret: string): Promise<void> => {
    await guest.page.waitForSelector('text=You are invited to the statistics of this site.')
    await guest.page.fill('[name=login]', login)
    await guest.page.fill('[name=password]', secret)
    await guest.page.getByRole('button', { name: 'Create account' }).click()
  }
  await join('admin', password)
  await guest.page.waitForSelector("text=The login 'admin' is already in use.")
  await join('ida', password)
  await guest.page.waitForSelector('.pill.fixed')
  assert.equal(await guest.texts('.pill'), ['Device is Phone'])
  assert.not.match(guest.page.url(), /invite/)
  assert.equal(guest.problems.splice(0), ['400 from /analytics/v1/invitations/accept'])
  await guest.page.reload()
  await guest.page.waitForSelector('.pill.fixed')
  for (const link of [used, withdrawn]) {
    await guest.page.goto('about:blank')
    await guest.page.goto(`${dashboard.url}/${link}`)
    await join('eve', password)
    await guest.page.waitForSelector('text=This invitation is invalid, was used or withdrawn, or has expired.')
  }
  await guest.close()
  const ida = (await dashboard.resource('/users')).find(({ login }: any) => login === 'ida')
  assert.is(await dashboard.remove(`/users/${ida.id}`), 200)
  assert.equal(admin.problems, [])
  await admin.close()
})

test('a viewer sees all reports, pins questions, and finds no administration anywhere', async () => {
  const admin = await dashboard.open('?view=settings&settings_tab=access')
  const add = admin.page.locator('form', { hasText: 'Add a user' })
  assert.equal(await add.getByLabel('Role').locator('option').allInnerTexts(), ['Administrator', 'Viewer'])
  assert.match(await add.innerText(), /Viewers can read all reports/)
  await add.getByLabel('Role').selectOption('administrator')
  assert.match(await add.innerText(), /Administrators can do everything/)
  // Other roles are offered once the plugin of WordPress has told something.
  assert.is((await dashboard.send('/site?_method=PUT', { wordpress_timezone: 'UTC' })).status, 200)
  await admin.page.reload()
  await add.getByLabel('Login').fill('vera')
  await add.getByLabel('Role').selectOption('editor')
  assert.match(await add.innerText(), /The role editor gives no access to Footfall\./)
  await add.getByLabel('Role').selectOption({ label: 'Viewer' })
  assert.not.match(await add.innerText(), /gives no access/)
  await add.getByLabel('Password').fill(password)
  await add.getByRole('button', { name: 'Add' }).click()
  await admin.page.waitForSelector('.user:has-text("vera")')
  assert.match((await admin.texts('.user > summary')).join(), /vera Viewer/)

  const { page, problems, texts, until, close } = await dashboard.open('', { login: 'vera' })
  await page.waitForSelector('.kpi')
  const views = ['Overview', 'Realtime', 'Revenue', 'Ask', 'Settings']
  assert.equal(await texts('nav a'), views)
  for (const view of views) {
    await page.click(`nav >> text=${view}`)
    await page.waitForSelector(`nav [aria-current] >> text=${view}`)
    await page.waitForLoadState('networkidle')
    assert.is(await page.locator('main [role=alert]').count(), 0, view)
    assert.is(await page.locator('a[href*="view=system"]').count(), 0, view)
    if (view === 'Settings')
      assert.equal(
        await texts('main h2'),
        ['Password', 'Two-factor authentication', 'Logged-in browsers', 'Digests to you'],
        'only their own account',
      )
  }
  const own = page.locator('section', { has: page.getByRole('heading', { name: 'Password' }) })
  for (const [current, next] of [
    [password, 'a password of her own'],
    ['a password of her own', password],
  ] as const) {
    await own.getByLabel('Current password').fill(current)
    await own.getByLabel('New password').fill(next)
    await own.getByRole('button', { name: 'Save' }).click()
    await until(async () => assert.is(await own.getByLabel('New password').inputValue(), ''))
    await own.getByText('Password changed.').waitFor()
  }
  const pinsOfAdmin = async (): Promise<string[]> => (await dashboard.resource('/advisor/preferences')).pinned_questions
  const before = await pinsOfAdmin()
  await page.click('nav >> text=Ask')
  await page.click('.categories summary >> nth=0')
  await page.click('.categories details[open] .questions button[aria-pressed=false] >> nth=0')
  await page.waitForSelector('.questions button[aria-pressed=true]')
  await page.click('nav >> text=Overview')
  await until(async () => assert.is(await page.locator('.pinned-tile').count(), before.length + 1))
  assert.equal(await pinsOfAdmin(), before, "the viewer's pins are their own")
  await page.keyboard.press('?')
  await page.waitForSelector('dialog')
  await page.keyboard.press('Escape')
  await page.goto(`${dashboard.url}/?view=system`)
  await page.waitForSelector('.kpi')
  await page.click('nav >> text=Realtime')
  await page.waitForLoadState('networkidle')
  assert.equal(problems, [])

  await admin.page.click('.user:has-text("vera") > summary')
  const vera = admin.page.locator('.user:has-text("vera")')
  await vera.getByLabel('Role').selectOption('editor')
  await vera.locator('form:has(select)').getByRole('button', { name: 'Save' }).click()
  await admin.page.waitForSelector('.user:has-text("vera editor")')
  await page.waitForSelector('.login-page >> text=Log out')
  assert.equal(admin.problems, [])
  await admin.close()
  await close()
})

test('who may only read reports sees them without a login, and no administration', async () => {
  const now = Math.floor(Date.now() / 1000)
  const token = await new SignJWT({ sub: '7', name: 'Ada', roles: ['editor'], capabilities: ['footfall_view_reports'] })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(now)
    .setExpirationTime(now + 600)
    .setAudience('footfall')
    .sign(new TextEncoder().encode(secret))
  const { page, problems, texts, close } = await dashboard.open('', {
    loggedOut: true,
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  })
  await page.waitForSelector('.kpi')
  const views = ['Overview', 'Realtime', 'Revenue', 'Ask']
  assert.equal(await texts('nav a'), views)
  for (const view of views) {
    await page.click(`nav >> text=${view}`)
    await page.waitForSelector(`nav [aria-current] >> text=${view}`)
    await page.waitForLoadState('networkidle')
    assert.is(await page.locator('main [role=alert]').count(), 0, view)
  }
  await page.click('header button[aria-haspopup] >> nth=-1')
  await page.waitForSelector('text=Logged in as Ada')
  assert.is(await page.locator('text=Log out').count(), 0, 'its credentials are not those of the page')
  for (const view of ['settings', 'system']) {
    await page.goto(`${dashboard.url}/?view=${view}`)
    await page.waitForSelector('.kpi')
  }
  assert.equal(problems, [])
  await close()
})

test.run()
