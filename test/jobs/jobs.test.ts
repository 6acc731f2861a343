// Jobs: run by the clock, by request and from the shell; each leaves a row, and one missed is caught up.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { jobs } from '../../src/jobs/list.ts'
import type { Job, JobDeps } from '../../src/jobs/run.ts'
import { createJobRunner } from '../../src/jobs/run.ts'
import { isOverdue, isStale, nextRun } from '../../src/jobs/schedule.ts'
import { jobStates } from '../../src/jobs/state.ts'
import { createZone } from '../../src/lib/time.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { start, temporaryFolder } from '../support/program.ts'
import { type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const names = jobs.map(({ name }) => name)
const run = ({ api }: Running, body?: object, as: 'administrator' | 'reader' | 'nobody' = 'administrator') =>
  api('/cron/run', {
    method: 'POST',
    as,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

const statesOf = (file: string) => {
  const { db } = openDatabase(file)
  try {
    return jobStates(db)
  } finally {
    db.close()
  }
}

test('POST /cron/run runs all jobs in their order, or those named, and says what each did', () =>
  withService({}, async running => {
    const all = await run(running)
    assert.is(all.status, 200)
    assert.is(all.body.ok, true)
    assert.equal(
      all.body.jobs.map((job: any) => job.name),
      names,
    )
    for (const job of all.body.jobs) assert.match(job.message, /\w.*\.$/)
    assert.equal([...statesOf(running.file).keys()], [...names].sort())
    const some = await run(running, { jobs: ['optimize', 'salt'] })
    assert.equal(
      some.body.jobs.map((job: any) => job.name),
      names.filter(name => ['optimize', 'salt'].includes(name)),
    )
  }))

test('who may not, and what is no job, changes nothing', () =>
  withService({}, async running => {
    assert.is((await run(running, {}, 'nobody')).status, 401)
    assert.is((await run(running, {}, 'reader')).status, 403)
    const unknown = await run(running, { jobs: ['salt', 'dinner'] })
    assert.is(unknown.status, 400)
    assert.is(unknown.body.code, 'rest_invalid_param')
    // The clock of the machine may have run another one meanwhile.
    assert.not(statesOf(running.file).has('salt'))
  }))

test('the rollup job brings a hit into the reports at once', () =>
  withService({}, async running => {
    await running.hit({ page_url: '/' })
    await run(running, { jobs: ['rollup'] })
    assert.is((await running.api('/summary?from=2026-03-10&to=2026-03-10')).body.data.totals.views, 1)
  }))

test('retention deletes by the settings, and says where it does not', () =>
  withService({ start: '2026-01-01T12:00:00Z' }, async running => {
    const { api, clock, hit } = running
    const settings = (body: object) =>
      api('/settings', { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    const message = async () => (await run(running, { jobs: ['retention'] })).body.jobs[0].message
    await hit({ page_url: '/' })
    clock.now += 40 * 86_400_000
    await hit({ page_url: '/' })
    await run(running, { jobs: ['rollup'] })
    await settings({ retention_days: 30, retention_mode: 'forever' })
    assert.match(await message(), /forever/)
    await settings({ retention_mode: 'delete' })
    assert.is(await message(), '2 rows deleted.')
    assert.is(await message(), '0 rows deleted.')
    assert.is((await api('/summary?from=2026-01-01&to=2026-02-28')).body.data.totals.views, 2)
  }))

test('in the mode archive single visits are archived next to the database; as many backups are kept as are wanted', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    const backups = join(folder, 'backups')
    await withService({ file, start: '2026-01-01T12:00:00Z', flags: { backupFolder: backups } }, async running => {
      const { api, clock, hit } = running
      const message = async (job: string) => (await run(running, { jobs: ['rollup', job] })).body.jobs[1].message
      assert.match(await message('archive'), /Nothing is archived: the retention mode is delete/)
      await api('/settings', {
        method: 'PUT',
        body: '{"retention_days":30,"retention_mode":"archive"}',
        headers: { 'content-type': 'application/json' },
      })
      await hit({ page_url: '/' })
      clock.now += 40 * 86_400_000
      await hit({ page_url: '/' })
      assert.is(await message('archive'), '2 rows archived.')
      assert.equal(readdirSync(`${file}-archive`), ['2026-01-01.ndjson.gz'])
      assert.is((await api('/summary?from=2026-01-01&to=2026-02-28')).body.data.totals.views, 2)
      for (let day = 0; day < 9; day++) {
        assert.match(await message('backup'), /^Copied; \d/)
        clock.now += 86_400_000
      }
      assert.equal(
        readdirSync(backups),
        [12, 13, 14, 15, 16, 17, 18].map(day => `footfall-2026-02-${day}.db`),
      )
    })
    const { stdout } = await footfallHere([
      'cron',
      'backup',
      '--json',
      '--data',
      file,
      '--backup-folder',
      backups,
      '--backup-keep',
      '3',
    ])
    assert.match(stdout, /3 copies are in the folder/)
    const today = readdirSync(backups).at(-1) ?? ''
    assert.equal(readdirSync(backups), ['footfall-2026-02-17.db', 'footfall-2026-02-18.db', today])
    const { db } = openDatabase(join(backups, 'footfall-2026-02-18.db'))
    assert.is(db.prepare('select sum(views) from site_day').pluck().get(), 2)
    db.close()
    await withService({ start: '2026-01-01T12:00:00Z' }, async running => {
      assert.match((await run(running, { jobs: ['backup'] })).body.jobs[0].message, /--backup-folder is not set/)
    })
  }))

/** What timers write into `installation` again and again: the counts of the log, and whether a reader (such as this one) keeps it from being emptied. */
const byTimers: readonly unknown[] = ['watched', 'log_held']

/** All rows of a file, without what notes that a job ran, and without what timers write again and again. */
const contentOf = (file: string): string[] => {
  const { db } = openDatabase(file)
  try {
    const tables = db
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
      .pluck()
      .all() as string[]
    return tables
      .filter(name => !['job', 'holder'].includes(name))
      .flatMap(name =>
        (db.prepare(`select * from ${name}`).raw().all() as unknown[][])
          .filter(([key]) => name !== 'installation' || !byTimers.includes(key))
          .map(row => `${name} ${JSON.stringify(row)}`),
      )
  } finally {
    db.close()
  }
}

/** What only one of two states has. */
const changes = (before: readonly string[], after: readonly string[]): string[] => [
  ...before.filter(row => !after.includes(row)).map(row => `- ${row}`),
  ...after.filter(row => !before.includes(row)).map(row => `+ ${row}`),
]

/** Waits until timers have nothing left to bring into the file: destroyed salts, and the counts of `requests` that came. */
const timersDone = async (running: Running, requests: number): Promise<void> => {
  await run(running, { jobs: ['rollup', 'salt'] })
  const { db } = openDatabase(running.file)
  try {
    await until(() =>
      assert.is(db.prepare("select sum(requests) from ledger where outcome = 'received'").pluck().get(), requests),
    )
  } finally {
    db.close()
  }
}

for (const mode of ['delete', 'archive'])
  test(`each job does its work once: run again at the same time, it changes nothing (${mode})`, () =>
    withFolder(async folder => {
      const file = join(folder, 'test.db')
      const sent = join(folder, 'sent')
      const flags = {
        backupFolder: join(folder, 'backups'),
        digest: 'day',
        mailTo: 'owner@example.org',
        mailCommand: `cat >> '${sent}'`,
      }
      await withService({ file, start: '2026-01-01T12:00:00Z', flags }, async running => {
        const { api, clock, hit } = running
        const headers = { 'content-type': 'application/json' }
        const send = (method: string, path: string, body: object) =>
          api(path, { method, headers, body: JSON.stringify(body) })
        await send('PUT', '/settings', { retention_days: 30, retention_mode: mode })
        await send('PUT', '/alerts', { drop: { enabled: true }, disk: { enabled: true } })
        await send('POST', '/goals', { name: 'Both', kind: 'page', pattern: '/a,/b' })
        await send('POST', '/funnels', { name: 'F', steps: ['/a', '/b'].map(pattern => ({ kind: 'page', pattern })) })
        for (let day = 0; day < 40; day++) {
          await hit({ page_url: '/a', title: `Day ${day}` })
          if (day % 2 === 0) await hit({ page_url: '/b?utm_source=news' })
          clock.now += 86_400_000
        }
        await timersDone(running, 60)
        const first: Record<string, string> = {}
        const stateOf = (): string[] => [
          ...contentOf(file),
          ...[flags.backupFolder, `${file}-archive`].flatMap(path => (existsSync(path) ? readdirSync(path) : [])),
          existsSync(sent) ? readFileSync(sent, 'utf8') : '',
        ]
        for (const name of names) {
          const once = (await run(running, { jobs: [name] })).body
          first[name] = once.jobs[0].message
          assert.is(once.ok, true, first[name])
          const before = stateOf()
          const again = (await run(running, { jobs: [name] })).body
          assert.is(again.ok, true, again.jobs[0].message)
          // A copy is an action that is noted each time.
          const changed = changes(before, stateOf()).filter(row => name !== 'backup' || !/^. audit /.test(row))
          assert.equal(changed, [], name)
        }
        assert.match(first[mode === 'delete' ? 'retention' : 'archive'] ?? '', /^\d\d rows/)
        assert.is(first.digest, 'Sent: day.')
        assert.match(readFileSync(sent, 'utf8'), /1 visitor/)
        const { data } = (await api('/goals/report?from=2026-01-01&to=2026-02-10')).body
        assert.equal([data[0].sessions, data[0].total], [40, 60])
        const steps = (await api('/funnels/1/report?from=2026-01-01&to=2026-02-10')).body.data.steps
        assert.equal(
          steps.map(({ sessions }: any) => sessions),
          [40, 20],
        )
      })
    }))

test('a job missed while nothing ran is caught up at the start', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    const optimize = jobs.find(({ name }) => name === 'optimize')
    const begun = Date.parse('2026-03-10T12:00:00Z')
    await withService({ file, start: '2026-03-10T12:00:00Z' }, async running => {
      await run(running)
    })
    assert.is(statesOf(file).get('optimize')?.last_run, begun / 1000)
    await withService({ file, start: '2026-03-12T12:00:00Z' }, async () => {
      await until(() => assert.is.not(statesOf(file).get('optimize')?.last_run, begun / 1000))
    })
    const state = statesOf(file).get('optimize')
    assert.is(state?.last_run, Date.parse('2026-03-12T12:00:00Z') / 1000)
    assert.is(
      optimize !== undefined &&
        isOverdue({ job: optimize, state, since: null }, createZone('UTC'), begun / 1000 + 2 * 86_400),
      false,
    )
  }))

test('what is due follows the clock of the site', () => {
  const job: Job = { name: 'nightly', schedule: '0 30 2 * * *', about: '', run: async () => '' }
  const berlin = createZone('Europe/Berlin')
  const at = (text: string): number => Date.parse(text) / 1000
  assert.is(nextRun(job, berlin, at('2026-03-10T00:00:00Z')), at('2026-03-10T01:30:00Z'))
  const ran = { name: 'nightly', last_run: at('2026-03-10T01:30:00Z'), last_duration_ms: 1, last_error: null }
  assert.is(isOverdue({ job, state: ran, since: null }, berlin, at('2026-03-11T01:29:59Z')), false)
  assert.is(isOverdue({ job, state: ran, since: null }, berlin, at('2026-03-11T01:30:01Z')), true)
  assert.is(isStale({ job, state: ran, since: null }, berlin, at('2026-03-11T01:31:00Z')), false)
  assert.is(isStale({ job, state: ran, since: null }, berlin, at('2026-03-11T01:40:00Z')), true)
  assert.is(isOverdue({ job, state: undefined, since: null }, berlin, at('2026-03-11T01:40:00Z')), false)
  const never = { job, state: undefined, since: at('2026-03-10T12:00:00Z') }
  assert.is(isOverdue(never, berlin, at('2026-03-11T01:29:59Z')), false)
  assert.is(isOverdue(never, berlin, at('2026-03-11T01:30:01Z')), true)
})

test('a job that fails says why, leaves a row, and the others run', () =>
  withFolder(async folder => {
    const { db } = openDatabase(join(folder, 'test.db'))
    const ended: string[] = []
    const runner = createJobRunner(
      db,
      () => 5000,
      {} as JobDeps,
      ({ name }) => {
        ended.push(name)
      },
    )
    let runs = 0
    const broken: Job = {
      name: 'broken',
      schedule: '0 0 * * * *',
      about: '',
      run: async () => {
        throw new Error('no room')
      },
    }
    const fine: Job = {
      name: 'fine',
      schedule: '0 0 * * * *',
      about: '',
      run: async () => {
        runs += 1
        return 'Done.'
      },
    }
    const results = await runner([broken, fine])
    assert.equal(
      results.map(({ ok, message }) => ({ ok, message })),
      [
        { ok: false, message: 'no room' },
        { ok: true, message: 'Done.' },
      ],
    )
    assert.is(jobStates(db).get('broken')?.last_error, 'no room')
    assert.is(jobStates(db).get('fine')?.last_error, null)
    // Asked for twice at the same time, it runs once.
    await Promise.all([runner([fine]), runner([fine])])
    assert.is(runs, 2)
    assert.equal(ended, ['broken', 'fine', 'fine'])
    db.close()
  }))

test('footfall cron runs the same list, alone with the file only', async () => {
  const { path, remove } = temporaryFolder()
  const data = path('test.db')
  const service = await start(['--data', data])
  const refused = await footfallHere(['cron', '--data', data])
  assert.is(refused.status, 1)
  assert.match(refused.stderr, new RegExp(`process ${service.process.pid}|${service.process.pid}`))
  service.process.kill('SIGTERM')
  await service.ended
  const all = await footfallHere(['cron', '--data', data, '--json'])
  assert.is(all.status, 0, all.stderr)
  assert.equal(
    JSON.parse(all.stdout).map((job: any) => job.name),
    names,
  )
  const table = await footfallHere(['cron', 'salt', '--data', data])
  assert.match(table.stdout, /^NAME +OK +DURATION MS +MESSAGE\nsalt +ok +\d+ +0 salts destroyed\.\n$/)
  const unknown = await footfallHere(['cron', 'dinner', '--data', data])
  assert.is(unknown.status, 2)
  assert.match(unknown.stderr, /There is no job dinner\. The jobs: rollup/)
  const missing = await footfallHere(['cron', '--data', path('missing.db')])
  assert.is(missing.status, 1)
  remove()
})

test('footfall rebuild derives every day anew, names what has changed, and leaves days without their visits alone', () =>
  withFolder(async folder => {
    const data = join(folder, 'test.db')
    await withService({ file: data, start: '2026-03-08T12:00:00Z' }, async ({ hit, clock }) => {
      for (let day = 0; day < 4; day++) {
        await hit({ page_url: `/${day}` })
        clock.now += 86_400_000
      }
    })
    const untouched = await footfallHere(['rebuild', '--data', data])
    assert.is(untouched.stdout, 'Recalculated 4 days. No figures changed.\n', untouched.stderr)
    const { db } = openDatabase(data)
    db.exec(
      "update site_day set views = 7 where day = 20260309; insert into installation (name, value) values ('raw_from', 20260309)",
    )
    db.close()
    const mended = await footfallHere(['rebuild', '--data', data])
    assert.is(
      mended.stdout,
      'Recalculated 3 days. The figures of 1 day changed: 2026-03-09.\nSkipped 1 day whose visits were deleted: 2026-03-08.\n',
    )
    assert.is((await footfallHere(['rebuild', '--data', join(folder, 'missing.db')])).status, 1)
  }))

test.run()
