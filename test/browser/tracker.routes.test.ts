// Navigation however a router makes it, and links wherever they are in the page.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import type { Sent } from './collector.ts'
import { namesAndProperties, scenariosFor } from './scenario.ts'
import { html } from './site.ts'

const test = needs('chromium')

const scenario = scenariosFor(test)

const pathsOf = (sent: Sent[]): string[] => sent.map(({ body }) => new URL(String(body.page_url)).pathname)
/** Pages with the tracker at these paths. */
const at =
  (...paths: string[]) =>
  (tag: string) =>
    Object.fromEntries(paths.map(path => [path, html({ title: path, head: tag })]))

const wait = 'await new Promise(done => setTimeout(done, 400))'

scenario('each page of a router on the Navigation API is a view', {}, async ({ page, visit, all }) => {
  await visit('/')
  await page.evaluate(`(async () => {
    navigation.addEventListener('navigate', event => event.intercept({ handler: async () => {} }))
    for (const to of ['/a', '/b', '/c']) { await navigation.navigate(to).finished; ${wait} }
    History.prototype.pushState.call(history, null, '', '/d'); ${wait}
    history.pushState(null, '', '/e'); ${wait}
    await navigation.back().finished; ${wait}
  })()`)
  assert.equal(pathsOf(await all('hit')), ['/', '/a', '/b', '/c', '/d', '/e', '/d'])
})

scenario('without the Navigation API the address is looked at', {}, async ({ page, visit, collector }) => {
  await page.addInitScript('delete Window.prototype.navigation; delete window.navigation')
  await visit('/')
  await page.evaluate(`history.pushState(null, '', '/a')`)
  assert.is(new URL(String((await collector.next('hit')).body.page_url)).pathname, '/a')
})

scenario('an address that is replaced at once is one view', { pages: at('/redirect') }, async ({ page, all, site }) => {
  await page.addInitScript(
    `if (location.pathname === '/redirect') setTimeout(() => history.replaceState(null, '', '/en/redirect'), 50)`,
  )
  await page.goto(site.url('/redirect'))
  const [hit, ...others] = pathsOf(await all('hit'))
  assert.equal([hit, others], ['/en/redirect', []])
})

scenario('a later replacement is another view', { pages: at('/step') }, async ({ page, visit, all }) => {
  await visit('/step')
  await page.evaluate(`(async () => { ${wait}; history.replaceState(null, '', '/step/2'); ${wait} })()`)
  assert.equal(pathsOf(await all('hit')), ['/step', '/step/2'])
})

const routes = `(async () => {
  for (const to of ['#/users', '#/users?tab=2', '#/users/7', '#top']) { location.hash = to; ${wait} }
})()`

scenario('a hash router is one view', { pages: at('/app/') }, async ({ page, visit, all }) => {
  await visit('/app/')
  await page.evaluate(routes)
  assert.equal(pathsOf(await all('hit')), ['/app/'])
})

scenario(
  'a hash router with data-routes has its pages',
  { attributes: 'data-routes="hash"', pages: at('/app/') },
  async ({ page, visit, all }) => {
    await visit('/app/?utm_source=mail#/start')
    await page.evaluate(routes)
    const hits = await all('hit')
    assert.equal(pathsOf(hits), ['/app/start', '/app/users', '/app/users/7', '/app/'])
    assert.match(String(hits[0]?.body.page_url), /\?utm_source=mail$/)
  },
)

const links = `
  <div id="host"></div>
  <svg width="20" height="20"><a href="https://svg.test/x"><rect id="svg" width="20" height="20"/></a></svg>
  <svg width="20" height="20"><a href="/files/svg.pdf"><rect id="svg-file" width="20" height="20"/></a></svg>
  <svg width="20" height="20"><a href="#x"><rect id="svg-own" width="20" height="20"/></a></svg>
  <map name="m"><area id="area" shape="rect" coords="0,0,20,20" href="https://area.test/y"></map>
  <img usemap="#m" width="20" height="20" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
  <a id="bad" href="http://">bad</a> <a id="mail" href="mailto:a@b.test">mail</a>
  <script>
    const root = document.getElementById('host').attachShadow({ mode: 'open' })
    root.innerHTML = '<a id="in" href="https://shadow.test/z"><b>out</b></a> <a id="file" href="/a.zip">file</a>' +
      '<button id="own" data-footfall-event="signup" data-footfall-event-plan="pro">own</button><slot></slot>'
    addEventListener('click', event => event.preventDefault())
  </script>`

scenario(
  'links in shadow roots, in SVG and in image maps are reported',
  { body: links },
  async ({ page, visit, all }) => {
    await visit()
    for (const link of ['#in b', '#file', '#own', '#svg', '#svg-file', '#svg-own', '#bad', '#mail'])
      await page.click(link)
    await page.evaluate(`document.getElementById('area').click()`)
    assert.equal(namesAndProperties(await all('event')), [
      ['outbound_link', { url: 'shadow.test/z' }],
      ['file_download', { file: '/a.zip' }],
      ['signup', { plan: 'pro' }],
      ['outbound_link', { url: 'svg.test/x' }],
      ['file_download', { file: '/files/svg.pdf' }],
      ['outbound_link', { url: 'area.test/y' }],
    ])
  },
)

test.run()
