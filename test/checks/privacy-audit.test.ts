// The privacy audit: it passes on an intact installation, and each check fails for what it is there to find.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inspectFile } from '../../src/checks/diagnostics/file.ts'
import { auditChecks, runAudit } from '../../src/checks/privacy/checks.ts'
import { measureFile } from '../../src/checks/privacy/file.ts'
import { watchLog } from '../../src/checks/privacy/log-watch.ts'
import type { AuditFacts } from '../../src/checks/privacy/verdict.ts'
import { asAudit } from '../../src/checks/result.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'
import { saveState } from '../../src/database/saved-state.ts'
import { createLog } from '../../src/runtime/log.ts'
import { withBrowser } from '../browser/chromium.ts'
import { footfallHere } from '../support/command.ts'
import { withFile } from '../support/file.ts'
import { withFolder } from '../support/folder.ts'
import { needs } from '../support/needs.ts'
import { sendRecord } from '../support/records.ts'
import { addSalt, saltsOf } from '../support/salts.ts'
import { firefox, type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

type Check = { id: string; status: string; label: string; detail: string; evidence: string }

const change = ({ file }: Running, work: (db: Db) => void): void => {
  const { db } = openDatabase(file)
  work(db)
  db.close()
}
const exec =
  (sql: string) =>
  (running: Running): void =>
    change(running, db => {
      db.exec(sql)
    })
const put =
  (body: object) =>
  ({ api }: Running) =>
    api('/settings', { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
const ask = async ({ api }: Running): Promise<{ score: number; checks: Check[] }> => (await api('/privacy-audit')).body
const notPassed = (checks: readonly Check[]): string[] =>
  checks.filter(({ status }) => status !== 'pass').map(({ id, status }) => `${id}: ${status}`)

/** Traffic of all kinds, a user with a password of their own, a login and a used application password. */
const sound = async (running: Running): Promise<void> => {
  await running.hit({
    page_url: '/a?utm_source=news',
    title: 'Version 1.2.3, see 12:30:45',
    referrer: 'https://www.google.com/',
  })
  await running.hit(
    { page_url: '/a/192.168.1.1/setup?utm_campaign=10.0.0.1', title: 'From 203.0.113.77', author: firefox },
    { 'x-forwarded-for': '2001:db8:1:2:3:4:5:6', 'user-agent': `${firefox} Chrome/141.0.7390.54` },
  )
  await sendRecord(`${running.service.url}/analytics/v1/event`, {
    method: 'POST',
    body: '{"name":"signup","properties":{"plan":"gold"}}',
    headers: { 'content-type': 'application/json', 'user-agent': firefox, 'x-forwarded-for': '203.0.113.9' },
  })
  await put({ excluded_ips: ['198.51.100.7', '2001:db8::/32'] })(running)
  exec("delete from installation where name = 'first_password'")(running)
  await running.settled()
}

const flags = { siteUrl: 'https://site.example', trustProxy: '127.0.0.1,10.0.0.5' }

test('a sound installation passes every check', () =>
  withService({ flags }, async running => {
    await sound(running)
    const { score, checks } = await ask(running)
    assert.equal(notPassed(checks), [])
    assert.is(score, 100)
    assert.equal(
      checks.map(({ id }) => id),
      auditChecks.map(([id]) => id),
    )
    assert.match(
      checks.find(({ id }) => id === 'raw_addresses')?.evidence ?? '',
      /^\d{2,} columns were read; found in: none$/,
    )
    assert.is(
      checks.find(({ id }) => id === 'visitor_cookies')?.evidence,
      'in the tracker: localStorage; consent_mode = cookieless; set by the public routes: none',
    )
    for (const [as, code] of [
      ['nobody', 401],
      ['reader', 403],
    ] as const)
      assert.is((await running.api('/privacy-audit', { as })).status, code)
  }))

/** `also`: another check that does not pass then. */
type Turned = { turn: (running: Running) => unknown; status?: string; evidence: RegExp; also?: string }

const turned: readonly (readonly [id: string, Turned])[] = [
  [
    'consent_mode',
    {
      turn: put({ consent_mode: 'full' }),
      status: 'warning',
      evidence: /consent_mode = full/,
      also: 'visitor_cookies',
    },
  ],
  [
    'visitor_cookies',
    {
      turn: put({ consent_mode: 'full' }),
      status: 'warning',
      evidence: /in the tracker: localStorage; consent_mode = full/,
      also: 'consent_mode',
    },
  ],
  [
    'raw_addresses',
    {
      turn: exec("insert into page (path, host_id) values ('/whois/203.0.113.77', 1)"),
      evidence: /found in: page\.path/,
    },
  ],
  ['dnt', { turn: put({ respect_dnt: false }), evidence: /respect_dnt = false/ }],
  ['gpc', { turn: put({ respect_gpc: false }), evidence: /respect_gpc = false/ }],
  ['retention', { turn: put({ retention_mode: 'forever' }), evidence: /forever/ }],
  ['retention', { turn: put({ retention_days: 1000 }), status: 'warning', evidence: /retention_days = 1000/ }],
  [
    'purge',
    {
      turn: async ({ clock, file }) => {
        clock.now += 370 * 86_400_000
        await until(() => {
          assert.is(saltsOf(file).length, 0, 'the service destroys the salt of that time')
        })
      },
      evidence: /370 days old/,
    },
  ],
  [
    'raw_addresses',
    {
      turn: exec("insert into label (text, hash) values ('somebody at 203.0.113.77', 0)"),
      evidence: /found in: label\.text/,
    },
  ],
  [
    'raw_addresses',
    {
      turn: exec("insert into label (text, hash) values ('2001:db8:aaaa:bbbb:cccc:dddd:eeee:1', 0)"),
      evidence: /found in: label\.text/,
    },
  ],
  [
    'raw_addresses',
    {
      turn: exec("insert into foreign_host_day values (20260310, '203.0.113.3', 1)"),
      evidence: /found in: foreign_host_day\.host/,
    },
  ],
  [
    'raw_addresses',
    {
      turn: exec("insert into visitor (day, hash) values (20260310, x'cb007109')"),
      evidence: /found in: visitor\.hash/,
    },
  ],
  [
    'user_agents',
    { turn: exec(`insert into label (text, hash) values ('${firefox}', 0)`), evidence: /found in: label\.text/ },
  ],
  [
    'visit_networks',
    {
      turn: exec('update session set evidence = 24940'),
      evidence: /^visits with a number that is not of rules: [1-9]/,
    },
  ],
  [
    'visit_networks',
    {
      turn: exec("insert into place (country, city) values ('DE', 'AS24940 Hetzner'), ('DE', '2a01:4f8::/32')"),
      evidence: /places with a network: 2;/,
      also: 'raw_addresses',
    },
  ],
  [
    'visit_networks',
    {
      turn: exec("insert into dimension_rollup values ('suspect', 20260310, 'Hetzner', '', 1, 1, 1, 1)"),
      evidence: /sums by network: 1;/,
    },
  ],
  [
    'visit_networks',
    {
      turn: exec('alter table session add column system integer'),
      evidence: /columns not of Footfall: session\.system$/,
      also: 'own_schema',
    },
  ],
  [
    'visit_networks',
    {
      turn: exec('create table visit_network (session_id integer, prefix text)'),
      evidence: /columns not of Footfall: visit_network\.session_id, visit_network\.prefix$/,
      also: 'own_schema',
    },
  ],
  [
    'salt_age',
    {
      turn: ({ file }) =>
        addSalt(file, { day: 20300101, salt: '000102030405060708090a0b0c0d0e0f', expires_at: 9999999999 }),
      evidence: /without an end: 1, in the log: none$/,
    },
  ],
  [
    'salt_age',
    {
      turn: exec("insert into installation (name, value) values ('salts_in_log', 1)"),
      evidence: /in the log: maybe$/,
    },
  ],
  [
    'purge',
    {
      turn: running => change(running, db => saveState(db, 'log_held', { since: running.clock.now / 1000 - 700 })),
      evidence: /; still in the log: what was erased since 2026-03-10T/,
    },
  ],
  [
    'linkable_days',
    {
      // 40 visitors of each day, of whom 20 have a screen of their own, on both days.
      turn: exec(`with recursive number (n) as (select 0 union all select n + 1 from number where n < 79)
        insert into session (
          visitor_id, started_at, ended_at, views, events, entry_page_id, exit_page_id, origin_id, client_id, screen_id
        )
        select 1000 + n, t.at, t.at, 1, 0, 1, 1, 1, 1, iif(n % 40 < 20, 1, n % 40)
        from number
        join (select unixepoch('2026-03-08T12:00:00Z') as at, 0 as day union all select unixepoch('2026-03-09T12:00:00Z'), 1) t
          on t.day = n / 40`),
      status: 'warning',
      evidence: /^visits of the last two whole days: 80, of 80 visitors; with properties of one visitor a day: 40$/,
    },
  ],
  [
    'salts_in_copies',
    {
      // As a version before made it, which had its salts inside.
      turn: ({ file }) => {
        const copy = join(dirname(file), 'my-copy.db')
        copyFileSync(file, copy)
        withFile(copy, db => db.exec('create table day_salt (day integer); insert into day_salt values (20260310)'))
      },
      evidence: /with a salt: my-copy\.db/,
    },
  ],
  [
    'salts_in_copies',
    {
      turn: ({ file }) => {
        mkdirSync(`${file}-archive`)
        for (const name of ['footfall-2026-03-01.db.partial-99999999', `mine.db.partial-${process.ppid}`])
          writeFileSync(join(dirname(file), name), '')
        writeFileSync(join(`${file}-archive`, '2026-03-01.ndjson.gz.partial-99999999'), '')
      },
      status: 'warning',
      evidence: /unfinished: footfall-2026-03-01\.db\.partial-99999999, 2026-03-01\.ndjson\.gz\.partial-99999999$/,
    },
  ],
  [
    'own_schema',
    {
      turn: exec(
        'create trigger keep after insert on visitor begin insert into demo select 1; end; create view v as select 1',
      ),
      evidence: /not of Footfall: trigger keep, view v/,
    },
  ],
  ['file_permissions', { turn: ({ file }) => chmodSync(file, 0o640), evidence: /readable by others: .*test\.db/ }],
  [
    'secrets',
    {
      turn: exec("update user set password_hash = 'letmein' where login = 'reader'"),
      evidence: /1 passwords and 0 application/,
    },
  ],
  ['secrets', { turn: put({ geoip_license_key: 'key' }), status: 'warning', evidence: /license key present/ }],
  [
    'admin_surface',
    {
      turn: exec("insert into installation values ('first_password', 1)"),
      status: 'warning',
      evidence: /printed password in use/,
    },
  ],
]

for (const [id, { turn, status = 'fail', evidence, also }] of turned) {
  test(`check ${id} turns to ${status}: ${evidence.source}`, () =>
    withService({ flags }, async running => {
      await sound(running)
      // A salt is only in the file itself once the log was brought into it.
      change(running, db => db.pragma('wal_checkpoint(truncate)'))
      await turn(running)
      const { score, checks } = await ask(running)
      const found = checks.find(check => check.id === id)
      assert.equal([found?.status, score < 100], [status, true])
      assert.match(found?.evidence ?? '', evidence)
      assert.is(notPassed(checks).length, also === undefined ? 1 : 2, notPassed(checks).join())
      assert.ok(also === undefined || checks.some(check => check.id === also && check.status !== 'pass'))
    }))
}

test('the salt of visitors who agreed in mode full has no end, and is found in a copy', () =>
  withService({ flags }, async running => {
    await sound(running)
    await put({ consent_mode: 'full' })(running)
    await running.hit({ page_url: '/a', consent_granted: true, visitor_id: 'browser-number-0001' })
    await running.settled()
    const salts = async () =>
      (await ask(running)).checks
        .filter(({ id }) => id.startsWith('salt'))
        .map(({ status, evidence }) => [status, evidence])
    assert.equal(await salts(), [
      ['pass', 'salts: 2, overdue: 0, without an end: 0, in the log: none'],
      ['pass', '0 copies checked; with a salt: none'],
    ])
    change(running, db => db.pragma('wal_checkpoint(truncate)'))
    copyFileSync(running.file, join(dirname(running.file), 'my-copy.db'))
    assert.equal((await salts())[1], ['pass', '1 copies checked; with a salt: none'])
  }))

test('a copy with a salt is found in the folder of the backups, among sound ones and what is not a file', () =>
  withFolder(backups =>
    withService({ flags: { ...flags, backupFolder: backups } }, async running => {
      await sound(running)
      const { body } = await running.api('/cron/run', {
        method: 'POST',
        body: '{"jobs":["backup"]}',
        headers: { 'content-type': 'application/json' },
      })
      assert.is(body.ok, true)
      symlinkSync('/nowhere', join(backups, 'dangling.db'))
      const copies = async () => (await ask(running)).checks.find(({ id }) => id === 'salts_in_copies')
      assert.equal(
        [(await copies())?.status, (await copies())?.evidence],
        ['pass', '1 copies checked; with a salt: none'],
      )
      change(running, db => db.pragma('wal_checkpoint(truncate)'))
      copyFileSync(running.file, join(backups, 'by-hand.db'))
      // As a version before made it.
      withFile(join(backups, 'by-hand.db'), db =>
        db.exec('create table day_salt (day integer); insert into day_salt values (20260310)'),
      )
      assert.equal(
        [(await copies())?.status, (await copies())?.evidence],
        ['fail', '2 copies checked; with a salt: by-hand.db'],
      )
    }),
  ))

test('attempts to guess passwords are reported', () =>
  withService({ flags }, async running => {
    await sound(running)
    for (let number = 0; number < 2; number++) {
      const { status } = await running.api('/session', {
        method: 'POST',
        as: 'nobody',
        body: '{"login":"admin","password":"wrong"}',
        headers: { 'content-type': 'application/json' },
      })
      assert.ok(status >= 400)
    }
    assert.match(
      (await ask(running)).checks.find(({ id }) => id === 'admin_surface')?.evidence ?? '',
      /failed logins of the last 24 hours: 2$/,
    )
  }))

test('https follows the address of the site', async () => {
  for (const [siteUrl, status] of [
    ['http://site.example', 'fail'],
    ['', 'warning'],
  ] as const) {
    await withService({ flags: { siteUrl } }, async running => {
      assert.is((await ask(running)).checks.find(({ id }) => id === 'https')?.status, status)
    })
  }
})

/** What cannot be provoked in a correct program is passed to the checks as if it had been found. */
test('a tracker, public routes, a log or failed logins that reveal too much', () =>
  withFolder(folder => {
    const path = join(folder, 'a.db')
    openDatabase(path).db.close()
    const { content } = inspectFile(path, 1_773_144_000)
    if (content === null) throw new Error('the file cannot be read')
    const watched = watchLog(createLog({ level: 'error', format: 'text', write: () => {}, clock: () => 0 }))
    watched.log.info('a hit', { from: '203.0.113.9' })
    watched.log.warn('a hit', { agent: firefox })
    watched.log.info('listening', { host: '127.0.0.1' })
    watched.log.info('metrics are served', { url: 'http://10.0.0.5:9187/metrics' })
    assert.equal(watched.traces(), { lines: 4, addresses: 1, userAgents: 1 })
    const facts: AuditFacts = {
      now: 1_773_144_000,
      measured: measureFile(path, 1_773_144_000),
      content,
      tracker: 'fetch("/hit"); localStorage.footfall',
      siteUrl: 'https://site.example',
      cookies: [],
      log: { lines: 1, addresses: 0, userAgents: 0 },
      failedLogins: 0,
    }
    assert.equal(asAudit(runAudit(facts)).score, 100)
    const worse: [Partial<AuditFacts>, string][] = [
      [{ tracker: 'document.cookie = "id=1"' }, 'visitor_cookies: fail'],
      [{ tracker: 'sessionStorage.id = 1' }, 'visitor_cookies: fail'],
      [{ cookies: ['id'] }, 'visitor_cookies: fail'],
      [{ tracker: 'fetch("https://elsewhere.example/collect")' }, 'third_party: fail'],
      [{ log: watched.traces() }, 'log: fail'],
      [{ log: null }, 'log: warning'],
      [{ failedLogins: 21 }, 'admin_surface: warning'],
    ]
    for (const [worsened, expected] of worse)
      assert.equal(notPassed(asAudit(runAudit({ ...facts, ...worsened })).checks), [expected])
  }))

test('every check has a case in which it turns', () => {
  const cases = [...turned.map(([id]) => id), 'https', 'third_party', 'log']
  assert.equal(
    auditChecks.map(([id]) => id).filter(id => !cases.includes(id)),
    [],
  )
})

test('the modes of -wal and -shm are checked as that of the database is', () =>
  withFolder(folder => {
    const path = join(folder, 'a.db')
    const { db } = openDatabase(path)
    try {
      for (const suffix of ['', '-wal', '-shm']) {
        const open = (): string[] => measureFile(path, 0).open.map(file => file.slice(path.length))
        assert.equal(open(), [])
        for (const mode of [0o640, 0o604, 0o620, 0o601]) {
          chmodSync(`${path}${suffix}`, mode)
          assert.equal(open(), [suffix], `${suffix} ${mode.toString(8)}`)
          chmodSync(`${path}${suffix}`, 0o600)
        }
      }
    } finally {
      db.close()
    }
  }))

test('the command says the same, and writes a page', () =>
  withService({ flags, start: new Date().toISOString() }, async running => {
    await sound(running)
    const page = join(dirname(running.file), 'audit.html')
    const { status, stdout, stderr } = await footfallHere([
      'privacy-audit',
      '--json',
      '--html',
      page,
      '--data',
      running.file,
    ])
    assert.equal([status, stderr], [0, ''])
    assert.equal(notPassed(JSON.parse(stdout).checks), [])
    assert.match(stdout, /of the last \d+ lines, 0 with an address and 0 with a user agent/)
    assert.match(stdout, /failed logins of the last 24 hours: 0"/)
    const html = readFileSync(page, 'utf8')
    assert.match(
      html,
      /<h1>Privacy audit of the web analytics<br>of https:\/\/site\.example<\/h1>.*Score 100 of 100: <span class="pass">\d+ passed<\/span>.*The file contains no address of a visitor/s,
    )
    assert.not.match(html, /<script|https?:\/\/(?!site\.example)|undefined|null/)
    exec("insert into label (text, hash) values ('203.0.113.77', 0)")(running)
    const failed = await footfallHere(['privacy-audit', '--data', running.file])
    assert.is(failed.status, 1)
    assert.match(failed.stdout, /^FAIL +The file contains no address of a visitor/m)
  }))

test('without a service the log cannot be judged, and what is wrong comes first on the page', () =>
  withService({ flags, start: new Date().toISOString() }, async running => {
    await sound(running)
    const page = join(dirname(running.file), 'audit.html')
    await running.restart(async () => {
      exec("insert into label (text, hash) values ('203.0.113.77', 0)")(running)
      const { status, stdout } = await footfallHere(['privacy-audit', '--json', '--html', page, '--data', running.file])
      assert.equal([status, notPassed(JSON.parse(stdout).checks)], [1, ['raw_addresses: fail', 'log: warning']])
      const rows = [...readFileSync(page, 'utf8').matchAll(/<tr><td class="(\w+)">/g)].map(([, found]) => found)
      assert.equal([rows[0], rows[1], rows[2], rows.length], ['fail', 'warning', 'pass', auditChecks.length])
    })
  }))

needs('chromium')('the page is one sheet of A4 on paper', () =>
  withService({ flags, start: new Date().toISOString() }, async running => {
    await sound(running)
    const page = join(dirname(running.file), 'audit.html')
    exec("insert into label (text, hash) values ('203.0.113.77', 0)")(running)
    await put({ consent_mode: 'full', retention_days: 1000, geoip_license_key: 'key' })(running)
    await footfallHere(['privacy-audit', '--html', page, '--data', running.file])
    await withBrowser(async browser => {
      const tab = await browser.newPage()
      await tab.goto(`file://${page}`)
      const pdf = await tab.pdf({ preferCSSPageSize: true })
      assert.is(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length, 1)
      await tab.setViewportSize({ width: 360, height: 800 })
      assert.is(
        await tab.evaluate('document.documentElement.scrollWidth'),
        360,
        'it needs no sideways scrolling on a phone',
      )
    })
  }),
)

test.run()
