// Whatever can be read is read: on a disk mounted read-only, by a user who may only read, and beside a backup nothing stays.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { needs } from '../support/needs.ts'
import { footfall } from '../support/program.ts'
import { firefox } from '../support/service.ts'
import { mountDisk, unmount, withSmallDisk } from '../support/small-disk.ts'

const record = {
  endpoint: 'hit',
  time: '2026-03-01T10:00:00Z',
  ip: '203.0.113.7',
  user_agent: firefox,
  body: { page_url: 'https://site.example/only' },
}

/** A file with one view. */
const make = async (path: string): Promise<string> => {
  writeFileSync(`${path}.ndjson`, JSON.stringify(record))
  const { status, stderr } = await footfallHere([
    'import',
    `${path}.ndjson`,
    '--format',
    'requests',
    '--site-url',
    'https://site.example',
    '--data',
    path,
  ])
  assert.is(status, 0, stderr)
  return path
}

const reading: readonly (readonly string[])[] = [
  ['report', 'pages', '--from', '2026-03-01', '--to', '2026-03-01', '--csv'],
  ['report', 'pages?browser=Firefox', '--from', '2026-03-01', '--to', '2026-03-01', '--csv'],
  ['ask', 'most viewed pages on 2026-03-01', '--json'],
]
const exporting = ['export', '-', '--format', 'csv']
const listing = ['settings get', 'goal list', 'funnel list', 'annotate list', 'user list', 'share-link list', 'audit']

/** Runs every command that only reads, as another user if there is one. */
const readAll = async (data: string, uid?: number): Promise<void> => {
  const run = (args: readonly string[]) => (uid === undefined ? footfallHere(args) : footfall(args, { uid }))
  for (const args of reading) {
    const { status, stdout, stderr } = await run([...args, '--data', data])
    assert.is(status, 0, `${args.join(' ')}: ${stderr}`)
    assert.match(stdout, '/only', args.join(' '))
  }
  for (const words of [...listing, 'app-password list']) {
    const { status, stderr } = await run([...words.split(' '), '--data', data])
    assert.is(status, 0, `${words}: ${stderr}`)
  }
  const { stdout, stderr } = await run(['diagnostics', '--json', '--data', data])
  assert.match(stdout, '"findings"', stderr)
  assert.not.match(stdout, 'unable to open', stderr)
  assert.match(footfall([...exporting, '--data', data], uid === undefined ? {} : { uid }).stdout, '/only')
  assert.match((await run(['privacy-audit', '--json', '--data', data])).stdout, '"score"')
}

const mounted = needs('root', 'the right to mount')

for (const state of ['stopped', 'killed'] as const)
  mounted(
    `on a disk mounted read-only the file of a ${state} service is read and copied, and changes are refused`,
    () =>
      withFolder(async folder => {
        const source = await make(join(folder, 'source.db'))
        const disk = join(folder, 'disk')
        mountDisk(disk, 20)
        try {
          const data = join(disk, 'a.db')
          if (state === 'stopped') copyFileSync(source, data)
          else {
            // The files of a process that ended without closing them.
            const { db } = openDatabase(source)
            db.exec('update setting set value = value')
            for (const end of ['', '-wal', '-shm']) cpSync(`${source}${end}`, `${data}${end}`)
            db.close()
          }
          assert.is(spawnSync('mount', ['-o', 'remount,ro', disk]).status, 0)
          await readAll(data)
          const copy = join(folder, 'copy.db')
          const made = await footfallHere(['backup', copy, '--data', data])
          assert.is(made.status, 0, made.stderr)
          assert.match(made.stderr, 'The audit log has no entry of this')
          await readAll(copy)
          const refused = await footfallHere(['settings', 'set', 'retention_days=30', '--data', data])
          assert.is(refused.status, 1)
          assert.match(refused.stderr, `The folder ${disk} cannot be written: its file system is mounted read-only.`)
          assert.not.match(refused.stderr, 'owner')
          const onto = await footfallHere(['backup', join(disk, 'copy.db'), '--data', source])
          assert.match(onto.stderr, `The folder ${disk} cannot be written: its file system is mounted read-only.`)
        } finally {
          unmount(disk)
        }
      }),
  )

const nobody = 65_534

needs('root')('a user who may only read the file reads it, and leaves nothing next to it', () =>
  withFolder(async folder => {
    const open = join(folder, 'open')
    mkdirSync(open)
    const data = await make(join(open, 'a.db'))
    chmodSync(folder, 0o755)
    chmodSync(open, 0o755)
    chmodSync(data, 0o644)
    const [before, bytes] = [readdirSync(open), readFileSync(data)]
    await readAll(data, nobody)
    assert.equal(readdirSync(open), before)
    assert.ok(readFileSync(data).equals(bytes))
    chmodSync(data, 0o600)
    const { status, stderr } = footfall(['report', 'pages', '--data', data], { uid: nobody })
    assert.is(status, 1)
    assert.match(stderr, `${data} is not readable for this user. Change its owner or mode`)
  }),
)

test('reading a backup leaves it and its folder as they were', () =>
  withFolder(async folder => {
    const data = await make(join(folder, 'a.db'))
    const backups = join(folder, 'backups')
    mkdirSync(backups)
    const copy = join(backups, 'copy.db')
    assert.is((await footfallHere(['backup', copy, '--data', data])).status, 0)
    const bytes = readFileSync(copy)
    for (const args of [...reading, ...listing.map(words => words.split(' '))])
      assert.is((await footfallHere([...args, '--data', copy])).status, 0, args.join(' '))
    await footfallHere(['diagnostics', '--data', copy])
    assert.equal(readdirSync(backups), ['copy.db'])
    assert.ok(readFileSync(copy).equals(bytes), 'the backup was changed')
  }))

mounted('a disk that is full names the copy that was not written, not the database', () =>
  withSmallDisk(1, async disk => {
    await withFolder(async folder => {
      const data = await make(join(folder, 'a.db'))
      const { db } = openDatabase(data)
      db.exec(
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 9000) insert into page (path, host_id) select '/' || hex(randomblob(60)) || i, 1 from n",
      )
      db.close()
      const copy = join(disk, 'copy.db')
      const { status, stderr } = await footfallHere(['backup', copy, '--data', data])
      assert.is(status, 1)
      assert.match(stderr, `${copy} could not be written`)
      assert.not.match(stderr, data)
      assert.equal(readdirSync(disk), [])
      assert.not(existsSync(copy))
    })
  }),
)

test.run()
