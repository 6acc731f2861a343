// What visitors, shops and links can write is in the dashboard as text: shown, and never run.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { line, meta, order } from '../support/shop.ts'
import { until } from '../support/wait.ts'
import { type DashboardServer, startDashboard } from './dashboard.ts'

const test = needs('chromium')

const attacks = [
  '<script>window.hurt=1</script>',
  '<img src=x onerror="window.hurt=1">',
  '"><svg/onload=window.hurt=1>',
  "'-window.hurt=1-'",
  'javascript:window.hurt=1',
  '</textarea></title><iframe srcdoc="<script>parent.hurt=1</script>">',
  '{{constructor.constructor("window.hurt=1")()}}',
  '<a href="javascript:window.hurt=1">x</a>',
] as const

let dashboard: DashboardServer
test.before(async () => {
  dashboard = await startDashboard()
})
test.after(() => dashboard.close())

const utm = (text: string): string =>
  ['source', 'medium', 'campaign', 'term', 'content'].map(name => `utm_${name}=${encodeURIComponent(text)}`).join('&')

/** Every way in: hits, events, what the CMS says of its pages, orders. */
const attack = async (): Promise<void> => {
  const now = new Date().toISOString().slice(0, 19)
  for (const [index, text] of attacks.entries()) {
    await dashboard.hit(
      {
        page_url: `https://site.example/${encodeURIComponent(text)}?${utm(text)}`,
        title: text,
        referrer: `https://ref${index}.example/${text}`,
        author: text,
        resource_type: text,
        language: text,
        timezone: text,
        status: 404,
      },
      `198.51.100.${index}`,
    )
    const sent = await fetch(`${dashboard.url}/analytics/v1/event`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 ${text}`,
        'x-forwarded-for': `198.51.100.${index}`,
      },
      body: JSON.stringify({
        name: text,
        page_url: `/${encodeURIComponent(text)}`,
        properties: { [text]: text, plan: text },
      }),
    })
    assert.is(sent.status, 204)
  }
  const orders = attacks.map(text =>
    order({
      date_created_gmt: now,
      date_modified_gmt: now,
      date_paid_gmt: now,
      line_items: [line({ name: text, parent_name: text, variation_id: 5 })],
      coupon_lines: [{ code: text, discount: '1.00' }],
      refunds: [{ id: 1, reason: text, total: '-1.00' }],
      meta_data: meta({
        source_type: 'utm',
        utm_source: text,
        utm_medium: text,
        utm_campaign: text,
        session_entry: `https://site.example/${text}`,
      }),
    }),
  )
  assert.is((await dashboard.send('/orders', orders)).status, 200)
  assert.is(
    (
      await dashboard.send(
        '/content',
        attacks.map(text => ({ page: `/${text}`, title: text, resource_type: 'post', author: text })),
      )
    ).status,
    200,
  )
}

const encoded = encodeURIComponent(attacks[1])
const addresses = [
  '',
  '?view=realtime',
  '?view=revenue',
  '?view=revenue&goods_tab=coupons',
  '?view=revenue&details=revenue_utm',
  '?view=system',
  '?view=ask',
  '?view=ask&ask=q2',
  ...['page', 'entry', 'exit', 'source', 'utm_source', 'utm_medium', 'utm_campaign', 'event'].map(
    name => `?details=${name}`,
  ),
  // What is in a link that somebody is sent.
  `?page=${encoded}`,
  `?utm_source=!${encoded},${encoded}`,
  `?details=page&search=${encoded}`,
  `?event=${encoded}`,
  `?open=${encoded}`,
  `?ask=${encoded}&view=ask`,
  `?view=${encoded}`,
  `?details=${encoded}`,
  '?details=__proto__',
  '?view=constructor',
  `?from=${encoded}&to=${encoded}`,
  `?sort=${encoded}&details=page`,
  `?metric=${encoded}`,
  `#${encoded}`,
]

test('nothing that was sent runs, in any view', async () => {
  await attack()
  const { page, problems, close } = await dashboard.open()
  page.on('dialog', dialog => problems.push(`dialog: ${dialog.message()}`))
  await until(async () => assert.ok((await page.innerText('body')).includes(attacks[0])))
  for (const address of addresses) {
    await page.goto(`${dashboard.url}/${address}`)
    await page.waitForSelector('header.top')
    await until(async () => assert.is(await page.locator('.loading, [aria-busy=true]').count(), 0, address))
    assert.is(await page.evaluate('window.hurt'), undefined, address)
    const made = await page
      .locator(
        '#app :is(script, img, iframe, object, embed, base, [onload], [onerror], [srcdoc], a[href^="javascript:" i])',
      )
      .count()
    assert.is(made, 0, address)
  }
  // For an event that nobody has sent, the API says so; all else went well.
  assert.equal(
    problems.filter(text => !/^40[04] from \/analytics\/v1\//.test(text)),
    [],
  )
  await close()
})

test('the properties of an event are texts', async () => {
  const { page, problems, close } = await dashboard.open(
    `?open=${encodeURIComponent(attacks[1].replace(/[^\p{L}\p{M}\p{N} _.:-]/gu, '_'))}`,
  )
  await until(async () => assert.ok((await page.innerText('#event')).includes(attacks[1])))
  assert.is(await page.evaluate('window.hurt'), undefined)
  assert.equal(problems, [])
  await close()
})

test('the policy stops what the page itself would not', async () => {
  const { page, close } = await dashboard.open()
  const stopped = await page.evaluate<string[]>(`new Promise(resolve => {
    const found = []
    document.addEventListener('securitypolicyviolation', event => {
      found.push(event.effectiveDirective)
      if (found.length === 3) resolve(found.sort())
    })
    document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.hurt=1"><form action="https://evil.example/"><button id="away">x</button></form>')
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hurt=1' }))
    fetch('https://evil.example/').catch(() => {})
  })`)
  assert.is(await page.evaluate('window.hurt'), undefined)
  assert.ok(stopped.includes('script-src-elem'), stopped.join())
  assert.ok(stopped.includes('connect-src'), stopped.join())
  await close()
})

test('no other site may show the dashboard or the login in a frame', async () => {
  const context = await dashboard.browser.newContext()
  const page = await context.newPage()
  const frames = ['', 'login', 'analytics/v1'].map(path => `<iframe src="${dashboard.url}/${path}"></iframe>`).join('')
  await page.route('http://evil.example/', route => route.fulfill({ contentType: 'text/html', body: frames }))
  await page.goto('http://evil.example/')
  // A refused frame shows an error of the browser's own.
  await until(async () =>
    assert.equal(
      page
        .frames()
        .slice(1)
        .map(frame => frame.url()),
      Array(3).fill('chrome-error://chromewebdata/'),
    ),
  )
  await context.close()
})

test.run()
