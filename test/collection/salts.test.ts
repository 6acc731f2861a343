// Salts are beside the database: what copies or reads the database has none, and no step of a change loses or keeps one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSalts } from '../../src/collection/enrich/salts.ts'
import { isStorageError } from '../../src/database/errors.ts'
import { openDatabase } from '../../src/database/open.ts'
import { logHasSalts, openSaltFile } from '../../src/database/salt-file.ts'
import { createZone } from '../../src/lib/time.ts'
import { writeBaseFile } from '../support/base-file.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { hasSalt, saltsOf } from '../support/salts.ts'
import { firefox, type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

/** Another program: it says `ready`, and ends when its input does. */
const other = async (script: string): Promise<{ end: () => Promise<void> }> => {
  const child = spawn(process.execPath, ['-e', `process.stdin.on('end', () => process.exit()).resume();${script}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return {
    end: async () => {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

/** It holds a read transaction. */
const reader = (file: string) =>
  other(`
    const db = new (require(${JSON.stringify(join(process.cwd(), 'node_modules/better-sqlite3'))}))(${JSON.stringify(file)}, { readonly: true })
    db.exec('begin')
    db.prepare('select count(*) from view').get()
    console.log('ready')`)

/** It copies the three files of the database every 50 ms. */
const copier = (file: string, folder: string) =>
  other(`
    const { copyFileSync } = require('node:fs')
    let copies = 0
    setInterval(() => {
      copies += 1
      for (const end of ['', '-wal', '-shm'])
        try { copyFileSync(${JSON.stringify(file)} + end, ${JSON.stringify(folder)} + '/' + (copies % 200) + end) } catch {}
    }, 50)
    console.log('ready')`)

const countOf = async (api: Running['api'], what: 'visitors' | 'views', day: string): Promise<number> =>
  (await api(`/summary?from=${day}&to=${day}`)).body.data.totals[what]

const filesIn = (folder: string): [string, Buffer][] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name))])

const holders = (folder: string, salt: string): string[] =>
  filesIn(folder)
    .filter(([, bytes]) => hasSalt(bytes, salt))
    .map(([name]) => name)

test('while another program reads over midnight, and another copies all the time, a dead salt is in no file at all', () =>
  withFolder(async copies =>
    withService({ start: '2026-03-10T23:50:00Z' }, async ({ hit, clock, file, restart, api, settled }) => {
      const folder = join(file, '..')
      const visit = () => hit({ page_url: '/a' }, { 'x-forwarded-for': '12.0.0.1' })
      await visit()
      const programs = [await reader(file), await copier(file, copies)]
      const [old = { day: 0, salt: '' }] = saltsOf(file)
      assert.equal([old.day, old.salt.length, statSync(`${file}.salts`).mode & 0o777], [20260310, 32, 0o600])
      assert.equal(holders(folder, old.salt), [`${file}.salts`])

      clock.now = Date.parse('2026-03-11T00:10:00Z')
      await visit()
      assert.equal(
        saltsOf(file).map(({ day }) => day),
        [20260310, 20260311],
      )
      clock.now = Date.parse('2026-03-11T00:31:00Z')
      await until(() =>
        assert.equal(
          saltsOf(file).map(({ day }) => day),
          [20260311],
        ),
      )
      await visit()
      const [fresh = { salt: '' }] = saltsOf(file)
      // The transaction is still open, the log cannot be emptied.
      assert.ok(statSync(`${file}-wal`).size > 0)
      assert.equal(holders(folder, old.salt), [])
      clock.now = Date.parse('2026-03-11T01:31:00Z')
      await until(() => assert.ok(readdirSync(copies).length >= 30))
      for (const program of programs) await program.end()
      assert.equal([...holders(folder, old.salt), ...holders(copies, old.salt), ...holders(copies, fresh.salt)], [])

      await restart()
      await visit()
      assert.equal(saltsOf(file)[0]?.salt, fresh.salt, 'a restart goes on with the salt of the day')
      await settled()
      assert.is(await countOf(api, 'visitors', '2026-03-11'), 1)
    }),
  ))

const make = (file: string): void => {
  openDatabase(file).db.close()
}

test('killed between any two steps, no day is split, and after the next start no salt is older than its time', () =>
  withFolder(folder => {
    const lasting = { day: 99991231, salt: 'ee'.repeat(16), expires_at: Number.MAX_SAFE_INTEGER }
    const one = { day: 20260310, salt: '11'.repeat(16), expires_at: 1000 }
    const two = { day: 20260311, salt: '22'.repeat(16), expires_at: 2000 }
    const seen = new Set<string>()
    let steps = 0
    for (let kill = 0; kill <= steps; kill++) {
      const path = join(folder, `${kill}.db`)
      make(path)
      const { db } = openDatabase(path)
      const before = openSaltFile(db)
      before.add(lasting)
      before.add(one)
      let step = 0
      let used = false
      try {
        const file = openSaltFile(db, name => {
          seen.add(name)
          if ((step += 1) > kill) throw new Error('killed')
        })
        file.add(two)
        used = true
        file.destroy(({ expires_at }) => expires_at <= 1000)
      } catch (error) {
        assert.match(String(error), /killed/)
        steps += 1
      }
      const next = openSaltFile(db)
      assert.equal(next.find(lasting.day), lasting, `${kill}`)
      if (used) assert.equal(next.find(two.day), two, `${kill}: the salt in use is lost`)
      // As the service does in its first second.
      next.destroy(({ expires_at }) => expires_at <= 1000)
      const own = filesIn(folder).filter(([name]) => name.includes(`/${kill}.db`))
      for (const [name, bytes] of own) assert.not(hasSalt(bytes, one.salt), `${kill}: ${name}`)
      assert.not(existsSync(`${path}.salts-new`))
      db.close()
    }
    assert.equal([...seen].sort(), ['destroy', 'overwrite', 'rename', 'sync', 'sync folder', 'write'])
    assert.ok(steps >= 10, `${steps}`)
  }))

test('without its salts, or beside those of another installation, a day begins again', () =>
  withService({ start: '2026-03-10T12:00:00Z' }, async ({ hit, file, restart, api, settled }) => {
    const visit = () => hit({ page_url: '/a' }, { 'x-forwarded-for': '12.0.0.1' })
    await visit()
    const [first] = saltsOf(file)
    await restart(() => Promise.resolve(rmSync(`${file}.salts`)))
    await visit()
    const [second] = saltsOf(file)
    assert.is.not(second?.salt, first?.salt)
    await restart(() => {
      const content = JSON.parse(readFileSync(`${file}.salts`, 'utf8'))
      writeFileSync(`${file}.salts`, JSON.stringify({ ...content, installation: '0'.repeat(32) }))
      return Promise.resolve()
    })
    await visit()
    await settled()
    assert.is.not(saltsOf(file)[0]?.salt, second?.salt)
    assert.is(await countOf(api, 'visitors', '2026-03-10'), 3)
  }))

test('a salt that cannot be written is not used: the next one is', () =>
  withFolder(folder => {
    const path = join(folder, 'a.db')
    const { db } = openDatabase(path)
    const salts = createSalts(db, createZone('UTC'), 'site')
    mkdirSync(`${path}.salts-new`)
    assert.throws(() => salts.hash(1_773_144_000, '12.0.0.0', 'agent'), isStorageError)
    assert.not(existsSync(`${path}.salts`))
    rmSync(`${path}.salts-new`, { recursive: true })
    const { visitor } = salts.hash(1_773_144_000, '12.0.0.0', 'agent')
    assert.equal(createSalts(db, createZone('UTC'), 'site').hash(1_773_144_000, '12.0.0.0', 'agent').visitor, visitor)
    db.close()
  }))

test('while the salt of a new day cannot be written, a hit is asked to come again', () =>
  withService({}, async ({ hit, file, clock, settled, api, service }) => {
    assert.is((await hit({ page_url: '/' })).status, 204)
    clock.now = Date.parse('2026-03-11T08:00:00Z')
    mkdirSync(`${file}.salts-new`)
    const refused = await fetch(`${service.url}/analytics/v1/hit`, {
      method: 'POST',
      body: JSON.stringify({ page_url: '/' }),
      headers: { 'content-type': 'application/json', 'user-agent': firefox },
    })
    assert.equal([refused.status, (await refused.json()).code], [503, 'storage_unavailable'])
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    rmSync(`${file}.salts-new`, { recursive: true })
    assert.is((await hit({ page_url: '/' })).status, 204)
    await settled()
    assert.is(await countOf(api, 'views', '2026-03-11'), 1)
  }))

test('a file of 0.1.0 gives its salts away; until nothing keeps its log, the audit fails', () =>
  withFolder(async folder => {
    const path = join(folder, 'base.db')
    writeBaseFile(path)
    const before = new (await import('better-sqlite3')).default(path)
    before.exec('update day_salt set expires_at = 99999999999 where day < 99991231')
    const salts = before.prepare('select lower(hex(salt)) as salt from day_salt order by day').pluck().all() as string[]
    assert.ok(salts.length > 0)
    before.close()

    const held = await reader(path)
    openDatabase(path).db.close()
    assert.equal(
      saltsOf(path).map(({ salt }) => salt),
      salts,
    )
    const statusOf = async (): Promise<[string, string]> => {
      const { stdout } = await footfallHere(['privacy-audit', '--json', '--data', path])
      const { status, evidence } = JSON.parse(stdout).checks.find(({ id }: { id: string }) => id === 'salt_age')
      return [status, evidence.replace(/.*in the log/, 'in the log')]
    }
    assert.equal(await statusOf(), ['fail', 'in the log: maybe'])
    await held.end()
    const { db } = openDatabase(path)
    assert.not(logHasSalts(db))
    db.close()
    assert.is((await statusOf())[1], 'in the log: none')
    for (const salt of salts) assert.equal(holders(folder, salt), [`${path}.salts`])
    copyFileSync(path, join(folder, 'copy.db'))
  }))

test.run()
