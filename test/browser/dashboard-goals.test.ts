// Goals and funnels in the dashboard: proposed, made after a preview, on the rows of every panel, and what links show.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { type DashboardPage, type DashboardServer, startDashboard } from './dashboard.ts'
import { ordersUntil } from './orders.ts'
import { visitsUntil } from './visits.ts'

const test = needs('chromium')

const now = Date.now()
const dayOf = (ago: number): string => new Date(now - ago * 86_400_000).toISOString().slice(0, 10)
const range = `from=${dayOf(27)}&to=${dayOf(0)}`
const plain = (value: number): string => value.toLocaleString('en-GB')
const percent = (ratio: number): string =>
  ratio.toLocaleString('en-GB', { style: 'percent', maximumFractionDigits: ratio >= 0.1 ? 0 : 1 })

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard(visitsUntil(now, 20, 15))
  assert.is((await dashboard.send('/orders', ordersUntil(now, 20, 2))).status, 200)
})
test.after(() => dashboard.close())

const goalIds = new Map<string, number>()
const readGoals = async (): Promise<any[]> => {
  const goals = await dashboard.resource('/goals')
  for (const { id, name } of goals) goalIds.set(name, id)
  return goals
}

/** Goals and funnels are tabs of the card of events. */
const panel = (name: string): string =>
  `section[aria-labelledby=panel-${['goals', 'funnels'].includes(name) ? 'events' : name}]`
const rowsOf = ({ texts }: DashboardPage): Promise<string[]> => texts(`${panel('goals')} tbody tr`)

test('without goals the most frequent events are proposed; each opens the form filled in, as does the flag of a page, in its own view', async () => {
  const opened = await dashboard.open(`?${range}`)
  const { page, problems, until, close } = opened
  const [first, second] = await dashboard.api(`/events?${range}&limit=3`)
  const proposed = page.locator(`${panel('goals')} .empty .goal-flag`)
  await until(async () =>
    assert.equal(
      (await proposed.allInnerTexts()).slice(0, 2),
      [first, second].map(({ name }) => `⚐ Make a goal of ${name}`),
    ),
  )
  await page
    .locator(panel('goals'))
    .getByRole('button', { name: `Make a goal of ${first.name}` })
    .click()
  const dialog = page.locator('#goal-form')
  assert.is(await dialog.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), first.name)
  assert.is((await readGoals()).length, 0, 'nothing is made before')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await until(async () =>
    assert.match((await rowsOf(opened))[0] ?? '', new RegExp(`^${first.name} ${first.sessions} `)),
  )
  await page.locator(panel('goals')).getByText('A goal counts visits, an event each time it was sent').waitFor()
  const [{ page: path }] = (await dashboard.api(`/pages?${range}&limit=3`)).slice(-1)
  await page.goto(`${dashboard.url}/?${range}&view=page&page=${path}`)
  const flag = page.getByRole('button', { name: `Make a goal of ${path}`, exact: true })
  await flag.focus()
  await page.keyboard.press('Enter')
  const made = dialog.getByRole('heading', { name: `${path} is a goal`, exact: true })
  await dialog.getByRole('button', { name: 'Create' }).click()
  await made.waitFor()
  await until(async () => assert.is((await readGoals()).length, 2))
  // It can be undone, and then the form is there again.
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByRole('button', { name: 'Sure?' }).click()
  await until(async () => assert.is((await readGoals()).length, 1))
  await dialog.getByRole('button', { name: 'Create' }).click()
  await made.waitFor()
  await page.keyboard.press('Escape')
  await until(async () => assert.match(await page.evaluate('document.activeElement.textContent'), /is a goal/))
  assert.equal(
    (await readGoals()).map(({ name, kind, pattern }) => [name, kind, pattern]),
    [
      [first.name, 'event', first.name],
      [path, 'page', path],
    ],
  )
  assert.is(await flag.count(), 0, 'a goal is not offered again')
  assert.equal(problems, [])
  await close()
})

test('a goal is made in the settings after a preview with the figures of the API', async () => {
  const { page, problems, texts, until, close } = await dashboard.open('?view=settings&settings_tab=goals')
  const form = page.locator('section[aria-labelledby=goals] form')
  await form.getByRole('textbox', { name: 'Name' }).fill('Looked at furniture')
  await form.getByRole('textbox', { name: 'Pages' }).fill('/shop/*')
  await form.getByRole('combobox', { name: 'Value' }).selectOption({ label: 'Fixed per visit' })
  await form.getByRole('spinbutton', { name: 'Amount' }).fill('2.5')
  await form.getByRole('button', { name: 'Preview' }).click()
  const rule = { name: 'x', kind: 'page', pattern: '/shop/*' }
  const asked: any = await (await dashboard.send('/goals/preview', rule)).json()
  assert.ok(asked.sessions > 0)
  await until(async () =>
    assert.equal(await texts('section[aria-labelledby=goals] form .note'), [
      `In the last 30 days: ${plain(asked.sessions)} visits, ${percent(asked.conversion_rate)}.`,
    ]),
  )
  assert.is((await readGoals()).length, 2, 'a preview saves nothing')
  await form.getByRole('button', { name: 'Create' }).click()
  await until(async () =>
    assert.match(
      (await texts('section[aria-labelledby=goals] .links li > span:first-child')).at(-1) ?? '',
      // The currency comes a moment later.
      /^Looked at furniture Page \/shop\/\* · €?2\.50?$/,
    ),
  )
  const made = (await readGoals()).at(-1)
  assert.equal([made.name, made.value_from, made.value], ['Looked at furniture', 'fixed', 2.5])
  assert.equal(problems, [])
  await close()
})

/** The breakdowns: view, panel, tab, its report, the key of its rows, by what the goal is grouped, and within what. */
const breakdowns: readonly (readonly [
  view: string,
  panel: string,
  tab: string,
  path: string,
  key: string,
  by: string,
  within?: readonly string[],
])[] = [
  ['overview', 'sources', 'channel', '/dimensions/channel', 'key', 'channel'],
  ['overview', 'sources', 'source', '/sources', 'source', 'source', ['channel']],
  ['overview', 'sources', 'utm_campaign', '/utm?group_by=campaign', 'utm_campaign', 'utm_campaign'],
  ['overview', 'sources', 'utm_source', '/utm?group_by=source', 'utm_source', 'utm_source'],
  ['overview', 'sources', 'utm_medium', '/utm?group_by=medium', 'utm_medium', 'utm_medium'],
  ['overview', 'pages', 'page', '/pages', 'page', 'page'],
  ['overview', 'pages', 'entry', '/pages/entry', 'page', 'entry_page'],
  ['overview', 'pages', 'exit', '/pages/exit', 'page', 'exit_page'],
  ['overview', 'places', 'country', '/dimensions/country', 'key', 'country'],
  ['overview', 'places', 'language', '/dimensions/language', 'key', 'language'],
  ['overview', 'devices', 'device', '/dimensions/device', 'key', 'device'],
  ['overview', 'devices', 'browser', '/dimensions/browser', 'key', 'browser'],
  ['overview', 'devices', 'os', '/dimensions/os', 'key', 'os'],
  ['overview', 'devices', 'screen', '/dimensions/screen', 'key', 'screen'],
  ['revenue', 'origins', 'order_channels', '/revenue/by-channel', 'channel', 'channel'],
  ['revenue', 'origins', 'order_campaigns', '/revenue/by-utm', 'utm_campaign', 'utm', ['utm_source', 'utm_medium']],
  ['revenue', 'origins', 'landing_pages', '/revenue/by-landing', 'landing_page', 'entry_page'],
]

test('the rows of every panel show what they did for the chosen goal, as the API counts it', async () => {
  const goal = goalIds.get('Looked at furniture')
  const opened = await dashboard.open(`?${range}&by_goal=${goal}`)
  const { page, problems, texts, until, close } = opened
  let converted = 0
  for (const [view, name, tab, path, key, by, within = []] of breakdowns) {
    await page.goto(`${dashboard.url}/?${range}&view=${view}&by_goal=${goal}&${name}_tab=${tab}`)
    const rows: any[] = await dashboard.api(`${path}${path.includes('?') ? '&' : '?'}${range}&limit=9`)
    const groups: any[] = await dashboard.api(`/goals/${goal}/breakdown?by=${by}&${range}&limit=200`)
    const found = (row: any): any => {
      const texts = within.map(field => row[field])
      const inside = texts.every(text => text === null) ? null : texts.map(text => text ?? '').join(' / ')
      return groups.find(one => one.key === row[key] && one.within === inside)
    }
    const shown = rows.filter(
      row => row.channel === undefined || (view === 'revenue' ? row.revenue : row.sessions) !== 0,
    )
    const expected = shown
      .map(found)
      .map(one =>
        one === undefined
          ? ['–', '–', '–']
          : [
              plain(one.visitors),
              one.conversion_rate === null ? '–' : percent(one.conversion_rate),
              one.value_per_session === null
                ? '–'
                : one.value_per_session.toLocaleString('en-GB', { maximumFractionDigits: 2 }),
            ],
      )
    converted += shown.map(found).filter(one => one?.sessions > 0).length
    await until(async () => {
      const cells = (await texts(`${panel(name)} tbody td.delta`)).map(text => text.replace(/\.00$|(\.\d)0$/, '$1'))
      const table = Array.from({ length: cells.length / 3 }, (_, row) => cells.slice(row * 3, row * 3 + 3))
      assert.equal(table, expected, `${view} ${tab}`)
    })
  }
  assert.ok(converted > 40, `${converted} rows converted`)
  await page.goto(`${dashboard.url}/?${range}&by_goal=${goal}`)
  const pill = page.locator('.pills li').filter({ hasText: 'Looked at furniture' })
  await pill.getByRole('button', { name: 'Hide in rows: Looked at furniture' }).click()
  await until(async () => assert.is(await page.locator('.converted').count(), 0))
  assert.equal(problems, [])
  await close()
})

test('a funnel of three steps shows its losses and where these went; a step filters', async () => {
  const { page, problems, texts, until, close } = await dashboard.open('?view=settings&settings_tab=goals')
  const form = page.locator('section[aria-labelledby=funnels] form')
  await form.getByRole('textbox', { name: 'Name' }).fill('To the journal')
  await form.getByRole('button', { name: 'Add a step' }).click()
  const steps = ['/*', '/shop*', '/journal/*']
  for (const [index, pattern] of steps.entries())
    await form.getByRole('textbox', { name: 'Pages' }).nth(index).fill(pattern)
  await form.getByRole('button', { name: 'Preview' }).click()
  const body = { name: 'To the journal', steps: steps.map(pattern => ({ kind: 'page', pattern })) }
  const asked: any = await (await dashboard.send('/funnels/preview', body)).json()
  const counts = asked.steps.map(({ sessions }: any) => sessions)
  assert.ok(counts[2] > 0 && counts[1] > counts[2])
  await until(async () =>
    assert.equal(await texts('section[aria-labelledby=funnels] form .note'), [
      `Visits in the last 30 days: ${counts.map(plain).join(' → ')}.`,
    ]),
  )
  await form.getByRole('button', { name: 'Create' }).click()
  await until(async () =>
    assert.match(
      (await texts('section[aria-labelledby=funnels] .links')).join(),
      /To the journal \/\* → \/shop\* → \/journal\/\*/,
    ),
  )
  const [{ id }] = await dashboard.resource('/funnels')

  await page.goto(`${dashboard.url}/?${range}&compare=off&events_tab=funnels`)
  const { steps: counted, conversion } = await dashboard.api(`/funnels/${id}/report?${range}`)
  const visits = (n: number): string => `${plain(n)} ${n === 1 ? 'visit' : 'visits'} lost.`
  const expected = counted.map(({ name, sessions, step_rate, dropped, exits, next_instead }: any, index: number) =>
    [
      `${name} ${plain(sessions)}`,
      index === 0 ? '' : percent(step_rate),
      dropped === 0 ? '' : visits(dropped),
      next_instead.length === 0
        ? ''
        : `Next instead: ${next_instead.map((one: any) => `${one.page} (${plain(one.sessions)})`).join(', ')}.`,
      exits === 0 ? '' : `${plain(exits)} viewed no other page.`,
    ].filter(text => text !== ''),
  )
  await until(async () => {
    const shown = await texts(`${panel('funnels')} ol > li`)
    assert.is(shown.length, 3)
    for (const [index, parts] of expected.entries())
      for (const part of parts) assert.ok(shown[index]?.includes(part), `${shown[index]} has not: ${part}`)
  })
  assert.ok(counted[0].next_instead.length > 0 && counted[0].exits > 0)
  assert.match((await texts(`${panel('funnels')} .note`))[0] ?? '', new RegExp(`^${percent(conversion)} `))

  await page
    .locator(`${panel('funnels')} li`)
    .nth(1)
    .getByRole('button')
    .press('Enter')
  const { totals } = await dashboard.api(`/summary?${range}&funnel=${id}:2`)
  assert.is(totals.sessions, counted[1].sessions)
  await until(async () => assert.is((await texts('.kpi-value'))[1], plain(totals.sessions)))
  assert.match(decodeURIComponent(page.url()), new RegExp(`funnel=${id}:2`))
  assert.equal(problems, [])
  await close()
})

test('on a phone of 320 px goals and funnels fit, and their buttons are reached with the keyboard', async () => {
  const { page, problems, until, close } = await dashboard.open(`?${range}`, { viewport: { width: 320, height: 800 } })
  for (const name of ['funnels', 'goals']) {
    await page.getByRole('tab', { name: name === 'goals' ? 'Goals' : 'Funnels' }).click()
    await page.waitForSelector(`${panel(name)} .name`)
    const { right, left } = await page
      .locator(panel(name))
      .evaluate((one: any) => ({ left: one.getBoundingClientRect().left, right: one.getBoundingClientRect().right }))
    assert.ok(left >= 0 && right <= 320, `${name}: ${left} to ${right}`)
  }
  assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 320)
  await page
    .locator(`${panel('goals')} .row-name`)
    .first()
    .focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await until(async () => assert.match(page.url(), /by_goal=\d/))
  await page.waitForSelector('.converted', { state: 'attached' })
  assert.equal(problems, [])
  await close()
})

test('a shared link shows goals and funnels if it was made so, and the list of links says which do', async () => {
  for (const goals of [false, true]) {
    const made = await dashboard.send('/share-links', { name: `Board ${goals}`, goals, annotations: goals })
    const { token } = (await made.json()) as { token: string }
    const { page, problems, texts, until, close } = await dashboard.open(`?${range}#share=${token}`, {
      loggedOut: true,
    })
    await page.waitForSelector(`${panel('pages')} .name`)
    await until(async () =>
      assert.equal(await texts(`${panel('events')} [role=tab]`), goals ? ['Goals', 'Funnels', 'Events'] : []),
    )
    if (goals) {
      await page.getByRole('tab', { name: 'Funnels' }).click()
      await until(async () => assert.is((await texts(`${panel('funnels')} ol > li`)).length, 3))
    }
    assert.is(await page.locator('.goal-flag').count(), 0, 'a link makes no goals')
    assert.equal(problems, [])
    await close()
  }
  const { texts, until, problems, close } = await dashboard.open('?view=settings&settings_tab=access')
  await until(async () => {
    const facts = await texts('section[aria-labelledby=shares] .links li > span:first-child')
    const of = (name: string): string => facts.find(text => text.startsWith(name)) ?? ''
    assert.match(of('Board true'), /with goals · Notes/)
    assert.ok(of('Board false') !== '')
    assert.not.match(of('Board false'), /with goals|Notes/)
  })
  assert.equal(problems, [])
  await close()
})

test('a removed goal is named, and comes back by one click', async () => {
  assert.is(
    (await dashboard.send('/goals', { name: 'Read', kind: 'scroll', pattern: '/a', threshold: 50 })).status,
    201,
  )
  const { page, problems, until, close } = await dashboard.open('?view=settings&settings_tab=goals')
  const section = page.locator('section[aria-labelledby=goals]')
  const row = section.locator('li').filter({ hasText: 'Read' })
  await row.getByRole('button', { name: 'Remove' }).click()
  await row.getByRole('button', { name: 'Sure?' }).click()
  await section.getByText('“Read” was removed.').waitFor()
  assert.not((await readGoals()).some(({ name }) => name === 'Read'))
  await until(async () => assert.is(await page.evaluate('document.activeElement.textContent'), 'Undo'))
  await page.keyboard.press('Enter')
  await section.getByText('“Read” is back.').waitFor()
  await row.waitFor()
  const back = (await readGoals()).find(({ name }) => name === 'Read')
  assert.equal([back.kind, back.pattern, back.threshold], ['scroll', '/a', 50])
  await until(async () => assert.is(await section.getByText('was removed').count(), 0))
  assert.equal(problems, [])
  assert.is(await dashboard.remove(`/goals/${back.id}`), 200)
  await close()
})

test('a funnel says that it was made and removed, and comes back by one click', async () => {
  const funnels = async (): Promise<any[]> =>
    (await dashboard.resource('/funnels')).filter(({ name }: any) => name === 'To the cart')
  const { page, problems, close } = await dashboard.open('?view=settings&settings_tab=goals')
  const section = page.locator('section[aria-labelledby=funnels]')
  await section.getByLabel('Name').fill('To the cart')
  await section.getByLabel('Pages').first().fill('/shop')
  await section.getByLabel('Pages').last().fill('/cart')
  await section.getByLabel('No other page between the steps').check()
  await section.getByRole('button', { name: 'Create' }).click()
  await section.getByText('“To the cart” was created.').waitFor()
  const [made] = await funnels()
  await section.getByRole('button', { name: /Remove.*To the cart/ }).click()
  await section.getByRole('button', { name: /Sure.*To the cart/ }).click()
  await section.getByText('“To the cart” was removed.').waitFor()
  assert.equal(await funnels(), [])
  await section.getByRole('button', { name: 'Undo' }).click()
  await section.getByText('“To the cart” is back.').waitFor()
  const [back] = await funnels()
  assert.equal([back.steps, back.strict], [made.steps, true])
  assert.is(await dashboard.remove(`/funnels/${back.id}`), 200)
  assert.equal(problems, [])
  await close()
})

test('what somebody else removed meanwhile is reported in the language of the page', async () => {
  const added = await dashboard.send('/goals', { name: 'Short-lived', kind: 'page', pattern: '/short' })
  const { id } = (await added.json()) as { id: number }
  const { page, problems, close } = await dashboard.open('?view=settings&settings_tab=goals', { locale: 'de-DE' })
  const row = page.locator('section[aria-labelledby=goals] li').filter({ hasText: 'Short-lived' })
  await row.waitFor()
  const gone = `/goals/${id}`
  assert.is(await dashboard.remove(gone), 200)
  await row.getByRole('button', { name: 'Löschen' }).click()
  await row.getByRole('button', { name: /Sicher/ }).click()
  await page.getByRole('alert').filter({ hasText: 'Das gibt es nicht mehr.' }).waitFor()
  assert.equal(problems, [`404 from /analytics/v1${gone}`])
  await close()
})

test.run()
