// What keeps `footfall serve` from starting: each time a sentence that says what to do, and exit code 1.
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfall, type Running, start, temporaryFolder } from '../support/program.ts'

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

test('a second serve on the same file names the process that holds it', async () => {
  const data = folder.path('held.db')
  const { process: child } = await serve(['--data', data])
  const { status, stdout, stderr } = footfall(['serve', '--port', '0', '--data', data])
  assert.is(
    stderr,
    `${data} is in use by process ${child.pid} (footfall serve). Stop that one first, or name another file with --data.\n`,
  )
  assert.is(stdout, '')
  assert.is(status, 1)
  child.kill('SIGTERM')
})

const refuses = (what: string, prepare: () => { args: string[]; says: RegExp; uid?: number }): void => {
  test(`${what}: a sentence that says what to do, exit code 1`, () => {
    const { args, says, uid } = prepare()
    const { status, stdout, stderr } = footfall(['serve', '--port', '0', ...args], uid === undefined ? {} : { uid })
    assert.match(stderr, says)
    assert.is(stderr.split('\n').length, 2, stderr)
    assert.is(stdout, '')
    assert.is(status, 1)
  })
}

const nobody = 65534
const asStranger = process.getuid?.() === 0 ? { uid: nobody } : {}

refuses('a folder that is missing', () => ({
  args: ['--data', folder.path('none/a.db')],
  says: /^The folder .*none does not exist\. Create it, or name another file with --data\.\n$/,
}))

refuses('a folder that may not be written to', () => {
  mkdirSync(folder.path('sealed'))
  for (const [path, mode] of [
    ['sealed', 0o555],
    ['.', 0o755],
  ] as const)
    chmodSync(folder.path(path), mode)
  return {
    args: ['--data', folder.path('sealed/a.db')],
    says: /sealed is not writable for this user\. Change its owner, or .* --data\.\n$/,
    ...asStranger,
  }
})

refuses('a file that may not be written to', () => {
  mkdirSync(folder.path('open'))
  chmodSync(folder.path('open'), 0o777)
  writeFileSync(folder.path('open/a.db'), '', { mode: 0o400 })
  return {
    args: ['--data', folder.path('open/a.db')],
    says: /a\.db is not writable for this user\. Change its owner or mode, or .* --data\.\n$/,
    ...asStranger,
  }
})

refuses('a lock that another user has left', () => {
  mkdirSync(folder.path('shared'))
  chmodSync(folder.path('shared'), 0o777)
  writeFileSync(folder.path('shared/a.db-lock'), '', { mode: 0o600 })
  if (asStranger.uid === undefined) chmodSync(folder.path('shared/a.db-lock'), 0o400)
  return {
    args: ['--data', folder.path('shared/a.db')],
    says: /a\.db-lock is not writable for this user: another user has run Footfall on this file\. Run this command as that user/,
    ...asStranger,
  }
})

refuses('a file in the place of the folder', () => {
  writeFileSync(folder.path('plain'), '')
  return { args: ['--data', folder.path('plain/a.db')], says: /plain.* --data\.\n$/ }
})

refuses('a folder in the place of the file', () => {
  mkdirSync(folder.path('folder.db'))
  return {
    args: ['--data', folder.path('folder.db')],
    says: /folder\.db is a folder\. Name the database file with --data\.\n$/,
  }
})

refuses('a file that is no database', () => {
  writeFileSync(folder.path('text.db'), 'Dear diary, today I counted visits. '.repeat(100))
  return {
    args: ['--data', folder.path('text.db')],
    says: /text\.db is not a database\. Move it away, or name another file with --data\.\n$/,
  }
})

refuses("another program's database", () => {
  new Database(folder.path('other.db')).exec('create table post (id integer primary key)').close()
  return {
    args: ['--data', folder.path('other.db')],
    says: /other\.db is a database of another program\. Name another file with --data\.\n$/,
  }
})

test('a file of a newer version: a sentence that says what to do, exit code 1', async () => {
  const data = folder.path('newer.db')
  const running = await serve(['--data', data])
  running.process.kill('SIGTERM')
  await running.ended
  const db = new Database(data)
  db.pragma('user_version = 999')
  db.close()
  const { status, stderr } = footfall(['serve', '--port', '0', '--data', data])
  assert.match(
    stderr,
    /newer\.db was written by a newer Footfall \(schema 999; this one knows \d+\)\. Use the newer version, /,
  )
  assert.is(status, 1)
})

test('a busy port: a sentence that names --port, exit code 1, and the file is free again', async () => {
  const data = folder.path('busy.db')
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { status, stdout, stderr } = footfall(['serve', '--port', String(port), '--data', data])
  other.close()
  assert.is(
    stderr,
    `Port ${port} of 127.0.0.1 is already in use. Stop the other program, or choose another port with --port.\n`,
  )
  assert.is(stdout, '')
  assert.is(status, 1)
  const { output, process: child } = await serve(['--data', data])
  assert.match(output.stdout, /login +admin/, 'the welcome of the failed start is lost')
  child.kill('SIGTERM')
})

refuses('an address of another machine', () => ({
  args: ['--data', folder.path('address.db'), '--host', '192.0.2.1'],
  says: /^192\.0\.2\.1 is not an address of this machine\. Set --host to one that is, or to 0\.0\.0\.0 for all\.\n$/,
}))

test('a first password that is too short: a sentence that names the variable, and the file stays without users', async () => {
  const data = folder.path('short.db')
  const { status, stdout, stderr } = footfall(['serve', '--port', '0', '--data', data], {
    env: { FOOTFALL_ADMIN_PASSWORD: 'short' },
  })
  assert.is(stderr, 'The password in FOOTFALL_ADMIN_PASSWORD is too short: use at least 8 characters.\n')
  assert.is(stdout, '')
  assert.is(status, 1)
  const { output, process: child } = await serve(['--data', data])
  assert.match(output.stdout, /login +admin/)
  child.kill('SIGTERM')
})

test.run()
