// Imports beside a running service: files sent in pieces, previews, pauses, and the command line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { later, movingInto, samples } from '../support/moving.ts'
import { sources } from '../support/program.ts'
import { type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const json = (method: string, body: object) => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

const piece = (body: Buffer) => ({
  method: 'PUT',
  body: new Uint8Array(body),
  headers: { 'content-type': 'application/octet-stream' },
})

/** Sends a file in pieces of some bytes; its id. */
const send = async ({ api }: Running, name: string, content: Buffer, bytes = 1000): Promise<string> => {
  const added = await api('/uploads', json('POST', { name, bytes: content.length }))
  assert.is(added.status, 201)
  const { id } = added.body
  for (let offset = 0; offset < content.length; offset += bytes) {
    const { status, body } = await api(
      `/uploads/${id}?offset=${offset}`,
      piece(content.subarray(offset, offset + bytes)),
    )
    assert.equal([status, body.received], [200, Math.min(offset + bytes, content.length)])
  }
  return id
}

/** As many addresses as hits: one is throttled. */
const addressOf = (index: number) => ({ 'x-forwarded-for': `203.0.${index >> 8}.${index & 255}` })

const ended = async ({ api }: Running): Promise<any> =>
  until(async () => {
    const { body } = await api('/imports/current')
    assert.not(['running', 'paused'].includes(body.state))
    return body
  })

const take = async (running: Running, uploads: string[], options: object = {}): Promise<any> => {
  const { status, body } = await running.api('/imports', json('POST', { uploads, ...options }))
  assert.is(status, 202, JSON.stringify(body))
  return ended(running)
}

/** Without the lines that name the file, and those that sum these up. */
const linesOf = (archive: string): string[] =>
  archive.split('\n').filter(line => !/"footfall_archive"|"archive_day"/.test(line))

const exported = async (folder: string, data: string): Promise<string[]> => {
  const moving = { ...movingInto(folder), data }
  const path = join(folder, 'exported.ndjson')
  const { status, stderr } = await moving.run(
    ['export', path, '--format', 'archive', '--to', '2026-03-19', '--data', data],
    later,
  )
  assert.is(status, 0, stderr)
  return linesOf(readFileSync(path, 'utf8'))
}

const umami = () =>
  readdirSync(join(samples, 'umami')).map(name => ({ name, content: readFileSync(join(samples, 'umami', name)) }))

test('files in pieces become the days that the command line makes of them, while hits are counted', () =>
  withFolder(async folder => {
    const alone = movingInto(folder)
    const whole = await alone.take(join(samples, 'umami'), '--json')
    assert.is(whole.status, 0, whole.stderr)
    const expected = await exported(folder, alone.data)
    const data = join(folder, 'served.db')
    await withService({ file: data, start: later, flags: { trustProxy: '127.0.0.1' } }, async running => {
      const { api, hit } = running
      const ids: string[] = []
      for (const { name, content } of umami()) ids.push(await send(running, `../${name}`, content))
      assert.equal(
        (await api('/uploads')).body.map(({ name }: { name: string }) => name).sort(),
        umami().map(({ name }) => name),
      )
      const preview = await take(running, ids, { preview: true })
      assert.is(preview.state, 'done')
      const { id: _, ...report } = JSON.parse(whole.stdout)
      assert.equal(preview.report, { ...report, id: null })
      assert.equal((await api('/imports')).body, [])

      const started = await api('/imports', json('POST', { uploads: ids }))
      assert.is(started.status, 202)
      let hits = 0
      while ((await api('/imports/current')).body.state === 'running') {
        assert.is((await hit({ page_url: 'https://example.org/' }, addressOf(hits))).status, 204)
        hits += 1
      }
      const done = await ended(running)
      assert.equal(done.report, { ...report, id: 1 })
      assert.equal((await api('/uploads')).body, [])
      assert.not(existsSync(`${data}-uploads`))
      assert.equal(
        (await api('/imports')).body.map(({ state, days }: any) => [state, days]),
        [['done', 3]],
      )
      const shown = await api('/summary?from=2026-03-01&to=2026-03-03')
      assert.is(shown.body.meta.imported[0].kind, 'umami')
      await running.settled()
      assert.is((await api('/summary?from=2026-03-20&to=2026-03-20')).body.data.totals.views, hits)
      assert.equal(
        (await api('/audit')).body.slice(0, 1).map(({ action }: { action: string }) => action),
        ['import_done'],
      )

      assert.equal(await exported(folder, data), expected)

      const again: string[] = []
      for (const { name, content } of umami()) again.push(await send(running, name, content))
      const refused = await take(running, again)
      assert.is(refused.state, 'failed')
      assert.match(refused.problem, /already imported as 1/)
      assert.is((await api('/imports/1', { method: 'DELETE' })).status, 202)
      await until(async () => assert.is((await api('/imports')).body[0].state, 'undone'))
      assert.is((await take(running, again)).state, 'done')
    })
  }))

/** Visits of forty days. */
const visits = (): Buffer => {
  const start = Date.parse('2026-01-01T00:00:00Z')
  const rows = Array.from({ length: 40 * 240 }, (_, index) => {
    const at = new Date(start + index * 6 * 60_000).toISOString().slice(0, 19).replace('T', ' ')
    return [`s${index % 97}`, `v${Math.floor(index / 3)}`, `e${index}`, 'example.org', `/${index % 23}`, '1', at].join()
  })
  return Buffer.from(['session_id,visit_id,event_id,hostname,url_path,event_type,created_at', ...rows].join('\n'))
}

test('an import waits while it is paused, stops, and goes on', () =>
  withFolder(async folder => {
    const alone = movingInto(folder)
    assert.is((await alone.take(alone.write('visits.csv', visits()))).status, 0)
    const expected = await exported(folder, alone.data)
    const data = join(folder, 'served.db')
    const storedDays = async ({ api }: Running): Promise<number> => (await api('/imports')).body[0]?.days ?? 0
    await withService({ file: data, start: later, flags: { trustProxy: '127.0.0.1' } }, async running => {
      const { api } = running
      const command = (name: string) => api('/imports/current', json('PUT', { command: name }))
      assert.is((await command('pause')).body.state, 'idle')
      const id = await send(running, 'visits.csv', visits(), 300_000)
      assert.is((await api('/imports', json('POST', { uploads: [id] }))).status, 202)
      assert.is((await api('/imports', json('POST', { uploads: [id] }))).body.code, 'rest_import_busy')
      await until(async () => assert.ok((await storedDays(running)) > 0))
      assert.is((await command('pause')).body.state, 'paused')
      // The step that is under way may end a day.
      await new Promise(resolve => setTimeout(resolve, 500))
      const before = await storedDays(running)
      assert.is((await api('/imports/1', { method: 'DELETE' })).body.code, 'rest_import_busy')
      await new Promise(resolve => setTimeout(resolve, 500))
      assert.is(await storedDays(running), before)
      assert.ok(before < 40)
      assert.is((await command('run')).body.state, 'running')
      await until(async () => assert.ok((await storedDays(running)) > before))
      await command('stop')
      assert.is((await ended(running)).state, 'stopped')
      assert.equal(
        (await api('/imports')).body.map(({ state }: { state: string }) => state),
        ['unfinished'],
      )
      assert.equal((await api('/uploads')).body.length, 1)
      // The service ends in the midst, too.
      assert.is((await api('/imports', json('POST', { uploads: [id] }))).status, 202)
      await running.restart()
      assert.is((await api('/imports/current')).body.state, 'idle')
      const done = await take(running, [id])
      assert.is(done.state, 'done', done.problem)
      await running.settled()
    })
    assert.equal(await exported(folder, data), expected)
  }))

test('footfall import does so beside a running service', () =>
  withFolder(async folder => {
    const alone = movingInto(folder)
    assert.is((await alone.take(alone.write('visits.csv', visits()))).status, 0)
    const expected = await exported(folder, alone.data)
    const moving = { ...movingInto(folder), data: join(folder, 'served.db') }
    const run = (...args: string[]) => moving.run([...args, '--data', moving.data])
    await withService({ file: moving.data, start: later, flags: { trustProxy: '127.0.0.1' } }, async running => {
      const other = await run('import', join(folder, 'visits.csv'), '--timezone', 'Asia/Tokyo')
      assert.match(other.stderr, /The running service counts days in UTC, not in Asia\/Tokyo/)
      let isDone = false
      const taking = run('import', join(folder, 'visits.csv')).finally(() => {
        isDone = true
      })
      let hits = 0
      while (!isDone) {
        assert.is((await running.hit({ page_url: 'https://example.org/' }, addressOf(hits))).status, 204)
        hits += 1
        await new Promise(resolve => setTimeout(resolve, 50))
      }
      const taken = await taking
      assert.is(taken.status, 0, taken.stderr)
      assert.match(taken.stdout, /To undo it: footfall import --undo 1/)
      await running.settled()
      const total = async (range: string): Promise<number> =>
        (await running.api(`/summary?${range}`)).body.data.totals.views
      assert.is(await total('from=2026-01-01&to=2026-02-28'), 40 * 240)
      assert.is(await total('from=2026-03-20&to=2026-03-20'), hits)
      const shown = await running.api('/summary?from=2026-01-01&to=2026-02-28')
      assert.is(shown.body.meta.imported[0].kind, 'umami')
      assert.is((await run('import', join(samples, 'umami'), '--format', 'archive')).status, 1)
    })
    assert.equal(await exported(folder, moving.data), expected)
  }))

test('footfall import --undo does so beside a running service, while it counts', () =>
  withFolder(async folder => {
    const moving = { ...movingInto(folder), data: join(folder, 'served.db') }
    const run = (...args: string[]) => moving.run([...args, '--data', moving.data])
    const ranges = ['from=2026-01-01&to=2026-02-28', 'from=2026-03-20&to=2026-03-20']
    await withService({ file: moving.data, start: later, flags: { trustProxy: '127.0.0.1' } }, async running => {
      const { api } = running
      const totals = (): Promise<number[]> =>
        Promise.all(ranges.map(async range => (await api(`/summary?${range}`)).body.data.totals.views))
      const visit = async (count: number): Promise<void> => {
        assert.is((await running.hit({ page_url: 'https://example.org/' }, addressOf(count))).status, 204)
      }
      assert.is((await run('import', moving.write('visits.csv', visits()))).status, 0)
      await visit(1)
      await running.settled()
      assert.equal(await totals(), [40 * 240, 1])
      assert.match((await run('import', '--list')).stdout, /umami +visits +done/)
      assert.is((await run('import', '--undo', '9')).status, 1)
      let isDone = false
      const undoing = run('import', '--undo', '1').finally(() => {
        isDone = true
      })
      let hits = 1
      while (!isDone) {
        hits += 1
        await visit(hits)
        await new Promise(resolve => setTimeout(resolve, 20))
      }
      const { status, stdout, stderr } = await undoing
      assert.is(status, 0, stderr)
      assert.match(stdout, /Removed 40 days of umami/)
      await running.settled()
      assert.equal(await totals(), [0, hits])
      assert.is((await api('/imports')).body[0].state, 'undone')
      assert.is((await api('/audit')).body[0].action, 'import_undone')
      const again = await run('import', '--undo', '1')
      assert.match(again.stderr, /is undone already/)
    })
    // Recalculating from the rows changes nothing.
    const before = await exported(folder, moving.data)
    assert.is((await run('rebuild')).status, 0)
    assert.equal(await exported(folder, moving.data), before)
  }))

test('pieces that do not fit, and files that cannot be, are refused', () =>
  withService({ start: later }, async running => {
    const { api, file } = running
    const id = await send(running, `.hidden/${'ü'.repeat(300)}.csv`, Buffer.from('0123456789'))
    const [kept] = (await api('/uploads')).body
    assert.ok(/^ü+\.csv$/.test(kept.name) && Buffer.byteLength(kept.name) <= 200)
    const beyond = await api(`/uploads/${id}?offset=10`, piece(Buffer.from('x')))
    assert.equal([beyond.status, beyond.body.code, beyond.body.data.received], [409, 'rest_upload_offset', 10])
    const other = (await api('/uploads', json('POST', { name: '..', bytes: 5 }))).body
    assert.is(other.name, 'file')
    assert.is((await api(`/uploads/${other.id}?offset=1`, piece(Buffer.from('x')))).status, 409)
    assert.is((await api(`/uploads/${other.id}?offset=0`, piece(Buffer.from('123456')))).status, 409)
    const incomplete = await api('/imports', json('POST', { uploads: [other.id] }))
    assert.is(incomplete.body.code, 'rest_upload_incomplete')
    assert.is((await api('/imports', json('POST', { uploads: ['nothing'] }))).status, 404)
    assert.is((await api('/uploads/nothing?offset=0', piece(Buffer.from('x')))).status, 404)
    assert.is((await api(`/uploads/${id}?offset=0`, { method: 'PUT', body: 'x' })).status, 415)
    assert.is((await api(`/uploads/${id}?offset=0`, piece(Buffer.alloc(4 * 2 ** 20 + 1)))).status, 413)
    assert.is((await api('/uploads', json('POST', { name: 'a', bytes: 2 ** 31 }))).status, 413)
    assert.is((await api('/uploads', { as: 'reader' })).status, 403)
    const failed = await take(running, [id])
    assert.is(failed.state, 'failed')
    assert.match(failed.problem, /Nothing was imported/)
    assert.is((await api(`/uploads/${id}`, { method: 'DELETE' })).status, 204)
    // A day later it is gone.
    const [folder = ''] = readdirSync(`${file}-uploads`)
    const old = new Date(running.clock.now - 25 * 3600 * 1000)
    utimesSync(join(`${file}-uploads`, folder, 'file'), old, old)
    await running.restart()
    await api('/uploads', json('POST', { name: 'new', bytes: 1 }))
    assert.equal(
      (await api('/uploads')).body.map(({ name }: { name: string }) => name),
      ['new'],
    )
  }))

test('a command beside the service leaves the processor to it', () =>
  withService({}, async ({ file }) => {
    const [program, ...words] = sources.command
    const child = spawn(program, [...words, 'import', '-', '--format', 'umami', '--data', file], {
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    await until(() => assert.is(getPriority(child.pid), constants.priority.PRIORITY_BELOW_NORMAL))
    child.stdin.end()
    await once(child, 'close')
  }))

test.run()
