// `wp footfall`: connecting without the secret on the command line, disconnecting, reports in other forms, its help.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { needs, wordpress } from '../support/needs.ts'
import { startWordPress, until, type WordPress } from '../support/wordpress.ts'
import { viewsOf } from './essential.ts'

const test = needs(...wordpress)

let site: WordPress
test.before(async () => {
  site = await startWordPress({ connected: false })
})
test.after(() => site.stop())

/** Runs WP-CLI with a text on standard input. */
const wpWith = (input: string, ...args: string[]): Promise<string> =>
  new Promise(resolve => {
    const child = execFile(join(site.folder, 'site/wp'), args, (_error, stdout, stderr) => resolve(stdout + stderr))
    child.stdin?.end(input)
  })

test('the secret is read from standard input; disconnected, nothing is counted', async () => {
  const { wp, service, data } = site
  const { stdout } = await footfallHere(['connect', 'wordpress', '--address', service.url, '--data', data])
  const [, line = '', secret = ''] = /^ {2}wp (footfall connect \S+)$.*^ {2}Secret +(\S+)$/ms.exec(stdout) ?? []
  assert.is(line, `footfall connect --address=${service.url}`)
  assert.match(await wpWith('', ...line.split(' ')), /at least 32 characters/)
  assert.match(await wpWith(`${secret}\n`, ...line.split(' ')), /Success: Connected with Footfall/)
  assert.is((await site.hit({ page_url: `${site.url}/hello-world/` })).status, 204)
  await until(
    () => viewsOf(site),
    found => found['/hello-world'] === 1,
  )
  assert.match(await wp('footfall', 'disconnect'), /Disconnected\. .* "footfall connect revoke" on the server\.$/)
  assert.match(String(await wp('footfall', 'status').catch(error => error.stderr)), /not connected yet/)
  assert.is((await site.hit({ page_url: `${site.url}/hello-world/` })).status, 503)
  assert.not((await (await fetch(site.url)).text()).includes('footfall-js'))
  assert.match(await wpWith(secret, ...line.split(' ')), /Success: Connected/)
})

test('reports as JSON, tables and CSV, with a limit', async () => {
  const { wp } = site
  assert.is((await site.hit({ page_url: `${site.url}/sample-page/` })).status, 204)
  await until(
    () => viewsOf(site),
    found => found['/sample-page'] === 1,
  )
  const whole = JSON.parse(await wp('footfall', 'report', 'pages'))
  assert.equal([whole.data.length, 'meta' in whole], [2, true])
  const rows = (await wp('footfall', 'report', 'pages', '--limit=1', '--format=csv')).split('\n')
  assert.match(rows[0] ?? '', /^page,title,visitors,views,/)
  assert.match(rows[1] ?? '', /^\/hello-world,.*,1,1,/)
  assert.is(rows.length, 2)
  assert.match(await wp('footfall', 'report', 'summary', '--format=csv'), /^name,value\n(.*\n)*totals\.views,2\n/)
  // A table for people, where the output is no terminal tabs.
  assert.match(await wp('footfall', 'report', 'sources', '--format=table'), /channel.*source.*\n.*Direct/s)
  assert.match(await wpWith('', 'footfall', 'report', 'pages', '--limit=0'), /Error: .*limit/)
  assert.match(await wpWith('', 'footfall', 'report', 'pages', '--format=xml'), /Error: .*format/s)
})

test('its help has no marks of comments, and names all commands', async () => {
  const help = await site.wp('help', 'footfall')
  for (const name of ['connect', 'content', 'disconnect', 'history', 'orders', 'report', 'status'])
    assert.match(help, ` ${name} `)
  for (const name of ['connect', 'content', 'disconnect', 'history', 'orders', 'report', 'status'])
    assert.not.match(`${help}${await site.wp('help', 'footfall', name)}`, /\/\*\*|\*\/|@param/)
  assert.match(await site.wp('help', 'footfall', 'orders'), '--cancel')
  assert.equal(site.warnings(), [])
})

test.run()
