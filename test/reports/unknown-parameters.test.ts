// A parameter that a report does not take is refused if it is a misspelt one or a filter, else named in meta.ignored.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'

import { withService } from '../support/service.ts'

const range = 'from=2026-03-10&to=2026-03-10'

const refused: readonly [path: string, name: string, sentence: RegExp][] = [
  [`/summary?${range}&contry=DE`, 'contry', /Did you mean country\?$/],
  [`/summary?${range}&Country=DE`, 'Country', /Did you mean country\?$/],
  [`/pages?${range}&utmcampagn=x`, 'utmcampagn', /Did you mean utm_campaign\?$/],
  // Two letters in the wrong order are one mistake.
  [`/pages?${range}&devcie=mobile`, 'devcie', /Did you mean device\?$/],
  ['/pages?form=2026-03-10', 'form', /Did you mean from\?$/],
  [`/pages?${range}&pgae=/a`, 'pgae', /Did you mean page\?$/],
  [`/pages?${range}&serch=x`, 'serch', /Did you mean search\?$/],
  [`/pages?${range}&pages[]=/a`, 'pages', /Did you mean page\?$/],
  ['/realtime?country=DE', 'country', /does not take the filter country\.$/],
  ['/revenue/summary?device=mobile', 'device', /does not take the filter device\. It takes entry_page, /],
]

test('a misspelt parameter and a filter that the report does not take are refused by name', () =>
  withService({}, async ({ api }) => {
    for (const [path, name, sentence] of refused) {
      const { status, body } = await api(path)
      assert.equal([status, body.code], [400, 'rest_invalid_param'], path)
      assert.match(body.data.params[name], sentence, path)
    }
  }))

test('any other name is in meta.ignored, but those of the platform', () =>
  withService({}, async ({ api, hit, settled }) => {
    await hit({ page_url: '/a' })
    await settled()
    const { status, body } = await api(
      `/summary?${range}&cache=1&cache=2&tz[]=1&nothing=&_fields=&_locale=user&rest_route=/x&x=1`,
    )
    assert.equal([status, body.meta.ignored], [200, ['cache', 'tz', 'nothing', 'x']])
    assert.is(body.data.totals.views, 1)
    assert.not.ok('ignored' in (await api(`/summary?${range}`)).body.meta)
    // Bare objects ignore unknown names without a word.
    assert.is((await api('/settings?contry=DE')).status, 200)
    // A long list costs little and is cut.
    const many = Array.from({ length: 300 }, (_, at) => `${'z'.repeat(20)}${at}=1`).join('&')
    assert.is((await api(`/summary?${range}&${many}`)).body.meta.ignored.length, 50)
  }))

test('the command line refuses all of them', () =>
  withFolder(async folder => {
    const data = join(folder, 'test.db')
    await withService({ file: data }, async () => {})
    const report = (request: string) => footfallHere(['report', request, '--data', data])
    for (const [request, sentence] of [
      ['pages?contry=DE', /Did you mean country\?/],
      ['revenue/summary?device=mobile', /does not take the filter device/],
      ['pages?cache=1', /There is no parameter cache\. Parameters: from, to,/],
    ] as const) {
      const { status, stderr } = await report(request)
      assert.is(status, 2, stderr)
      assert.match(stderr, sentence)
    }
    assert.equal([(await report('pages?limit=5')).status, (await report('realtime')).status], [0, 0])
  }))

test.run()
