// A machine that is only on for a few hours a day: what is due at night is caught up at the next start.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { jobs } from '../../src/jobs/list.ts'
import { jobStates } from '../../src/jobs/state.ts'
import { withFolder } from '../support/folder.ts'
import { type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const dayLength = 86_400_000
const begin = Date.parse('2026-03-02T09:00:30Z')

const statesOf = (file: string) => {
  const { db } = openDatabase(file)
  try {
    return { jobs: jobStates(db), oldest: db.prepare('select min(started_at) from session').pluck().get() as number }
  } finally {
    db.close()
  }
}

/** What the service does in a morning of ten minutes, in which no job has its time. */
const morning = (folder: string, day: number, work: (running: Running) => Promise<void>): Promise<void> =>
  withService(
    {
      file: join(folder, 'test.db'),
      start: new Date(begin + day * dayLength).toISOString(),
      flags: { backupFolder: join(folder, 'backups') },
    },
    async running => {
      await running.hit({ page_url: '/a' })
      await work(running)
    },
  )

const ids = async ({ api }: Running): Promise<[string, string][]> =>
  (await api('/diagnostics')).body.findings.map((one: { id: string; severity: string }) => [one.id, one.severity])

test('in weeks of short days, every job runs, backups are made, and old visits are deleted', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    await morning(folder, 0, async ({ api, settled }) => {
      const body = JSON.stringify({ retention_days: 30 })
      assert.is(
        (await api('/settings', { method: 'PUT', body, headers: { 'content-type': 'application/json' } })).status,
        200,
      )
      await settled()
    })
    assert.equal(
      [...statesOf(file).jobs.keys()],
      ['digest', 'rollup'],
      'nothing else is due yet: one knows by itself what it has to send, the test asked for the other',
    )
    for (const day of [1, 2, 8, 20, 30, 34, 40]) {
      await morning(folder, day, async running => {
        const at = (begin + day * dayLength) / 1000
        const due = jobs.filter(({ name }) => name !== 'geoip' || day >= 8).map(({ name }) => name)
        await until(() => {
          const { jobs: states } = statesOf(file)
          for (const name of due.filter(one => one !== 'geoip')) assert.is(states.get(name)?.last_run, at, name)
          assert.ok(day < 8 || states.has('geoip'), 'the weekly job')
        })
        await running.settled()
        const found = await ids(running)
        assert.equal(
          found.filter(([id]) => ['stale_job', 'failed_job', 'backup_old', 'purge_behind'].includes(id)),
          [],
        )
      })
      const newest = new Date(begin + day * dayLength).toISOString().slice(0, 10)
      assert.is(readdirSync(join(folder, 'backups')).sort().at(-1), `footfall-${newest}.db`)
    }
    assert.ok(statesOf(file).oldest >= Date.parse('2026-03-12') / 1000, 'visits older than 30 days are gone')
  }))

test.run()
