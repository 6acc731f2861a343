// Connecting a host platform while the service runs: its secret, what it opens, and that no copy has it.
import { readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { type Running, start, temporaryFolder } from '../support/program.ts'

const folder = temporaryFolder()
const data = folder.path('a.db')
let service: Running

const run = (...args: string[]) => footfallHere([...args, '--data', data])

const connect = async (
  ...args: string[]
): Promise<{ address: string; secret: string; uuid: string; stdout: string }> => {
  const { status, stdout, stderr } = await run('connect', 'wordpress', '--address', service.url, ...args)
  assert.is(status, 0, stderr)
  const [, address = '', secret = ''] =
    /^ {2}wp footfall connect --address=(\S+)$.*^ {2}Secret +(\S+)$/ms.exec(stdout) ?? []
  return { address, secret, uuid: /connect revoke (\S+)$/m.exec(stdout)?.[1] ?? '', stdout }
}

const statusBy = async (secret: string, claims: object = { capabilities: ['manage_options'] }): Promise<number> => {
  const token = await new SignJWT({ sub: '1', aud: 'footfall', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(secret))
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${service.url}/analytics/v1/settings`, { headers })).status
}

test.before(async () => {
  service = await start(['--data', data])
})
test.after(async () => {
  service.process.kill('SIGTERM')
  await service.ended
  folder.remove()
})

test('a connection opens the API to its tokens at once, in addition to others, until it is revoked', async () => {
  assert.match(
    (await run('connect', 'list')).stderr,
    /^There are no connections\. Make one with 'footfall connect wordpress'\.$/m,
  )
  const [one, other] = [await connect(), await connect()]
  assert.is(one.address, service.url)
  assert.match(one.secret, /^[\w-]{43}$/)
  assert.match(one.stdout, new RegExp(`^ {2}Secret {3}${one.secret}$`, 'm'))
  assert.is.not(one.secret, other.secret)
  assert.equal([await statusBy(one.secret), await statusBy(other.secret)], [200, 200])
  assert.is(await statusBy('x'.repeat(43)), 401)
  assert.is(await statusBy(one.secret, { capabilities: [] }), 403)

  const listed = JSON.parse((await run('connect', 'list', '--json')).stdout)
  assert.equal(
    listed.map((row: Record<string, string>) => [row.uuid, row.platform]).sort(),
    [one, other].map(({ uuid }) => [uuid, 'WordPress']).sort(),
  )
  assert.is((await run('connect', 'revoke', one.uuid)).stdout, `Connection ${one.uuid} was ended.\n`)
  assert.equal([await statusBy(one.secret), await statusBy(other.secret)], [401, 200])
  const again = await run('connect', 'revoke', one.uuid)
  assert.equal([again.status, again.stderr.includes("Run 'footfall connect list' to see them.")], [1, true])

  const { stdout } = await run('audit', '--json')
  assert.ok(stdout.includes('platform_connected') && stdout.includes('platform_disconnected'), stdout)
  assert.not(stdout.includes(other.secret))
})

test('no backup and no export holds the secret', async () => {
  const { secret } = await connect()
  assert.ok(`${readFileSync(data)}${readFileSync(`${data}-wal`)}`.includes(secret), 'the file has it')
  assert.is((await run('backup', folder.path('copy.db'))).status, 0)
  assert.not(readFileSync(folder.path('copy.db')).includes(secret))
  assert.is((await run('export', folder.path('all.ndjson'), '--format', 'archive')).status, 0)
  assert.not(readFileSync(folder.path('all.ndjson')).includes(secret))
})

test('the address is that of the service, if it has a fixed one', async () => {
  const without = await run('connect', 'wordpress')
  assert.equal([without.status, without.stdout], [1, ''])
  assert.match(without.stderr, /Start it with a fixed port/)
  const wrong = await run('connect', 'wordpress', '--address', 'localhost')
  assert.equal([wrong.status, wrong.stderr.includes('--address takes a URL such as')], [2, true])
  assert.is((await footfallHere(['connect', 'wordpress', '--data', folder.path('none.db')])).status, 1)
})

test.run()
