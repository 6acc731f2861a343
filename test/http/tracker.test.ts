// The tracker as the service sends it.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withService } from '../support/service.ts'

const load = async (url: string, etag = ''): Promise<{ status: number; text: string; etag: string | null }> => {
  const response = await fetch(url, { headers: { 'if-none-match': etag } })
  return { status: response.status, text: await response.text(), etag: response.headers.get('etag') }
}

/** The path of the API and the names of --keep-query in a script. */
const filledIn = (text: string): unknown => [
  text.includes('"../wp-json/analytics/v1"') || text.includes('"wp-json/analytics/v1"'),
  /&\(\?:\((.*?)\)=/.exec(text)?.[1],
  text.includes('__FOOTFALL'),
]

test('the tracker holds the way to the API and the parameters of the service, at each of its paths', async () => {
  let old = ''
  const flags = { basePath: '/wp-json', trackerPath: '/js/t.js' }
  await withService({ flags: { ...flags, keepQuery: 'p,sku' } }, async ({ service }) => {
    for (const path of ['/tracker.js', '/js/t.js', '/tracker.core.js', '/js/t.core.js']) {
      const { text, etag } = await load(service.url + path)
      assert.equal(filledIn(text), [true, 'p|sku', false], path)
      assert.is((await load(service.url + path, etag ?? '')).status, 304)
      if (path === '/tracker.js') old = etag ?? ''
    }
  })
  await withService({ flags: { ...flags, keepQuery: 'p,lang' } }, async ({ service }) => {
    const { status, text } = await load(`${service.url}/tracker.js`, old)
    assert.is(status, 200, 'the option has changed the script')
    assert.equal(filledIn(text), [true, 'p|lang', false])
  })
})

test.run()
