// The self-test: it passes on an intact installation, and each check fails if its part is broken.
import { readdirSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { questionTexts } from '../../src/advisor/listing.ts'
import { classify } from '../../src/channel/channel.ts'
import type { SelfTestDeps } from '../../src/checks/self-test/check.ts'
import { checks, runSelfTest } from '../../src/checks/self-test/run.ts'
import { connect } from '../../src/database/connect.ts'
import { openDatabase } from '../../src/database/open.ts'
import { firstViewId } from '../../src/database/view-id.ts'
import { describeGeoip } from '../../src/geoip/open.ts'
import { jobs } from '../../src/jobs/list.ts'
import { createZone } from '../../src/lib/time.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { withService } from '../support/service.ts'

const noon = Date.parse('2026-03-10T12:00:00Z')
const { geo } = describeGeoip(null, 'none.db')
const sound = (path: string): Omit<SelfTestDeps, 'folder'> => ({
  path,
  clock: () => noon,
  zone: createZone('Europe/Berlin'),
  geo,
  geoEnabled: true,
  integrity: async () => 'ok',
  jobs,
  classify,
  questionTexts,
})
const change = (path: string, sql: string): void => {
  connect(path).exec(sql).close()
}

test('every check passes on an intact installation, and nothing is left behind', () =>
  withService({}, async ({ api, file, hit, settled }) => {
    await hit({ page_url: '/a' })
    await settled()
    const before = (await api('/summary?from=2026-03-10&to=2026-03-10')).body.data
    const { status, body } = await api('/self-test', { method: 'POST' })
    assert.equal(
      body.checks.filter((check: { ok: boolean }) => !check.ok),
      [],
    )
    assert.equal([status, body.ok, body.checks.length], [200, true, checks.length])
    assert.equal((await api('/summary?from=2026-03-10&to=2026-03-10')).body.data, before)
    assert.equal(
      readdirSync(dirname(file)).filter(name => name.includes('self-test')),
      [],
    )
    const db = connect(file, { readonly: true })
    assert.is(
      db.prepare("select count(*) from audit where who = 'self-test'").pluck().get(),
      0,
      'the transaction was not rolled back',
    )
    db.close()
    for (const [as, code] of [
      ['nobody', 401],
      ['reader', 403],
    ] as const)
      assert.is((await api('/self-test', { method: 'POST', as })).status, code)

    const printed = await footfallHere(['self-test', '--data', file])
    assert.equal([printed.status, printed.stdout.match(/^ok /gm)?.length], [0, checks.length])
    const json = await footfallHere(['self-test', '--json', '--data', file])
    assert.is(JSON.parse(json.stdout).ok, true)
  }))

test('a failed check is 207, and exit code 1', () =>
  withService(
    { flags: { geoipCity: 'test/fixtures/mmdb/GeoIP2-City-Test-Invalid-Node-Count.mmdb' } },
    async ({ api, file }) => {
      const { status, body } = await api('/self-test', { method: 'POST' })
      assert.equal([status, body.ok], [207, false])
      assert.equal(
        body.checks.filter((check: { ok: boolean }) => !check.ok).map((check: { id: string }) => check.id),
        ['geoip'],
      )
      const printed = await footfallHere([
        'self-test',
        '--geoip-city',
        'test/fixtures/mmdb/GeoIP2-City-Test-Invalid-Node-Count.mmdb',
        '--data',
        file,
      ])
      assert.is(printed.status, 1)
      assert.match(printed.stdout, /^FAILED {2}geoip .*no usable GeoIP database/m)
    },
  ))

const onFileOf = (id: string, break_: (path: string) => void) => ({
  onFile: (check: string, path: string) => {
    if (check === id) break_(path)
  },
})

const broken: Record<string, { says: RegExp; deps: (path: string) => Partial<SelfTestDeps> }> = {
  collection: {
    says: /report has 1 page views/,
    deps: () => onFileOf('collection', path => change(path, 'update site_day set views = 1')),
  },
  retention: {
    says: /4 page views instead of the two/,
    deps: () => onFileOf('retention', path => change(path, 'insert into dirty_day (day, marks) values (20260101, 1)')),
  },
  orders: {
    says: /the report has 1 orders, 120 gross/,
    deps: () => onFileOf('orders', path => change(path, 'update revenue_period set gross = 12000')),
  },
  backup: { says: /damaged/, deps: () => onFileOf('backup', path => truncateSync(path, 20_000)) },
  transaction: { says: /There is no database/, deps: path => ({ path: `${path}-that-is-not-there` }) },
  integrity: { says: /damaged: row 3 missing/, deps: () => ({ integrity: async () => 'row 3 missing from index' }) },
  disk: { says: /ENOTDIR/, deps: path => ({ path: join(path, 'no-folder', 'a.db') }) },
  clock: { says: /It is not 1970/, deps: () => ({ clock: () => 0 }) },
  cron: { says: /pattern/i, deps: () => ({ jobs: [{ name: 'never', schedule: '99 * * * *' }] }) },
  geoip: { says: /no usable GeoIP database/, deps: () => ({ geo: null }) },
  advisor: {
    says: /1 distinct questions in en instead of 116/,
    deps: () => ({ questionTexts: () => [{ language: 'en', texts: Array(116).fill('How many?') }] }),
  },
  channels: {
    says: /belongs to AI Assistants was classified as Direct/,
    deps: () => ({ classify: () => ({ channel: 'Direct', domain: null, source: '(direct)' }) }),
  },
}

test('every check has a case in which it fails', () => {
  assert.equal(Object.keys(broken).sort(), checks.map(({ id }) => id).sort())
})

for (const [id, { says, deps }] of Object.entries(broken)) {
  test(`check ${id} can fail`, () =>
    withFolder(async folder => {
      const path = join(folder, 'a.db')
      openDatabase(path).db.close()
      const { ok, checks: results } = await runSelfTest({ ...sound(path), ...deps(path) })
      const found = results.find(check => check.id === id)
      assert.equal([ok, found?.ok], [false, false])
      assert.match(found?.message ?? '', says)
    }))
}

test('the clock is also wrong when it is behind the newest visit', () =>
  withFolder(async folder => {
    const path = join(folder, 'a.db')
    const { db } = openDatabase(path)
    db.prepare('insert into view (id, session_id, visitor_id, page_id) values (?, 1, 1, 1)').run(
      firstViewId(noon / 1000 + 7200),
    )
    db.close()
    const { checks: results } = await runSelfTest(sound(path))
    assert.match(results.find(({ id }) => id === 'clock')?.message ?? '', /later than now/)
    assert.equal(
      results.filter(({ ok }) => !ok).map(({ id }) => id),
      ['clock'],
    )
  }))

test.run()
