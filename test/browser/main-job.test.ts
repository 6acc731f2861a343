// The main job, from end to end: a page in a browser, the built program on another port, and what the reports show.
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { footfall, type Program, programs, type Running, start, temporaryFolder } from '../support/program.ts'
import { until } from '../support/wait.ts'
import { launchBrowser } from './chromium.ts'
import { hide } from './scenario.ts'
import { html, openSite, type Site } from './site.ts'

const test = needs('chromium')

const folder = temporaryFolder()
const started: Running[] = []
let browser: Browser

test.before(async () => {
  browser = await launchBrowser()
})
test.after(async () => {
  await browser.close()
  for (const { process: child } of started) child.kill('SIGKILL')
  folder.remove()
})

const serve = async (program: Program, args: readonly string[]): Promise<Running> => {
  const running = await start(args, { program })
  started.push(running)
  return running
}

/** How the service is set up, and where its things lie then. */
type Setting = { name: string; flags: readonly string[]; tracker: string; api: string }

const settings: readonly Setting[] = [
  { name: 'as it comes', flags: [], tracker: '/tracker.js', api: '/analytics/v1' },
  {
    name: 'on a shared host with WordPress',
    flags: ['--root-path', '/stats', '--base-path', '/wp-json', '--tracker-path', '/js/quiet.js'],
    tracker: '/stats/js/quiet.js',
    api: '/stats/wp-json/analytics/v1',
  },
]

const day = 86_400_000
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Yesterday to tomorrow: a midnight during the test does no harm. */
const range = `from=${dayText(Date.now() - day)}&to=${dayText(Date.now() + day)}`

type Ask = (path: string) => Promise<any>

const askAs =
  (password: string, base: string): Ask =>
  async path => {
    const answer = await fetch(`${base}${path}`, { headers: { authorization: `Basic ${btoa(`admin:${password}`)}` } })
    assert.is(answer.status, 200, `${path}: ${await answer.clone().text()}`)
    return ((await answer.json()) as { data: unknown }).data
  }

const welcomeTitle = 'Welcome & hello – “Größe” 日本'
const tall = '<div style="height: 4000px"></div>'

/** The counted site, on a host of its own. */
const openShop = (tag: string): Promise<Site> =>
  openSite(
    {
      '/welcome': html({
        title: welcomeTitle,
        head: tag,
        body: `<button data-footfall-event="sign up!" data-footfall-event-plan="pro">join</button>${tall}`,
      }),
      '/spa/cart': html({ title: 'Cart', head: tag }),
    },
    'www.shop.test',
  )

/** Stands in for a search engine that links to the site, and lets the browser say so. */
const search = 'http://www.google.de/search?q=private'
const searchResults = (shop: Site): string =>
  html({
    head: '<meta name="referrer" content="unsafe-url">',
    body: `<a href="${shop.url('/welcome?utm_campaign=&token=secret#part')}">go</a>`,
  })

/** What a visitor does: comes by a link, reads, joins, goes on within the page, leaves. */
const visit = async (page: Page, shop: Site, api: string): Promise<void> => {
  const answers: string[] = []
  page.on('response', response => {
    if (response.url().includes(api))
      answers.push(`${response.request().method()} ${new URL(response.url()).pathname} ${response.status()}`)
  })
  const sent = (kind: string, count: number): Promise<void> =>
    until(async () => {
      const times = answers.filter(answer => answer === `POST ${api}/${kind} 204`).length
      // A machine that stalls for ten seconds adds an engagement.
      if (kind === 'engagement') assert.ok(times >= count, answers.join(', '))
      else assert.is(times, count, answers.join(', '))
    })
  await page.route(search, route => route.fulfill({ contentType: 'text/html', body: searchResults(shop) }))
  await page.goto(search)
  await page.click('a')
  await sent('hit', 1)
  await page.evaluate('scrollTo(0, 1600)')
  await page.waitForTimeout(2300)
  await page.click('button')
  await sent('event', 1)
  await page.evaluate('history.pushState({}, "", "/spa/cart"); document.title = "Cart"')
  await sent('hit', 2)
  await sent('engagement', 1)
  await hide(page, true)
  await sent('engagement', 2)
  assert.equal(
    answers.filter(answer => !answer.endsWith(' 204')),
    [],
    'every request was recorded, none asked for permission first',
  )
}

const holdReports = async (ask: Ask, begun: number): Promise<void> => {
  const { totals } = await ask(`/summary?${range}`)
  const { visitors, sessions, views, bounces, total_duration } = totals
  assert.equal({ visitors, sessions, views, bounces }, { visitors: 1, sessions: 1, views: 2, bounces: 0 })
  const seconds = (Date.now() - begun) / 1000
  assert.ok(total_duration >= 2 && total_duration <= seconds, `${total_duration} engaged seconds of ${seconds}`)

  const pages = await ask(`/pages?${range}`)
  assert.equal(
    pages.map(({ page, title, views, sessions, entries, exits, bounces, share }: any) => ({
      page,
      title,
      views,
      sessions,
      entries,
      exits,
      bounces,
      share,
    })),
    [
      { page: '/spa/cart', title: 'Cart', views: 1, sessions: 1, entries: 0, exits: 1, bounces: 0, share: 0.5 },
      { page: '/welcome', title: welcomeTitle, views: 1, sessions: 1, entries: 1, exits: 0, bounces: 0, share: 0.5 },
    ],
  )
  const [, welcome] = pages
  assert.ok(welcome.avg_time_on_page >= 2, `${welcome.avg_time_on_page} seconds on the page`)
  assert.ok(
    welcome.avg_scroll_depth > 40 && welcome.avg_scroll_depth < 100,
    `${welcome.avg_scroll_depth} percent of the page`,
  )

  const { active_visitors, active_pages, recent, minutes } = await ask('/realtime?window=1800')
  assert.is(active_visitors, 1)
  assert.equal(active_pages, [{ page: '/spa/cart', title: 'Cart', visitors: 1 }])
  assert.equal(
    recent.map(({ time, ...row }: any) => row),
    [
      {
        page: '/spa/cart',
        title: 'Cart',
        country: null,
        device: 'desktop',
        browser: 'Chrome',
        channel: 'Organic Search',
      },
      {
        page: '/welcome',
        title: welcomeTitle,
        country: null,
        device: 'desktop',
        browser: 'Chrome',
        channel: 'Organic Search',
      },
    ],
  )
  // Times are reported in whole seconds.
  assert.ok(recent.every(({ time }: any) => Date.parse(time) > begun - 1000 && Date.parse(time) <= Date.now()))
  assert.is(
    minutes.reduce((sum: number, { views }: any) => sum + views, 0),
    2,
  )

  const keyOf = async (dimension: string): Promise<unknown> =>
    (await ask(`/dimensions/${dimension}?${range}`)).map(({ key, sessions }: any) => [key, sessions])
  assert.equal(await keyOf('screen'), [['1536-1919', 1]])
  assert.equal(await keyOf('language'), [['de', 1]])
  assert.equal(
    (await ask(`/events?${range}`)).map(({ name, total, sessions }: any) => ({ name, total, sessions })),
    [{ name: 'sign up_', total: 1, sessions: 1 }],
  )
  assert.equal((await ask(`/events/sign up_?${range}`)).properties, [
    { key: 'plan', total: 1, values: [{ value: 'pro', total: 1 }] },
  ])
}

const mainJob = async (program: Program, { flags, tracker, api }: Setting, data: string): Promise<void> => {
  const args = ['--data', data, ...flags]
  const running = await serve(program, args)
  const port = Number(new URL(running.url).port)
  const { stdout } = footfall(['app-password', 'create', 'admin', '--name', 'browser', '--data', data], { program })
  const ask = askAs(stdout.trimEnd().split('\n').at(-1) ?? '', running.url + api)
  const shop = await openShop(`<script defer src="http://footfall.test:${port}${tracker}"></script>`)
  const context = await browser.newContext({
    locale: 'de-AT',
    timezoneId: 'Europe/Vienna',
    screen: { width: 1600, height: 900 },
    viewport: { width: 1200, height: 800 },
  })
  const begun = Date.now()
  const errors: string[] = []
  context.on('weberror', error => errors.push(String(error.error())))
  try {
    await visit(await context.newPage(), shop, api)
    assert.equal(await context.cookies(), [])
    assert.equal(errors, [])
  } finally {
    await context.close()
    await shop.close()
  }
  await until(() => holdReports(ask, begun))

  running.process.kill('SIGKILL')
  assert.is(await running.ended, 'SIGKILL')
  const again = await serve(program, args)
  await holdReports(askAs(stdout.trimEnd().split('\n').at(-1) ?? '', again.url + api), begun)
  again.process.kill('SIGTERM')
  assert.is(await again.ended, 0)
  const printed = running.output.stderr + again.output.stdout + again.output.stderr
  assert.not.match(printed, /Mozilla|secret|welcome|private/, 'nothing of a visitor reaches the log')
}

for (const program of programs) {
  for (const setting of settings) {
    needs('chromium', ...program.needs)(
      `${program.name}, ${setting.name}: a visit in a browser shows in the reports, also after kill -9`,
      () => mainJob(program, setting, folder.path(`${program.name}-${setting.name}.db`)),
    )
  }
}

test.run()
