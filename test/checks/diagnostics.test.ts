// Diagnostics: the answer, each finding provoked, and the command on a running, stopped and damaged installation.
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { noteCommandResult } from '../../src/checks/diagnostics/alert-command.ts'
import { inspectFile } from '../../src/checks/diagnostics/file.ts'
import { findFindings, findingIds } from '../../src/checks/diagnostics/report.ts'
import type { Facts } from '../../src/checks/diagnostics/rules/rule.ts'
import { asFindings } from '../../src/checks/result.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'
import { saveState } from '../../src/database/saved-state.ts'
import { newestVersion } from '../../src/database/schema.ts'
import { describeGeoip } from '../../src/geoip/open.ts'
import { jobs } from '../../src/jobs/list.ts'
import { noteMail } from '../../src/mail/state.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { needs } from '../support/needs.ts'
import { type Running, withService } from '../support/service.ts'
import { withSmallDisk } from '../support/small-disk.ts'
import { until } from '../support/wait.ts'

type Finding = { id: string; severity: string; message: string; hint: string }

const change = ({ file }: Running, work: (db: Db) => void): void => {
  const { db } = openDatabase(file)
  work(db)
  db.close()
}
const ask = async ({ api }: Running): Promise<any> => (await api('/diagnostics')).body
const find = async (running: Running, id: string): Promise<Finding | undefined> =>
  (await ask(running)).findings.find((one: Finding) => one.id === id)
const put = ({ api }: Running, body: object) =>
  api('/settings', { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
const beside = ({ file }: Running, ...args: string[]) => footfallHere(['diagnostics', ...args, '--data', file])
const at = (address: number): Record<string, string> => ({ 'x-forwarded-for': `12.${address >> 8}.${address & 255}.1` })

test('the account has every field, and says nothing secret', () =>
  withService({ flags: { siteUrl: 'https://site.example' } }, async running => {
    await running.hit({ page_url: '/a' })
    await running.hit({ page_url: '/a' }, { dnt: '1' })
    await running.hit({ page_url: '/b', pvid: 'a-view-that-is-sent-twice' })
    await running.hit({ page_url: '/b', pvid: 'a-view-that-is-sent-twice' })
    await put(running, { geoip_license_key: 'hush-hush' })
    const { status, body } = await until(async () => {
      const answer = await running.api('/diagnostics')
      // On a busy machine, the answer doesn't wait for the check.
      assert.is.not(answer.body.database.integrity, 'checking')
      return answer
    })
    assert.is(status, 200)
    assert.equal(Object.keys(body), [
      'generated_at',
      'version',
      'status',
      'findings',
      'database',
      'geoip',
      'cron',
      'collection',
      'shop',
      'mail',
      'webhook',
      'environment',
      'privacy',
      'demo',
    ])
    assert.is(body.generated_at, '2026-03-10T12:00:00Z')
    assert.equal(body.collection, {
      last_hit_at: '2026-03-10T12:00:00Z',
      received_24h: 4,
      accepted_24h: 2,
      repeated_24h: 1,
      refused_24h: { dnt: 1 },
      queue_depth: 0,
    })
    assert.equal(
      [body.database.path, body.database.integrity, body.database.schema_version],
      [running.file, 'ok', newestVersion()],
    )
    assert.is(body.database.size_bytes, statSync(running.file).size)
    assert.equal(
      body.database.tables.find((table: { name: string }) => table.name === 'view'),
      { name: 'view', rows: 2 },
    )
    assert.equal(
      [body.geoip.enabled, body.geoip.source, body.geoip.database_present, body.geoip.license_key_present],
      [true, 'country', true, true],
    )
    assert.equal(
      [body.environment.node, body.environment.platform, body.environment.timezone],
      [process.version, process.platform, 'UTC'],
    )
    assert.ok(body.environment.memory_bytes > 1e6 && body.environment.disk_free_bytes > 0)
    assert.equal(
      [body.environment.config.site_url, body.environment.config.jwt_secret],
      ['https://site.example', 'absent'],
    )
    assert.equal([body.privacy.respect_dnt, body.privacy.geoip_license_key], [true, '********'])
    assert.not.match(JSON.stringify(body), /hush|203\.0\.113|Firefox/)
    running.clock.now += 23 * 3600_000
    assert.is((await ask(running)).collection.received_24h, 4)
    running.clock.now += 2 * 3600_000
    assert.is((await ask(running)).collection.received_24h, 0)
    for (const [as, code] of [
      ['nobody', 401],
      ['reader', 403],
    ] as const)
      assert.is((await running.api('/diagnostics', { as })).status, code)
  }))

test('a sound installation has no finding', () =>
  withService({ flags: { siteUrl: 'https://site.example' } }, async running => {
    for (let visitor = 0; visitor < 40; visitor++) await running.hit({ page_url: '/a' }, at(visitor))
    change(running, db =>
      db.exec(
        "delete from installation where name = 'first_password'; insert into user_totp values (1, x'c0ffee', 1, 0)",
      ),
    )
    await running.settled()
    const { findings, status } = await ask(running)
    assert.equal(
      findings.filter((one: Finding) => one.id !== 'disk_full'),
      [],
    )
    assert.ok(status === 'ok' || findings.length > 0)
  }))

type Provoked = {
  flags?: Record<string, string>
  severity?: string
  says: RegExp
  hint: RegExp
  provoke: (running: Running) => void | Promise<unknown>
}

const provoked: Record<string, Provoked> = {
  nothing_collected: { says: /No visit has been counted yet/, hint: /footfall check/, provoke: () => {} },
  tracking_off: {
    says: /turned off/,
    hint: /tracking_enabled=true/,
    provoke: running => put(running, { tracking_enabled: false }),
  },
  any_host: { says: /accepts visits from any website/, hint: /--site-url/, provoke: () => {} },
  first_password: { says: /'admin' still has the password/, hint: /footfall user password admin/, provoke: () => {} },
  one_client: {
    says: /90 % of the hits come from one address/,
    hint: /--trust-proxy/,
    provoke: async ({ hit }) => {
      for (let number = 0; number < 30; number++) await hit({ page_url: '/a' })
    },
  },
  private_clients: {
    says: /private addresses/,
    hint: /--trust-proxy/,
    provoke: async ({ hit }) => {
      for (let number = 0; number < 30; number++)
        await hit({ page_url: '/a' }, { 'x-forwarded-for': `10.0.0.${number}` })
    },
  },
  unnamed_clients: {
    says: /does not name the visitors/,
    hint: /X-Forwarded-For/,
    provoke: async ({ hit }) => {
      for (let number = 0; number < 30; number++) await hit({ page_url: '/a' }, { 'x-forwarded-for': 'unknown' })
    },
  },
  foreign_host: {
    flags: { siteUrl: 'https://site.example' },
    says: /12 requests .* the host “other\.example”/,
    hint: /--allowed-hosts/,
    provoke: async ({ hit }) => {
      for (let number = 0; number < 12; number++) await hit({ page_url: 'https://other.example/a' }, at(number))
    },
  },
  storage_refusals: {
    severity: 'critical',
    says: /3 requests .* could not be written/,
    hint: /log/,
    provoke: running =>
      change(running, db =>
        db.prepare("insert into ledger_hour values (?, 'storage', 3)").run((running.clock.now / 3600_000) | 0),
      ),
  },
  clock: {
    severity: 'critical',
    says: /later than now/,
    hint: /NTP/,
    provoke: async running => {
      await running.hit({ page_url: '/a' })
      running.clock.now -= 2 * 3600_000
    },
  },
  bounds: {
    says: /\(other\): event \(7\)/,
    hint: /Sums stay exact/,
    provoke: running => change(running, db => db.exec("insert into novelty values (20260310, 'event', 200, 7)")),
  },
  stale_job: {
    says: /The job retention should have run at 2026-03-10T10:17:40Z/,
    hint: /footfall cron retention/,
    provoke: running => change(running, db => jobRow(db, running, 2 * 3600, null)),
  },
  failed_job: {
    says: /The job retention failed: the disk is full/,
    hint: /its next time/,
    provoke: running => change(running, db => jobRow(db, running, 60, 'the disk is full')),
  },
  mail_missing: {
    flags: { digest: 'week', mailTo: 'owner@example.org' },
    says: /^No message can be sent: neither FOOTFALL_SMTP_URL nor --mail-command is set\.$/,
    hint: /--mail-to .*FOOTFALL_SMTP_URL .*--mail-command/,
    provoke: () => {},
  },
  mail_failed: {
    flags: { mailTo: 'owner@example.org', mailCommand: "echo 'no route' >&2; exit 127" },
    says: /^A message could not be sent at 2026-03-10T12:00:00Z: The command ended with 127: no route\.$/,
    hint: /footfall digest --send/,
    provoke: running =>
      change(running, db => noteMail(db, 'mail', running.clock.now / 1000, 'The command ended with 127: no route')),
  },
  webhook_failed: {
    flags: { webhook: 'https://chat.example.org/hooks/KEY' },
    says: /^A message could not be posted to --webhook at 2026-03-10T12:00:00Z: chat\.example\.org answered with 404\.$/,
    hint: /footfall alerts --test/,
    provoke: running =>
      change(running, db => noteMail(db, 'webhook', running.clock.now / 1000, 'chat.example.org answered with 404.')),
  },
  alert_command_failed: {
    flags: { alertCommand: 'exit 3' },
    says: /^The command that sends alerts failed at 2026-03-10T12:00:00Z: The command ended with 3\.$/,
    hint: /--alert-command/,
    provoke: running =>
      change(running, db => noteCommandResult(db, running.clock.now / 1000, 'The command ended with 3.')),
  },
  purge_behind: {
    says: /older than the 365 days/,
    hint: /footfall cron retention/,
    provoke: async running => {
      await running.hit({ page_url: '/a' })
      running.clock.now += 370 * 86_400_000
    },
  },
  backup_old: {
    flags: { backupFolder: 'test/fixtures' },
    says: /^There is no nightly backup in /,
    hint: /footfall backup FILE/,
    provoke: ({ clock }) => {
      clock.now += 3 * 86_400_000
    },
  },
  places_missing: {
    flags: { geoipCity: 'test/fixtures/mmdb/GeoIP2-City-Test-Invalid-Node-Count.mmdb' },
    says: /Countries stay unknown: .*damaged/,
    hint: /--geoip-city/,
    provoke: () => {},
  },
  places_old: {
    says: /GeoIP database is from 20\d\d-/,
    hint: /newer/,
    provoke: ({ clock }) => {
      clock.now += 2 * 365 * 86_400_000
    },
  },
  log_held: {
    says: /^The write-ahead log could not be emptied since 2026-03-10T11:48:20Z/,
    hint: /replication/,
    provoke: running => change(running, db => saveState(db, 'log_held', { since: running.clock.now / 1000 - 700 })),
  },
  wal_large: {
    says: /write-ahead log has 65 MiB/,
    hint: /restart/,
    provoke: ({ file }) => truncateSync(`${file}-wal`, 65 * 2 ** 20),
  },
  file_mode: {
    says: /Other users of this machine/,
    hint: /chmod 600/,
    provoke: async ({ file, settled }) => {
      // The threads that open the file at start set its mode right.
      await settled()
      chmodSync(file, 0o644)
    },
  },
}

/** As if the job had begun so many seconds ago. */
const jobRow = (db: Db, { clock }: Running, ago: number, error: string | null): void => {
  db.prepare('insert or replace into job (name, last_run, last_duration_ms, last_error) values (?, ?, 2, ?)').run(
    'retention',
    clock.now / 1000 - ago,
    error,
  )
}

for (const [id, { flags = {}, severity = 'warning', says, hint, provoke }] of Object.entries(provoked)) {
  test(`finding ${id}`, () =>
    withService({ flags }, async running => {
      await provoke(running)
      const found = await find(running, id)
      assert.is(found?.severity, severity)
      assert.match(found?.message ?? '', says)
      assert.match(found?.hint ?? '', hint)
      for (const language of ['de', 'fr', 'es']) {
        const { findings } = (await running.api(`/diagnostics?lang=${language}`)).body
        const translated = findings.find((one: Finding) => one.id === id)
        assert.is.not(translated.message, found?.message, language)
        assert.is.not(translated.hint, found?.hint, language)
      }
      if (severity === 'critical') assert.is((await ask(running)).status, 'critical')
    }))
}

test('visits that are kept a week too long are critical', () =>
  withService({}, async running => {
    await running.hit({ page_url: '/a' })
    running.clock.now += 371 * 86_400_000
    assert.is((await find(running, 'purge_behind'))?.severity, 'warning')
    running.clock.now += 2 * 86_400_000
    assert.is((await find(running, 'purge_behind'))?.severity, 'critical')
  }))

/** The facts of an intact file, for what cannot easily be provoked. */
const intactFacts = (file: string): Facts => ({
  now: 0,
  file: inspectFile(file, 0),
  integrity: 'ok',
  storage: null,
  inPlace: true,
  places: { ...describeGeoip(null, file).facts, trouble: null },
  running: false,
  clients: null,
  anyHost: null,
})

test('findings are sorted by severity, most severe first', () =>
  withFolder(folder => {
    const file = join(folder, 'a.db')
    const { db } = openDatabase(file)
    db.exec('insert into dirty_day (day, marks) values (20260309, 1)')
    db.prepare("insert into ledger_hour values (0, 'storage', 3)").run()
    db.close()
    chmodSync(file, 0o644)
    const facts = { ...intactFacts(file), integrity: 'row 3 missing', anyHost: true }
    const ids = ['database_damaged', 'storage_refusals', 'file_mode', 'any_host', 'rollups_behind']
    const found = findFindings(facts).filter(({ id }) => ids.includes(id))
    assert.equal(
      found.map(({ id, status }) => `${id}: ${status}`),
      [
        'database_damaged: critical',
        'storage_refusals: critical',
        'file_mode: warning',
        'any_host: warning',
        'rollups_behind: info',
      ],
    )
  }))

test('foreign_host is reported from 10 refusals on that are half of all refusals, with the host that has most', () =>
  withFolder(folder => {
    const file = join(folder, 'a.db')
    openDatabase(file).db.close()
    const facts = intactFacts(file)
    const reported = (outcomes: Record<string, number>, host: string | null = 'other.example'): string | null => {
      const { content } = facts.file
      if (content === null) throw new Error('the file cannot be read')
      const foreignHost = host === null ? null : { host, requests: 1 }
      const changed = { ...facts, file: { ...facts.file, content: { ...content, outcomes, foreignHost } } }
      return asFindings(findFindings(changed)).find(({ id }) => id === 'foreign_host')?.hint ?? null
    }
    const fix = 'If it belongs to the site, add it to --allowed-hosts.'
    const accepted = { received: 9000, accepted: 8000, repeated: 500, trimmed: 500 }
    assert.is(reported({ foreign_host: 9 }), null)
    assert.is(reported({ foreign_host: 10 }), fix)
    assert.is(reported({ ...accepted, foreign_host: 10 }), fix, 'only refusals are compared')
    assert.is(reported({ ...accepted, foreign_host: 10, bot: 6, dnt: 4 }), fix)
    assert.is(reported({ ...accepted, foreign_host: 10, bot: 6, dnt: 5 }), null)
    assert.is(reported({ foreign_host: 10 }, null), null)
    for (const host of ['', '192.0.2.7'])
      assert.is(reported({ foreign_host: 10 }, host), 'Set the hosts of the site with --allowed-hosts.')
  }))

/** Found by the tests below, each in a way of its own, and by those of demo, places, storage and identity. */
const elsewhere = [
  'no_second_factor',
  'new_network',
  'places_not_renewed',
  'rollups_behind',
  'shop_import_failed',
  'webhooks_rejected',
  'orders_refused',
  'zone_differs',
  'disk_full',
  'schema_behind',
  'schema_ahead',
  'database_damaged',
  'demo_data',
  'places_damaged',
  'places_key_unused',
  'file_moved',
  'storage',
]

test('every finding is provoked', () => {
  assert.equal([...Object.keys(provoked), ...elsewhere].sort(), [...findingIds].sort())
})

test('finding places_not_renewed', () =>
  withService({ flags: { geoipFallbackUrl: 'http://127.0.0.1:9/{year}-{month}.mmdb' } }, async running => {
    await running.api('/diagnostics/enable-fallback-city', { method: 'POST' })
    await until(async () => {
      const found = await find(running, 'places_not_renewed')
      assert.match(found?.message ?? '', /city database could not be downloaded: .+/)
      assert.match(found?.hint ?? '', /--geoip-fallback-url/)
    })
  }))

test('finding rollups_behind, of a file without a service', () =>
  withFolder(async folder => {
    const file = join(folder, 'a.db')
    const { db } = openDatabase(file)
    db.exec('insert into dirty_day (day, marks) values (20260309, 1), (20260310, 1)')
    db.close()
    const { findings } = JSON.parse((await footfallHere(['diagnostics', '--json', '--data', file])).stdout)
    assert.equal(
      findings
        .filter(({ id }: Finding) => id === 'rollups_behind')
        .map(({ severity, message }: Finding) => [severity, message]),
      [['info', 'The reports of 2 days are not up to date.']],
    )
  }))

test('a disk that fills up is a warning first', () =>
  withFolder(folder => {
    const file = join(folder, 'a.db')
    openDatabase(file).db.close()
    const severity = (free: number): string | undefined => {
      const facts = intactFacts(file)
      const disk = { free: free * 2 ** 20, size: 100_000 * 2 ** 20 }
      return findFindings({ ...facts, file: { ...facts.file, disk } }).find(({ id }) => id === 'disk_full')?.status
    }
    assert.equal([6000, 4900, 900, 10].map(severity), [undefined, 'warning', 'critical', 'critical'])
  }))

test('a file that is damaged while the service runs is reported by the service', () =>
  withService({}, async running => {
    change(running, db => {
      db.exec(
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000) insert into page (path, host_id) select '/page/' || hex(randomblob(40)), 1 from n",
      )
      db.pragma('wal_checkpoint(truncate)')
    })
    const bytes = readFileSync(running.file)
    const damaged = openSync(running.file, 'r+')
    writeSync(damaged, Buffer.alloc(40_000, 0x55), 0, 40_000, bytes.length - 60_000)
    closeSync(damaged)
    const { status, findings, database } = await ask(running)
    assert.equal([status, findings[0].id, findings[0].severity], ['critical', 'database_damaged', 'critical'])
    assert.is.not(database.integrity, 'ok')
  }))

test('a file that cannot be written is still reported on', () =>
  withService({}, async running => {
    await running.hit({ page_url: '/a' }, { dnt: '1' })
    const { db } = openDatabase(running.file)
    db.exec('begin immediate')
    try {
      const { status, body } = await running.api('/diagnostics')
      assert.equal([status, body.database.integrity], [200, 'ok'])
    } finally {
      db.exec('rollback')
      db.close()
    }
    assert.equal((await ask(running)).collection.refused_24h, { dnt: 1 })
  }))

test('a visit a day ago is a finding, and a job that is on time is not', () =>
  withService({}, async running => {
    await running.hit({ page_url: '/a' })
    assert.is(await find(running, 'nothing_collected'), undefined)
    change(running, db => jobRow(db, running, 60, null))
    const job = (await ask(running)).cron.jobs.find(({ name }: { name: string }) => name === 'retention')
    assert.equal(job, {
      name: 'retention',
      schedule: '40 17 * * * *',
      last_run: '2026-03-10T11:59:00Z',
      last_duration_ms: 2,
      last_error: null,
      next_run: '2026-03-10T12:17:40Z',
      stale: false,
    })
    running.clock.now += 25 * 3600_000
    assert.match((await find(running, 'nothing_collected'))?.message ?? '', /since 2026-03-10T12:00:00Z/)
  }))

test('findings of the shop: an import that failed, webhooks that are all refused', () =>
  withService({ webhookSecret: 'secret of the shop' }, async running => {
    assert.is((await ask(running)).shop.configured, false)
    const webhook = await fetch(`${running.service.url}/analytics/v1/woocommerce/webhook`, {
      method: 'POST',
      body: '{"id":1}',
      headers: { 'x-wc-webhook-signature': 'bm9uc2Vuc2U=' },
    })
    assert.is(webhook.status, 401)
    const { db } = openDatabase(running.file)
    db.exec("update shop_backfill set state = 'failed', last_error = 'The key is not known to the shop.'")
    db.close()
    await running.restart()
    assert.match(
      (await find(running, 'shop_import_failed'))?.message ?? '',
      /has failed: The key is not known to the shop\.$/,
    )
    assert.match(
      (await find(running, 'webhooks_rejected'))?.message ?? '',
      /^1 deliveries .* refused, and none was accepted/,
    )
    const { shop } = await ask(running)
    assert.equal([shop.orders_stored, shop.webhooks_rejected, shop.backfill], [0, 1, 'failed'])
  }))

test('orders of the shop that cannot be read are a finding until they can', () =>
  withService({}, async running => {
    const order = (id: number, currency: string) => ({
      id,
      status: 'processing',
      currency,
      date_created_gmt: '2026-03-10T09:00:00',
      total: '50.00',
    })
    const push = async (orders: object[]): Promise<object> => {
      const headers = { 'content-type': 'application/json' }
      const { body } = await running.api('/orders', { method: 'POST', headers, body: JSON.stringify(orders) })
      return body
    }
    const site = async () => (await running.api('/site')).body.orders_refused
    await push([order(1, 'EUR')])
    assert.equal([await find(running, 'orders_refused'), await site()], [undefined, null])
    await push([order(2, '?'), order(1, '?'), order(3, 'EUR')])
    assert.match(
      (await find(running, 'orders_refused'))?.message ?? '',
      /^2 orders of the shop cannot be read .* number 1\. currency is missing or cannot be used\.$/,
    )
    await running.restart()
    assert.equal(await site(), { count: 2, id: 1, reason: 'currency is missing or cannot be used.' })
    await push([order(1, 'EUR')])
    assert.match((await find(running, 'orders_refused'))?.message ?? '', /^An order .*: number 2\./)
    await push([order(2, 'EUR')])
    assert.equal([await find(running, 'orders_refused'), await site()], [undefined, null])
    await push(Array.from({ length: 101 }, (_, index) => order(index + 10, '?')))
    assert.equal(await site(), { count: 100, id: 110, reason: 'currency is missing or cannot be used.' })
  }))

test("WordPress' time zone is taken over by a file without one of its own, and otherwise a difference is said", async () => {
  const tell = (running: Running, zone: string) =>
    running.api('/site', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ wordpress_timezone: zone }),
    })
  const zones = async (running: Running): Promise<unknown[]> => {
    const { timezone, wordpress_timezone, timezone_differs } = (await running.api('/site')).body
    return [timezone, wordpress_timezone, timezone_differs, (await find(running, 'zone_differs'))?.message]
  }
  await withService({}, async running => {
    assert.equal(await zones(running), ['UTC', null, false, undefined])
    for (const same of ['+00:00', 'Etc/UTC']) assert.is((await tell(running, same)).body.timezone_differs, false)
    assert.is((await tell(running, 'Mars/Base')).status, 400)
    await running.hit({ type: 'pageview', url: 'https://shop.example/' })
    for (const zone of ['America/New_York', '-09:30', 'Asia/Calcutta', '+00:00', 'Europe/Kyiv']) {
      await tell(running, zone)
      await running.restart()
      assert.is((await zones(running))[2], false, zone)
    }
    assert.is((await running.api('/realtime')).body.meta.timezone, 'Europe/Kyiv')
    await tell(running, 'Europe/Kiev')
    assert.is((await zones(running))[2], false, 'another name of the same zone')
  })
  await withService({ flags: { timezone: 'Europe/Berlin' } }, async running => {
    await tell(running, 'America/New_York')
    await running.restart()
    const [timezone, told, differs, message] = await zones(running)
    assert.equal([timezone, told, differs], ['Europe/Berlin', 'America/New_York', true])
    assert.match(
      String(message),
      /WordPress is America\/New_York, that of the reports Europe\/Berlin: “today”.*revenue per day/,
    )
  })
})

test('a zone that the file was begun with is its own, also without the option', () =>
  withFolder(async folder => {
    const file = join(folder, 'own.db')
    await withService({ file, flags: { timezone: 'Europe/Berlin' } }, async () => {})
    await withService({ file }, async running => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ wordpress_timezone: 'Asia/Tokyo' })
      await running.api('/site', { method: 'PUT', headers, body })
      await running.restart()
      assert.is((await running.api('/site')).body.timezone, 'Europe/Berlin')
      assert.ok(await find(running, 'zone_differs'))
    })
  }))

needs('the right to mount')('finding disk_full', () =>
  withSmallDisk(8, async small => {
    const file = join(small, 'a.db')
    openDatabase(file).db.close()
    writeFileSync(join(small, 'ballast'), Buffer.alloc(6 * 2 ** 20))
    const fill = openSync(join(small, 'more'), 'w')
    for (let left = 1; left > 0; ) {
      try {
        writeFileSync(fill, Buffer.alloc(64 * 1024))
      } catch {
        left = 0
      }
    }
    ftruncateSync(fill, Math.max(0, statSync(join(small, 'more')).size - 200 * 1024))
    closeSync(fill)
    const { status, stdout } = await footfallHere(['diagnostics', '--data', file])
    assert.match(stdout, /CRITICAL +The disk of .* has 0 MiB left/)
    assert.is(status, 1)
  }),
)

test('the command says the same next to the running service', () =>
  withService({ flags: { siteUrl: 'https://site.example' } }, async running => {
    for (let number = 0; number < 30; number++) await running.hit({ page_url: '/a' })
    running.clock.now = Date.now()
    const told = await ask(running)
    const { status, stdout } = await beside(running, '--json')
    const body = JSON.parse(stdout)
    assert.is(status, 0)
    assert.equal(Object.keys(body), Object.keys(told))
    assert.is(body.environment.config.site_url, 'https://site.example')
    assert.ok(body.environment.uptime_seconds !== null)
    const ids = body.findings.map((one: Finding) => one.id)
    assert.ok(ids.includes('one_client') && ids.includes('first_password') && !ids.includes('any_host'), ids.join())
    assert.not.match(stdout, /203\.0\.113/)
    const text = (await beside(running)).stdout
    assert.match(text, /^Footfall .*integrity: ok\)\nThe service has been running/)
    assert.match(text, /^Places: country database of 20\d\d-/m)
    assert.match(
      text,
      new RegExp(
        `^JOB +LAST RUN +TOOK MS +NEXT RUN +STATE\\n(?:\\w+ +\\S+ +\\S+ +\\S+ +\\S.*\\n){${jobs.length}}\\nStatus: warning\\.\\n`,
        'm',
      ),
    )
  }))

test('a file of another version is reported as such, not as damaged', () =>
  withFolder(async folder => {
    const file = join(folder, 'a.db')
    const { db } = openDatabase(file)
    for (const [version, id, code] of [
      [0, 'schema_behind', 0],
      [900, 'schema_ahead', 1],
    ] as const) {
      db.pragma(`user_version = ${version}`)
      const { status, stdout } = await footfallHere(['diagnostics', '--json', '--data', file])
      assert.equal([JSON.parse(stdout).findings[0].id, status], [id, code])
    }
    db.close()
  }))

test('the command works without a service, and on a damaged file', () =>
  withFolder(async folder => {
    const file = join(folder, 'a.db')
    const { db } = openDatabase(file)
    db.exec(
      "with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000) insert into page (path, host_id) select '/page/' || hex(randomblob(40)), 1 from n",
    )
    db.close()
    const sound = await footfallHere(['diagnostics', '--data', file])
    assert.is(sound.status, 0)
    assert.match(sound.stdout, /No service is running/)

    const bytes = readFileSync(file)
    bytes.fill(0x55, bytes.length - 60_000, bytes.length - 20_000)
    writeFileSync(file, bytes)
    const scratched = await footfallHere(['diagnostics', '--json', '--data', file])
    assert.is(scratched.status, 1)
    const body = JSON.parse(scratched.stdout)
    assert.equal([body.status, body.findings[0].id], ['critical', 'database_damaged'])
    assert.match(body.findings[0].hint, /footfall restore/)

    writeFileSync(file, 'nothing that was ever a database, '.repeat(500))
    const ruined = await footfallHere(['diagnostics', '--json', '--data', file])
    assert.is(ruined.status, 1)
    assert.equal(JSON.parse(ruined.stdout).findings[0].id, 'database_damaged')

    const missing = await footfallHere(['diagnostics', '--data', join(folder, 'none.db')])
    assert.equal([missing.status, /There is no database/.test(missing.stderr)], [1, true])
  }))

test.run()
