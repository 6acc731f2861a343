// Links by which a visitor leaves this device out of the figures, such as a phone where nobody can call `footfall()`.

import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { scenariosFor, settle, stub } from './scenario.ts'
import { html } from './site.ts'

const test = needs('chromium')

const scenario = scenariosFor(test)

const kept = (page: Page): Promise<unknown> => page.evaluate('({ ...localStorage })')

/** Answers all questions of a page, and lists them. */
const answer = (page: Page, agrees: boolean): string[] => {
  const questions: string[] = []
  page.removeAllListeners('dialog')
  page.on('dialog', async dialog => {
    questions.push(`${dialog.type()}: ${dialog.message()}`)
    await (agrees ? dialog.accept() : dialog.dismiss())
  })
  return questions
}

const out = 'confirm: Analytics: opt out?'
const back = 'confirm: Analytics: opt in?'

scenario(
  'who agrees is not counted, from this page on, until the way back',
  {},
  async ({ page, site, collector, visit, all }) => {
    const questions = answer(page, true)
    await page.goto(site.url('/a?x=1#footfall=out'))
    await page.evaluate('footfall("x")')
    await settle(page, collector)
    assert.equal(questions, [out])
    assert.is(page.url(), site.url('/a?x=1'), 'path and query stay')
    assert.equal(await kept(page), { footfall: 'out' })
    await page.reload()
    await page.goto(site.url('/b'))
    await settle(page, collector)
    assert.equal(questions, [out], 'read once')
    assert.equal(collector.received, [])

    const { body } = await visit('/?y=2#footfall=in')
    assert.is(body.page_url, site.url('/?y'))
    assert.equal(questions, [out, back])
    assert.equal(await kept(page), {})
    assert.is((await all('hit')).length, 1)
  },
)

scenario('who declines is counted as ever, once', {}, async ({ page, site, visit, all }) => {
  const questions = answer(page, false)
  const { body } = await visit('/a?x=1#footfall=out')
  assert.is(body.page_url, site.url('/a?x'))
  assert.equal([questions, page.url(), await kept(page)], [[out], site.url('/a?x=1'), {}])
  assert.is((await all('hit')).length, 1)
})

scenario('who declines the way back stays left out', {}, async ({ page, site, collector }) => {
  answer(page, true)
  await page.goto(site.url('/a#footfall=out'))
  const questions = answer(page, false)
  await page.goto(site.url('/b#footfall=in'))
  await settle(page, collector)
  assert.equal([questions, page.url(), await kept(page)], [[back], site.url('/b'), { footfall: 'out' }])
  assert.equal(collector.received, [])
})

scenario(
  'a link within the page asks, too, and adds no view',
  { body: '<a id="out" href="#footfall=out">out</a> <a id="in" href="#footfall=in">in</a>' },
  async ({ page, site, collector, visit, all }) => {
    const questions = answer(page, true)
    const { body } = await visit('/a')
    await page.click('#out')
    await page.waitForFunction('localStorage.footfall')
    await page.evaluate('footfall("x")')
    await settle(page, collector)
    assert.is(page.url(), site.url('/a'))
    assert.is(collector.received.length, 1)
    await page.click('#in')
    assert.is((await collector.next('hit')).body.pvid, body.pvid, 'the view is sent again, with the same id')
    assert.equal(questions, [out, back])
    assert.is((await all('event')).length, 0)
  },
)

const late = (tag: string): Record<string, string> => ({
  '/': html({
    head: stub,
    body: `<script>
      history.replaceState({ router: 1 }, '')
      footfall('early')
      setTimeout(() => document.body.append(document.createRange().createContextualFragment(\`${tag.replace('</', '<\\/')}\`)), 300)
    </script>`,
  }),
})

scenario(
  'a script that loads late reads the link, and keeps what a router has stored',
  { pages: late },
  async ({ page, site, collector }) => {
    const questions = answer(page, true)
    await page.goto(site.url('/#footfall=out'))
    await page.waitForFunction('footfall.ready')
    await settle(page, collector)
    assert.equal([questions, page.url(), await page.evaluate('history.state')], [[out], site.url('/'), { router: 1 }])
    assert.equal(collector.received, [])
  },
)

scenario('other fragments are left to the page', {}, async ({ page, site, collector, visit }) => {
  const questions = answer(page, true)
  const others = [
    '#/footfall=out',
    '#footfall=outlet',
    '#footfall=',
    '#x#footfall=out',
    '#Footfall=out',
    '#/a?footfall=out',
  ]
  await visit('/a')
  for (const fragment of others) {
    await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`)
    await page.reload()
    await collector.next('hit')
    assert.is(page.url(), site.url(`/a${fragment}`))
  }
  assert.equal([questions, await kept(page)], [[], {}])
})

scenario(
  'in mode full the flag takes the place of the id',
  { attributes: 'data-mode="full" data-consent="granted"' },
  async ({ page, site, collector, visit }) => {
    answer(page, true)
    const first = await visit('/a')
    assert.equal(await kept(page), { footfall: first.body.visitor_id })
    await page.goto(site.url('/b#footfall=out'))
    await settle(page, collector)
    assert.equal(await kept(page), { footfall: 'out' })
    assert.not(collector.received.some(({ kind, body }) => kind === 'hit' && body.pvid !== first.body.pvid))
    const { body } = await visit('/a#footfall=in')
    assert.equal(await kept(page), { footfall: body.visitor_id })
    assert.is.not(body.visitor_id, first.body.visitor_id)
  },
)

const noStorage = `${stub}<script>Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied') } })</script>`

scenario(
  'where storage is refused the answer holds for the page, without an error',
  { head: noStorage },
  async ({ page, site, collector, visit }) => {
    const questions = answer(page, true)
    await page.goto(site.url('/a#footfall=out'))
    await page.evaluate('footfall("x")')
    await settle(page, collector)
    assert.equal([questions, page.url(), collector.received], [[out], site.url('/a'), []])
    assert.is((await visit('/b')).body.page_url, site.url('/b'))
  },
)

test.run()
