// `footfall serve` as its owner meets it: the first start and the stop.
import { once } from 'node:events'
import { mkdirSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { programs, type Running, start, temporaryFolder } from '../support/program.ts'
import { until } from '../support/wait.ts'

const folder = temporaryFolder()
const started: Running[] = []
const serve = async (...args: Parameters<typeof start>): Promise<Running> => {
  const running = await start(...args)
  started.push(running)
  return running
}

test.after(() => {
  for (const { process: child } of started) child.kill('SIGKILL')
  folder.remove()
})

for (const program of programs) {
  const data = folder.path(`${program.name}.db`)

  needs(...program.needs)(
    `${program.name}: the first start shows once how to log in and what to paste, and says where it listens`,
    async () => {
      const first = await serve(['--data', data], { program })
      assert.match(first.url, /^http:\/\/127\.0\.0\.1:\d+$/)
      assert.match(first.output.stdout, /\n {2}login +admin\n {2}password +[A-Za-z0-9]{24}\n/)
      assert.match(
        first.output.stdout,
        new RegExp(`\\n {2}${first.url}/\\S*[A-Za-z0-9_-]{22,}\\n`),
        'there is no login link',
      )
      assert.match(
        first.output.stdout,
        new RegExp(`\\n {2}<script [^\\n]*src="${first.url}/tracker\\.js"[^\\n]*></script>\\n`),
      )
      assert.ok(first.output.stdout.endsWith(`\nlistening on ${first.url}\n`))
      first.process.kill('SIGTERM')
      assert.is(await first.ended, 0)

      const second = await serve(['--data', data], { program })
      assert.is(second.output.stdout, `listening on ${second.url}\n`)
      second.process.kill('SIGINT')
      assert.is(await second.ended, 0)
      assert.is(statSync(data).mode & 0o777, 0o600)
    },
  )
}

test('for WordPress, the first start says how to connect the plugin, and nothing of tags or proxies', async () => {
  const data = folder.path('wordpress.db')
  const first = await serve(['--data', data, '--for-wordpress'])
  const { stdout } = first.output
  assert.match(stdout, '\n  footfall wordpress-plugin /tmp/footfall-wordpress.zip\n')
  assert.match(stdout, `\n  footfall connect wordpress --data ${data}\n`)
  assert.match(stdout, /\n {2}login +admin\n {2}password +[A-Za-z0-9]{24}\n/)
  assert.not.match(stdout, /<script|proxy|--public-url|token=/)
  first.process.kill('SIGTERM')
  await first.ended
  const second = await serve(['--data', data, '--for-wordpress'])
  assert.is(second.output.stdout, `listening on ${second.url}\n`)
  second.process.kill('SIGTERM')
  await second.ended
})

const shownAddresses: readonly [name: string, args: readonly string[], site: string | null][] = [
  [
    'a site on the same host',
    ['--site-url', 'https://shop.example/', '--root-path', '/stats'],
    'https://shop.example/stats',
  ],
  ['its own name', ['--public-url', 'https://numbers.example'], 'https://numbers.example'],
  [
    'its own name and a path',
    ['--public-url', 'https://shop.example', '--root-path', '/stats'],
    'https://shop.example/stats',
  ],
  [
    'a name that has the path',
    ['--public-url', 'https://shop.example/stats', '--root-path', '/stats'],
    'https://shop.example/stats',
  ],
  ['a host of its own, unnamed', ['--site-url', 'https://shop.example'], null],
]
shownAddresses.forEach(([name, args, site], index) => {
  test(`behind a proxy: ${name}`, async () => {
    const { url, output, process: child, ended } = await serve(['--data', folder.path(`public-${index}.db`), ...args])
    const shown = site ?? url
    assert.match(output.stdout, `\n  ${shown}/login?token=`)
    assert.match(output.stdout, `\n  <script defer src="${shown}/tracker.js"></script>\n`)
    // A tag that works on this machine only is never shown without saying so.
    assert.is(output.stdout.includes(`${url} is this machine's own address.`), site === null)
    assert.is(output.stdout.includes(`dashboard at ${shown}/\n`), site !== null)
    assert.ok(output.stdout.endsWith(`\nlistening on ${url}\n`))
    child.kill('SIGTERM')
    assert.is(await ended, 0)
  })
})

test('the password of the environment is taken and not shown', async () => {
  const env = { FOOTFALL_ADMIN_PASSWORD: 'a password of mine', FOOTFALL_LOG_LEVEL: 'debug' }
  const { process: child, ended, output } = await serve(['--data', folder.path('password.db')], { env })
  child.kill('SIGTERM')
  assert.is(await ended, 0)
  assert.match(output.stdout, /password +the one in FOOTFALL_ADMIN_PASSWORD\n/)
  assert.not.match(output.stdout + output.stderr, 'a password of mine')
})

test('without --data the file is footfall.db in the working folder', async () => {
  mkdirSync(folder.path('working'))
  const { process: child, ended } = await serve([], { cwd: folder.path('working') })
  assert.ok(statSync(folder.path('working/footfall.db')).isFile())
  child.kill('SIGTERM')
  assert.is(await ended, 0)
})

const half =
  'POST /analytics/v1/hit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 17\r\nExpect: 100-continue\r\n\r\n{"page_ur'

/** A request that the service is reading: it has asked for the rest. */
const sendHalf = async (url: string): Promise<Socket> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  socket.write(half)
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 100 /)
  return socket
}

/** A second signal that comes before the first is handled does not count. */
const stopping = ({ output }: Running): Promise<void> => until(() => assert.match(output.stderr, / stopping /))

test('SIGTERM lets a request under way come to its end', async () => {
  const running = await serve(['--data', folder.path('stop.db')])
  const { url, process: child, ended } = running
  const socket = await sendHalf(url)
  child.kill('SIGTERM')
  await stopping(running)
  await new Promise(later => setTimeout(later, 200))
  assert.is(child.exitCode, null, 'it did not wait')
  socket.write('l":"/a"}')
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 \d{3} /)
  assert.is(await ended, 0)
})

test('a second signal ends it at once', async () => {
  const running = await serve(['--data', folder.path('twice.db')])
  const { url, process: child, ended, output } = running
  await sendHalf(url)
  child.kill('SIGTERM')
  await stopping(running)
  child.kill('SIGTERM')
  assert.is(await ended, 1)
  assert.not.match(output.stderr, 'did not stop within')
})

test('after kill -9 it starts again without help', async () => {
  const data = folder.path('killed.db')
  const killed = await serve(['--data', data])
  killed.process.kill('SIGKILL')
  assert.is(await killed.ended, 'SIGKILL')
  const again = await serve(['--data', data])
  again.process.kill('SIGTERM')
  assert.is(await again.ended, 0)
})

test.run()
