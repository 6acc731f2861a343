// What a client may send that is wrong, and how the server ends: by lines, as they are on the wire.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, renameSync } from 'node:fs'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { openDatabase } from '../../src/database/open.ts'
import { footfallHere } from '../support/command.ts'
import { keepOpen } from '../support/keep-open.ts'
import { closeAssistants, connectAssistant } from '../support/mcp-client.ts'
import { needs } from '../support/needs.ts'
import { footfall, programs, sources, temporaryFolder } from '../support/program.ts'

const { path, remove } = temporaryFolder()
const data = path('site.db')
openDatabase(data).db.close()
test.after(async () => {
  await closeAssistants()
  remove()
})

const initialize = (protocolVersion: string): object => ({
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})
const ping = (id: unknown): object => ({ jsonrpc: '2.0', id, method: 'ping' })

/** What the server answers to lines, then to the end of its input. */
const answersTo = async (
  lines: readonly (string | object)[],
): Promise<{ status: number; messages: any[]; stderr: string }> => {
  const input = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const { status, stdout, stderr } = await footfallHere(['mcp', '--data', data], { input })
  return {
    status,
    messages: stdout
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line)),
    stderr,
  }
}

const errorsOf = (messages: any[]): unknown[] => messages.map(({ id, error }) => [id, error?.code])

test('a version that is known is taken, any other is answered with the newest', async () => {
  for (const [wanted, given] of [
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1.0', '2025-11-25'],
  ] as const) {
    const { status, messages } = await answersTo([
      initialize(wanted),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ])
    assert.is(status, 0)
    assert.is(messages.length, 1)
    assert.is(messages[0].result.protocolVersion, given)
  }
})

test('what is not a message gets an error, and the next one its answer', async () => {
  const { status, messages, stderr } = await answersTo([
    '{"jsonrpc":"2.0","id":1,',
    '',
    '"text"',
    'null',
    { id: 2, method: 'ping' },
    { jsonrpc: '2.0', id: null, method: 'ping' },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', id: 3 },
    { jsonrpc: '2.0', id: 4, method: 'no/such' },
    { jsonrpc: '2.0', id: 5, method: 'constructor' },
    { jsonrpc: '2.0', id: 6, method: 'tools/call', params: [] },
    { jsonrpc: '2.0', id: 7, method: 'tools/call', params: {} },
    { jsonrpc: '2.0', id: 8, method: 'resources/read', params: { uri: 'footfall://secrets' } },
    { jsonrpc: '2.0', id: 9, result: {} },
    { jsonrpc: '2.0', method: 'no/such' },
    ping(10),
  ])
  assert.is(status, 0, stderr)
  const byId = (a: any, b: any): number => Number(a[0]) - Number(b[0])
  assert.equal(errorsOf(messages).sort(byId), [
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [2, -32600],
    [3, -32600],
    [4, -32601],
    [5, -32601],
    [6, -32602],
    [7, -32602],
    [8, -32002],
    [10, undefined],
  ])
  assert.is(stderr, '')
})

test('a line of 5 MiB is refused without being kept, and one that is not UTF-8 is no JSON', async () => {
  const huge = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(5 * 2 ** 20)}"}}`
  const { status, messages } = await answersTo([huge, ping(2)])
  assert.equal(
    [status, errorsOf(messages)],
    [
      0,
      [
        [null, -32700],
        [2, undefined],
      ],
    ],
  )
  const broken = await footfallHere(['mcp', '--data', data], { input: Buffer.from([0xff, 0xfe, 0x00, 0x0a]) })
  assert.equal([broken.status, JSON.parse(broken.stdout).error.code], [0, -32700])
})

test('lists of messages are taken where the version has them', async () => {
  const list = [ping(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, ping(2), 7]
  const taken = await answersTo([initialize('2025-03-26'), list, [{ jsonrpc: '2.0', method: 'notifications/x' }]])
  assert.is(taken.messages.length, 2)
  assert.equal(errorsOf(taken.messages[1]), [
    [1, undefined],
    [2, undefined],
    [null, -32600],
  ])
  assert.equal(errorsOf((await answersTo([initialize('2025-06-18'), list])).messages.slice(1)), [[null, -32600]])
  assert.equal(errorsOf((await answersTo([initialize('2025-03-26'), '[]'])).messages.slice(1)), [[null, -32600]])
})

test('a tool that is unknown is an error of the protocol, wrong arguments are a result with the sentence of the API', async () => {
  const { call, client } = await connectAssistant(['--data', data])
  const unknown = await call('annotate', { text: 'x' }).catch(error => error)
  assert.is(unknown.code, -32602)
  assert.match(unknown.message, /There is no tool annotate\. Tools: report, compare/)
  const cases: [tool: string, args: object, sentence: RegExp][] = [
    ['report', {}, /Missing parameter\(s\): name/],
    ['report', { name: 'nothing' }, /There is no such report\. Reports: summary/],
    ['report', { name: 'pages', limit: 101 }, /limit must be between 1 \(inclusive\) and 100 \(inclusive\)/],
    ['report', { name: 'pages', from: '2026-02-30' }, /date/],
    ['report', { name: 'pages', from: '2026-03-02', to: '2026-03-01' }, /to must not be before from|before/],
    ['report', { name: 'pages', filters: { devise: 'x' } }, /There is no parameter devise\. Did you mean device\?/],
    ['report', { name: 'pages', filters: { country: 'Atlantis' } }, /Atlantis/],
    ['report', { name: 'pages', whatever: 1 }, /whatever is not a valid property/],
    ['report', { name: 'events/none' }, /event/i],
    ['report', { name: 'summary', limit: 5 }, /There is no parameter limit/],
    ['compare', { name: 'realtime' }, /There is no parameter compare/],
    ['compare', { name: 'pages', compare: 'last' }, /compare/],
    ['ask', { text: '' }, /text must be at least 1 character long/],
    ['ask', { text: 'x'.repeat(301) }, /text must be at most 300 characters long/],
    ['answers', { ids: [] }, /ids must contain at least 1 item/],
    ['realtime', { window: 5 }, /window must be between/],
    ['realtime', { explain: true }, /explain is not a valid property/],
  ]
  for (const [tool, args, sentence] of cases) {
    const { isError, text, body } = await call(tool, args)
    assert.equal([isError, body], [true, undefined], `${tool} ${JSON.stringify(args)}`)
    assert.match(text, sentence)
  }
  assert.is((await call('realtime')).isError, false)
  const { tools } = await client.listTools()
  assert.is(tools.length, 9)
  for (const { annotations, inputSchema } of tools) {
    assert.is(annotations?.readOnlyHint, true)
    assert.is(inputSchema.additionalProperties, false)
  }
})

test('a file that is missing, locked, newer or foreign is an error of the tool, and the process stays', async () => {
  const file = path('other.db')
  const { call, client, stderr } = await connectAssistant(['--data', file])
  const failed = async (sentence: RegExp): Promise<void> => {
    const { isError, text } = await call('report', { name: 'pages' })
    assert.is(isError, true)
    assert.match(text, sentence)
    await client.ping()
  }
  await failed(/There is no database .*other\.db/)
  copyFileSync(data, file)
  assert.is((await call('report', { name: 'pages' })).isError, false)

  const db = connect(file)
  db.pragma('locking_mode = exclusive')
  db.exec('begin exclusive')
  await failed(/locked by another process|cannot be read or written at the moment/)
  db.exec('rollback')
  db.pragma('user_version = 9999')
  db.close()
  await failed(/was written by a newer Footfall \(schema 9999/)

  const foreign = connect(path('foreign.db'))
  foreign.exec('create table note(text)')
  foreign.close()
  renameSync(path('foreign.db'), file)
  await failed(/is a database of another program/)
  copyFileSync(data, file)
  assert.is((await call('report', { name: 'pages' })).isError, false)
  assert.is(stderr(), '')
})

test('an address that is not that of the service is an error of the tool', async () => {
  const seen: (string | undefined)[] = []
  const other = createServer(({ url = '', headers }, response) => {
    seen.push(headers.authorization)
    if (url.startsWith('/moved')) response.writeHead(302, { location: 'http://127.0.0.1:1/' })
    else if (url.startsWith('/broken')) response.writeHead(502)
    response.end('<h1>It works!</h1>')
  })
  await new Promise<void>(ready => keepOpen(other).listen(0, '127.0.0.1', ready))
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : 0
  for (const [url, sentence] of [
    [`http://127.0.0.1:${port}`, /The answer \(200\) is not that of Footfall's API/],
    [`http://127.0.0.1:${port}/broken/`, /The answer \(502\) is not that of Footfall's API/],
    [`http://127.0.0.1:${port}/moved`, /redirects elsewhere/],
    ['http://127.0.0.1:1', /^http:\/\/127\.0\.0\.1:1 could not be reached: /],
  ] as const) {
    const { call, client } = await connectAssistant(['--url', url], { env: { FOOTFALL_APP_PASSWORD: 'me:secret' } })
    const { isError, text } = await call('realtime')
    assert.is(isError, true)
    assert.match(text, sentence)
    await client.ping()
  }
  assert.equal(seen, Array(3).fill(`Basic ${btoa('me:secret')}`))
  other.close()
})

test('only --allow-annotations adds a tool that writes', async () => {
  const { call, client } = await connectAssistant(['--data', data, '--allow-annotations'])
  const { tools } = await client.listTools()
  assert.equal(
    tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name),
    ['annotate'],
  )
  const { body, text } = await call('annotate', { text: 'New theme', at: '2026-03-01', kind: 'deploy' })
  assert.equal([body.text, body.at, body.kind, body.by], ['New theme', '2026-03-01', 'deploy', 'cli'])
  assert.match(text, /^Annotation \d+ was added at 2026-03-01\.$/)
  const noted = await call('annotations', { from: '2026-03-01', to: '2026-03-02', automatic: false })
  assert.equal(noted.body.data, [body])
})

const open = (program = sources): { child: ChildProcessWithoutNullStreams; next: () => Promise<any> } => {
  const [file, ...words] = program.command
  const child = spawn(file, [...words, 'mcp', '--data', data])
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { child, next: async () => JSON.parse(String((await lines.next()).value)) }
}

for (const program of programs)
  needs(...program.needs)(`${program.name} ends with its input, and by SIGTERM, with exit code 0`, async () => {
    for (const end of ['input', 'SIGTERM'] as const) {
      const { child, next } = open(program)
      child.stdin.write(`${JSON.stringify(initialize('2025-06-18'))}\n`)
      assert.is((await next()).id, 'first')
      const closed = once(child, 'close')
      if (end === 'input') child.stdin.end()
      else child.kill(end)
      assert.equal(await closed, [0, null], end)
    }
    const assistant = await connectAssistant(['--data', data], { program })
    assert.is((await assistant.call('realtime')).body.data.active_visitors, 0)
  })

test('--print-config prints what starts it', () => {
  const printed = (...args: string[]) => footfall(['mcp', '--print-config', ...args])
  const { command, args } = JSON.parse(printed('--data', data).stdout).mcpServers.footfall
  assert.equal([command, ...args], [...sources.command, 'mcp', '--data', data])
  const remote = printed('--url', 'https://stats.example.org/', '--no-visitor-text')
  const { env, args: given } = JSON.parse(remote.stdout).mcpServers.footfall
  assert.equal(
    given.slice(-3),
    ['--url', 'https://stats.example.org/', '--no-visitor-text'].map(one => one.replace(/\/$/, '')),
  )
  assert.equal(env, { FOOTFALL_APP_PASSWORD: 'LOGIN:PASSWORD' })
})

test('an invalid command line says why', async () => {
  const said = async (args: string[], env: Record<string, string> = {}) => {
    const { status, stderr, stdout } = await footfallHere(['mcp', ...args], { env })
    assert.equal([status, stdout], [2, ''])
    return stderr
  }
  assert.match(await said(['--url', 'stats']), /--url takes a URL such as/)
  assert.match(await said(['--url', 'http://stats.example.org']), /--url takes an https address/)
  assert.match(await said(['--url', 'https://stats.example.org', '--data', data]), /cannot be combined/)
  assert.match(await said(['--url', 'https://stats.example.org']), /Set FOOTFALL_APP_PASSWORD to LOGIN:PASSWORD/)
  assert.match(
    await said(['--url', 'https://stats.example.org'], { FOOTFALL_APP_PASSWORD: 'no colon' }),
    /Set FOOTFALL_APP_PASSWORD/,
  )
})

test.run()
