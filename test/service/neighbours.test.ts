// What WordPress on the same machine uses: a Unix socket, and answers that are signed by the secret that both have.
import { createHmac } from 'node:crypto'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { type Running, start, temporaryFolder } from '../support/program.ts'

const folder = temporaryFolder()
const [data, path] = [folder.path('a.db'), folder.path('footfall.sock')]
let service: Running

test.before(async () => {
  service = await start(['--data', data, '--listen', `unix:${path}`])
})
test.after(async () => {
  service.process.kill('SIGTERM')
  await service.ended
  folder.remove()
})

type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string }
type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer }

const ask = ({ body, ...sent }: Sent, socketPath = path): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request({ socketPath, agent: false, ...sent }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      )
    })
      .on('error', reject)
      .end(body)
  })

const connect = async (...args: string[]): Promise<string> => {
  const { stdout, stderr } = await footfallHere(['connect', 'wordpress', '--data', data, ...args])
  assert.is(stderr, '')
  return stdout
}

const hit = (forwarded: string): Sent => ({
  method: 'POST',
  path: '/analytics/v1/hit',
  headers: { 'content-type': 'text/plain', 'x-forwarded-for': forwarded, 'x-footfall-check': '1' },
  body: '{"page_url":"https://example.org/"}',
})

test('at the socket it answers all users of the machine as at its port, and takes the address that they pass on', async () => {
  assert.is(statSync(path).mode & 0o777, 0o666)
  assert.is((await ask({ path: '/healthz' })).status, 200)
  assert.is((await ask({ path: '/' })).headers['content-type'], 'text/html; charset=utf-8')
  assert.is((await ask(hit('203.0.113.9'))).headers['x-footfall-check'], 'public')
  assert.is.not((await ask(hit('10.0.0.9'))).headers['x-footfall-check'], 'public')
  assert.is((await fetch(`${service.url}/healthz`)).status, 200)
  assert.match(await connect(), ` --address=unix:${path}\n`)
  assert.match(await connect('--address', 'unix:/run/other.sock'), ' --address=unix:/run/other.sock\n')
  assert.match(await connect('--address', service.url), ` --address=${service.url}\n`)
})

const number = '0123456789abcdef0123456789abcdef'

test('an answer to a numbered request is signed by each secret: number, status and body', async () => {
  const secrets = await Promise.all([1, 2].map(async () => /^ {2}Secret +(\S+)$/m.exec(await connect())?.[1] ?? ''))
  const headers = { 'x-footfall-request': number }
  for (const sent of [
    { path: '/' },
    { path: '/dashboard.js' },
    { path: '/none' },
    { path: '/analytics/v1/summary' },
    { path: '/analytics/v1/openapi.json' },
    { method: 'OPTIONS', path: '/analytics/v1/summary' },
    hit('203.0.113.9'),
    { ...hit('203.0.113.9'), body: '{' },
  ]) {
    const plain = await ask(sent)
    const answer = await ask({ ...sent, headers: { ...sent.headers, ...headers } })
    assert.is(answer.status, plain.status, sent.path)
    for (const name of ['content-type', 'content-length', 'cache-control'])
      assert.is(answer.headers[name], plain.headers[name], `${name} of ${sent.path}`)
    assert.equal(answer.body, plain.body, sent.path)
    assert.is(plain.headers['x-footfall-signature'], undefined)
    const signatures = String(answer.headers['x-footfall-signature']).split(',')
    for (const secret of secrets) {
      const expected = createHmac('sha256', secret)
        .update(`footfall-answer\n${number}\n${answer.status}\n`)
        .update(answer.body)
        .digest('hex')
      assert.ok(signatures.includes(expected), sent.path)
    }
  }
  // What is no number is not signed: nobody lets the service sign what they choose.
  for (const other of ['', 'x', `${number}0`, number.toUpperCase(), `${number}\tx`])
    assert.is(
      (await ask({ path: '/', headers: { 'x-footfall-request': other } })).headers['x-footfall-signature'],
      undefined,
    )
})

test('without a secret it says so', async () => {
  const one = await start(['--data', folder.path('b.db')])
  const answer = await fetch(`${one.url}/`, { headers: { 'x-footfall-request': number } })
  assert.equal([answer.status, answer.headers.get('x-footfall-signature')], [200, 'none'])
  one.process.kill('SIGTERM')
  await one.ended
})

const startAt = async (socket: string): Promise<Running | string> => {
  const args = ['--data', folder.path('c.db'), '--listen', `unix:${socket}`]
  return start(args).catch(error => String(error))
}

test('a socket that a killed service has left is replaced; what others have there is not', async () => {
  const socket = folder.path('left.sock')
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const one = await startAt(socket)
    if (typeof one === 'string') return assert.unreachable(one)
    assert.is((await ask({ path: '/healthz' }, socket)).status, 200)
    one.process.kill(signal)
    await one.ended
    assert.is(existsSync(socket), signal === 'SIGKILL')
  }
  const [file, taken] = [folder.path('file'), folder.path('taken.sock')]
  writeFileSync(file, 'kept')
  const other = createServer().listen(taken).unref()
  assert.match(String(await startAt(file)), /or there is a file\. Choose another path with --listen/)
  assert.match(String(await startAt(taken)), /Another program listens at/)
  assert.match(String(await startAt(folder.path('none/a.sock'))), /or its folder is missing\. Choose another path/)
  assert.is(statSync(file).size, 4)
  other.close()
})

test.run()
