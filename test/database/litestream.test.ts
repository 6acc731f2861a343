// A replica that Litestream makes of the file of a running service (docs/beyond.md), with the real program.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { withFile } from '../support/file.ts'
import { withFolder } from '../support/folder.ts'
import { needs } from '../support/needs.ts'
import { litestream } from '../support/programs.mjs'
import { hasSalt, saltsOf } from '../support/salts.ts'
import { pause, range, serveOn } from '../support/served.ts'
import { patience } from '../support/wait.ts'

const test = needs('litestream')

const { serve, endAll } = serveOn()
const started: ChildProcess[] = []

test.after(() => {
  endAll()
  for (const child of started) child.kill('SIGKILL')
})

const viewsIn = (file: string): number =>
  existsSync(file) ? withFile(file, db => Number(db.prepare('select count(*) from view').pluck().get())) : 0

test('after a service and Litestream were killed, the replica has every view that was replicated, and no salt', () =>
  withFolder(async folder => {
    const [data, replica] = [join(folder, 'footfall.db'), `file://${join(folder, 'replica')}`]
    let count = 0
    const first = await serve(data)
    const send = async (to: Pick<typeof first, 'hit'>): Promise<void> => {
      for (const end = count + 150; count < end; count++) assert.is((await to.hit(count)).status, 204)
    }
    await send(first)
    const replicating = spawn(litestream, ['replicate', data, replica], { stdio: 'ignore' })
    started.push(replicating)
    await send(first)
    // A stop and a start, which empty the log.
    assert.is(await first.stop(), 0)
    const second = await serve(data)
    await send(second)
    const made = await footfallHere(['app-password', 'create', 'admin', '--name', 'before', '--data', data])
    const authorization = `Basic ${btoa(`admin:${made.stdout.trimEnd().split('\n').at(-1)}`)}`
    assert.is(await second.settled(count), count)
    const { data: figures } = await second.report(`/pages?${range}`)

    // Its tables are in the file now, and in no backup.
    const backup = join(folder, 'backup.db')
    assert.is((await footfallHere(['backup', backup, '--data', data])).status, 0)
    const tables = "select count(*) from sqlite_schema where name glob '_litestream_*'"
    for (const [file, expected] of [
      [data, 2],
      [backup, 0],
    ] as const)
      assert.is(
        withFile(file, db => db.prepare(tables).pluck().get()),
        expected,
      )

    let attempts = 0
    const restore = (): string => {
      const into = join(folder, `restored-${attempts++}`)
      mkdirSync(into)
      spawnSync(litestream, ['restore', '-o', join(into, 'footfall.db'), replica], { stdio: 'ignore' })
      return join(into, 'footfall.db')
    }
    // It replicates once a second.
    for (const end = Date.now() + patience * 1000; viewsIn(restore()) < count && Date.now() < end; ) await pause(500)
    const salts = saltsOf(data)
    assert.ok(salts.length > 0)
    second.running.process.kill('SIGKILL')
    replicating.kill('SIGKILL')
    await Promise.all([second.running.ended, once(replicating, 'exit')])

    const restored = restore()
    assert.not(existsSync(`${restored}.salts`))
    for (const { salt } of salts) assert.not(hasSalt(readFileSync(restored), salt))
    assert.is(viewsIn(restored), count)
    const integrity = withFile(restored, db => db.pragma('integrity_check', { simple: true }))
    assert.is(integrity, 'ok')

    const third = await serve(restored)
    assert.is(await third.settled(count), count)
    assert.equal((await third.report(`/pages?${range}`)).data, figures)
    const answer = await fetch(`${third.running.url}/analytics/v1/summary?${range}`, { headers: { authorization } })
    assert.is(answer.status, 200)
    assert.is((await third.hit(count)).status, 204)
    assert.is(await third.stop(), 0)
    // Only now: the views may have been replicated before the figures made of them, which the start then made.
    const { status, stdout } = await footfallHere(['rebuild', '--data', restored])
    assert.is(status, 0)
    assert.match(stdout, /No figures changed\./)
  }))

test.run()
