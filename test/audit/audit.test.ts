// What is recorded of who did what: over HTTP, by the command line, of failed logins, and for how long.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { actions } from '../../src/audit/actions.ts'
import { noteAction } from '../../src/audit/audit.ts'
import { scanFile } from '../../src/checks/privacy/scan.ts'
import { openDatabase } from '../../src/database/open.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { auditOf } from '../support/audit.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { password } from '../support/known-users.ts'
import { type Answer, firefox, type Running, withService } from '../support/service.ts'

const day = 86_400_000
const newPassword = 'correct horse battery'
const json = { 'content-type': 'application/json' }

const send = ({ api }: Running, method: string, path: string, body?: object, headers = {}): Promise<Answer> =>
  api(path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { ...(body !== undefined && json), ...headers },
  })

const logIn = (running: Running, login: string, secret: string): Promise<Answer> =>
  running.api('/session', {
    method: 'POST',
    as: 'nobody',
    headers: json,
    body: JSON.stringify({ login, password: secret }),
  })

/** Endpoints that leave no entry, and why. */
const exempt: Readonly<Record<string, string>> = {
  'POST /hit': 'collection',
  'POST /event': 'collection',
  'POST /engagement': 'collection',
  'POST /forget': 'collection: a visitor withdraws; nothing may reveal who',
  'POST /orders': 'data of the shop',
  'POST /woocommerce/webhook': 'data of the shop',
  'POST /woocommerce/state': 'data of the shop',
  'POST /content': 'data of the CMS',
  'PUT /site': 'data of the CMS; a change of the time zone is an annotation',
  'DELETE /session': 'a logout',
  'POST /share-links/open': 'reading',
  'POST /advisor/answers': 'reading',
  'POST /advisor/ask': 'reading',
  'POST /known-texts': 'reading',
  'PUT /advisor/preferences': "one's own view",
  'DELETE /advisor/preferences/:user': 'the view of a user whom the platform has removed',
  'POST /cron/run': 'jobs run by themselves; a backup has an entry',
  'POST /uploads': 'a file for an import, which has an entry',
  'PUT /uploads/:id': 'a piece of it',
  'DELETE /uploads/:id': 'it was not imported',
  'POST /imports': 'has an entry at its end, which test/import/live.test.ts looks at',
  'PUT /imports/current': 'the entry comes at its end',
  'DELETE /imports/:id': 'has an entry, which test/import/moving-service.test.ts looks at',
  'POST /self-test': 'changes nothing',
  'POST /rules/preview': 'changes nothing',
  'POST /mail/test': 'sends what changes nothing',
  'POST /goals/preview': 'changes nothing',
  'POST /funnels/preview': 'changes nothing',
  'POST /check': 'changes nothing',
  'POST /batch': 'reading, and collection',
  'POST /revenue/reconcile': 'changes nothing',
  'POST /users/me/totp': 'asked for only once it is confirmed, which has an entry',
}

type Step = {
  /** As in the list of endpoints. */
  endpoint: string
  send: (running: Running) => Promise<Answer>
  /** The new entries, without who. */
  entries: readonly string[]
  /** Empty: not looked at here. */
  who?: string
}

const administrator = 'admin (test 0)'
const uuidOf = async (running: Running, path: string): Promise<string> =>
  (await send(running, 'GET', path)).body[0].uuid

const orderSteps = [
  { kind: 'page', pattern: '/cart' },
  { kind: 'event', pattern: 'purchase' },
]

const steps: readonly Step[] = [
  {
    endpoint: 'POST /session',
    send: running => logIn(running, 'admin', password),
    entries: ['Logged in.'],
    who: 'admin',
  },
  {
    endpoint: 'POST /users',
    send: running => send(running, 'POST', '/users', { login: 'Anna', role: 'editor', password: newPassword }),
    entries: ['Added the user Anna with the role editor.'],
  },
  {
    endpoint: 'PUT /users/:id',
    send: running => send(running, 'PUT', '/users/3', { role: 'administrator', locale: 'de', password }),
    entries: [
      'Changed the role of Anna: editor → administrator.',
      'Changed the language of Anna: en → de.',
      'Changed the password of Anna.',
    ],
  },
  {
    endpoint: 'POST /users/:id/application-passwords',
    send: running => send(running, 'POST', '/users/3/application-passwords', { name: 'Grafana' }),
    entries: ['Created the application password “Grafana” of Anna; scopes: all.'],
  },
  {
    endpoint: 'DELETE /users/:id/application-passwords/:uuid',
    send: async running => {
      const path = '/users/3/application-passwords'
      return send(running, 'DELETE', `${path}/${await uuidOf(running, path)}`)
    },
    entries: ['Revoked the application password “Grafana” of Anna.'],
  },
  {
    endpoint: 'DELETE /users/:id/application-passwords',
    send: running => send(running, 'DELETE', '/users/2/application-passwords'),
    entries: ['Revoked all application passwords of reader: 1.'],
  },
  {
    endpoint: 'DELETE /users/:id',
    send: running => send(running, 'DELETE', '/users/3'),
    entries: ['Removed the user Anna.'],
  },
  {
    endpoint: 'POST /users',
    send: running =>
      send(running, 'POST', '/users', {
        login: 'Vera',
        role: 'viewer',
        password: newPassword,
        filters: { page: '/from-198.51.100.7' },
      }),
    entries: ['Added the user Vera with the role viewer.', 'Held Vera to the filters page=/from-(address).'],
  },
  {
    endpoint: 'PUT /users/:id',
    send: running => send(running, 'PUT', '/users/4', { filters: null }),
    entries: ['Lifted the filters of Vera.'],
  },
  {
    endpoint: 'POST /invitations',
    send: running => send(running, 'POST', '/invitations', { name: 'Pia' }),
    entries: ['Invited “Pia” with the role viewer.'],
  },
  {
    endpoint: 'DELETE /invitations/:uuid',
    send: async running => send(running, 'DELETE', `/invitations/${await uuidOf(running, '/invitations')}`),
    entries: ['Withdrew the invitation of “Pia”.'],
  },
  {
    endpoint: 'POST /invitations/accept',
    send: async running => {
      const { token } = (await send(running, 'POST', '/invitations', { name: 'Ida', filters: { device: 'phone' } }))
        .body
      const body = JSON.stringify({ token, login: 'ida', password: newPassword })
      return running.api('/invitations/accept', { method: 'POST', as: 'nobody', headers: json, body })
    },
    // Of the administrator and of the guest; test/identity/invitations.test.ts looks at who.
    entries: [
      'Invited “Ida” with the role viewer.',
      'Added the user ida with the role viewer.',
      'Held ida to the filters device=mobile.',
      'Accepted the invitation of “Ida” as ida.',
      'Logged in.',
    ],
    who: '',
  },
  {
    endpoint: 'POST /digests',
    send: running => send(running, 'POST', '/digests', { address: 'hush@example.org', period: 'month' }),
    entries: ['Subscribed to the digest of each month.'],
  },
  {
    endpoint: 'DELETE /digests/:uuid',
    send: async running => {
      const [{ uuid }] = (await send(running, 'GET', '/digests')).body.digests
      return send(running, 'DELETE', `/digests/${uuid}`)
    },
    entries: ['Ended a digest of admin; period: month.'],
  },
  {
    endpoint: 'PUT /settings',
    send: running =>
      send(running, 'PUT', '/settings', {
        consent_mode: 'full',
        excluded_ips: ['198.51.100.7'],
        geoip_license_key: '1:hush-hush',
        geoip_enabled: true,
      }),
    entries: [
      'Changed the setting consent_mode: cookieless → full.',
      'Changed the setting excluded_ips; entries: 0 → 1.',
      'Changed the setting geoip_license_key.',
    ],
  },
  {
    endpoint: 'POST /segments',
    send: running => send(running, 'POST', '/segments', { name: 'Phones', filters: { device: 'phone' } }),
    entries: ['Saved the segment “Phones”.'],
  },
  {
    endpoint: 'PUT /bots',
    send: running => send(running, 'PUT', '/bots', { suspects: 'leave_out', ignored: ['no_screen'] }),
    entries: ['Suspect visits: count → leave_out. Ignored rules: no_screen.'],
  },
  {
    endpoint: 'PUT /rules',
    send: running => send(running, 'PUT', '/rules', { rules: [{ field: 'path', pattern: '/admin/*' }] }),
    entries: ['Rules for what is not counted: 0 → 1. Added: path /admin/*. Removed: –.'],
  },
  {
    endpoint: 'POST /erase',
    send: async running => {
      await running.hit({ page_url: '/jane-doe' })
      return send(running, 'POST', '/erase', { target: 'page', value: '/jane-doe' })
    },
    entries: ['Erased data; kind: page.'],
  },
  {
    endpoint: 'PUT /segments/:id',
    send: running => send(running, 'PUT', '/segments/1', { name: 'Tablets', filters: { device: 'tablet' } }),
    entries: ['Changed the segment “Tablets”.'],
  },
  {
    endpoint: 'DELETE /segments/:id',
    send: running => send(running, 'DELETE', '/segments/1'),
    entries: ['Removed the segment “Tablets”.'],
  },
  {
    endpoint: 'POST /goals',
    send: running => send(running, 'POST', '/goals', { name: 'Sign-up', kind: 'event', pattern: 'signup' }),
    entries: ['Saved the goal “Sign-up”.'],
  },
  {
    endpoint: 'PUT /goals/:id',
    send: running => send(running, 'PUT', '/goals/1', { name: 'Signed up', kind: 'event', pattern: 'signup' }),
    entries: ['Changed the goal “Signed up”.'],
  },
  {
    endpoint: 'DELETE /goals/:id',
    send: running => send(running, 'DELETE', '/goals/1'),
    entries: ['Removed the goal “Signed up”.'],
  },
  {
    endpoint: 'POST /funnels',
    send: running => send(running, 'POST', '/funnels', { name: 'Order', steps: orderSteps }),
    entries: ['Saved the funnel “Order”.'],
  },
  {
    endpoint: 'PUT /funnels/:id',
    send: running => send(running, 'PUT', '/funnels/1', { name: 'Orders', steps: orderSteps }),
    entries: ['Changed the funnel “Orders”.'],
  },
  {
    endpoint: 'DELETE /funnels/:id',
    send: running => send(running, 'DELETE', '/funnels/1'),
    entries: ['Removed the funnel “Orders”.'],
  },
  {
    endpoint: 'POST /annotations',
    send: running => send(running, 'POST', '/annotations', { text: 'Moved to 198.51.100.9' }),
    entries: ['Added the annotation “Moved to (address)”.'],
  },
  {
    endpoint: 'PUT /annotations/:id',
    send: running => send(running, 'PUT', '/annotations/1', { text: 'Moved' }),
    entries: ['Changed the annotation “Moved”.'],
  },
  {
    endpoint: 'DELETE /annotations/:id',
    send: running => send(running, 'DELETE', '/annotations/1'),
    entries: ['Removed the annotation “Moved”.'],
  },
  {
    endpoint: 'PUT /alerts',
    send: running => send(running, 'PUT', '/alerts', { spike: { enabled: true }, disk: { threshold: 10 } }),
    entries: ['Changed the alert spike: off, 20 → on, 20.', 'Changed the alert disk: off, 5, 72 → off, 10, 72.'],
  },
  {
    endpoint: 'POST /share-links',
    // A name may hold an address: the log does not.
    send: running => send(running, 'POST', '/share-links', { name: 'For 198.51.100.9', password: newPassword }),
    entries: ['Created the share link “For (address)”.'],
  },
  {
    endpoint: 'DELETE /share-links/:uuid',
    send: async running => send(running, 'DELETE', `/share-links/${await uuidOf(running, '/share-links')}`),
    entries: ['Revoked the share link “For (address)”.'],
  },
  {
    endpoint: 'POST /revenue/backfill',
    send: running => send(running, 'POST', '/revenue/backfill', {}),
    entries: ["Started an import of the shop's orders."],
  },
  {
    endpoint: 'POST /revenue/backfill',
    send: running => send(running, 'POST', '/revenue/backfill', { cancel: true }),
    entries: ["Cancelled the import of the shop's orders."],
  },
  {
    endpoint: 'POST /diagnostics/enable-fallback-city',
    send: running => send(running, 'POST', '/diagnostics/enable-fallback-city', {}),
    entries: ['Turned on the free city database.'],
  },
  {
    endpoint: 'DELETE /sessions/:id',
    send: async running => {
      // The administrator's own began in the same moment: the order of the two is that of their random ids.
      const sessions: { id: string; login: string }[] = (await send(running, 'GET', '/sessions')).body
      return send(running, 'DELETE', `/sessions/${sessions.find(({ login }) => login === 'ida')?.id}`)
    },
    entries: ['Ended a login of ida.'],
  },
  {
    endpoint: 'POST /users/me/totp/confirm',
    send: async running => {
      const { secret } = (await send(running, 'POST', '/users/me/totp', { password })).body
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: running.clock.now })
      return send(running, 'POST', '/users/me/totp/confirm', { code })
    },
    entries: ['Turned on the second factor of admin.'],
  },
  {
    endpoint: 'DELETE /users/me/totp',
    send: running => send(running, 'DELETE', '/users/me/totp', { password }),
    entries: ['Turned off the second factor of admin.'],
  },
  {
    endpoint: 'DELETE /sessions',
    send: running => send(running, 'DELETE', '/sessions'),
    entries: ['Ended all logins of admin: 0.'],
  },
  {
    endpoint: 'PUT /users/me',
    send: running => send(running, 'PUT', '/users/me', { locale: 'fr' }),
    entries: ['Changed the language of admin: en → fr.'],
  },
  {
    endpoint: 'DELETE /users/me',
    send: async running => {
      await send(running, 'POST', '/users', { login: 'other', password: newPassword })
      return send(running, 'DELETE', '/users/me')
    },
    entries: ['Added the user other with the role administrator.', 'Removed the user admin.'],
  },
]

const unreachable = 'http://127.0.0.1:9'

test('what is done over HTTP is recorded, with nothing that is secret', () =>
  withService(
    {
      flags: {
        woocommerceUrl: unreachable,
        geoipFallbackUrl: unreachable,
        geoipLicensedUrl: `${unreachable}/{suffix}`,
      },
      shopKey: { key: 'ck_key', secret: 'cs_secret' },
    },
    async running => {
      let seen = auditOf(running.file).length
      for (const { endpoint, send: act, entries, who = administrator } of steps) {
        const { status } = await act(running)
        assert.ok(status >= 200 && status < 300, `${endpoint}: ${status}`)
        const all = auditOf(running.file)
        assert.equal(
          all.slice(seen).map(line => (who === '' ? line.replace(/^.*?: /, '') : line)),
          entries.map(entry => (who === '' ? entry : `${who}: ${entry}`)),
          endpoint,
        )
        seen = all.length
      }
      assert.not.match(auditOf(running.file).join('\n'), /hush|198\.51\.100|correct horse|long enough|ck_|cs_/)
    },
  ))

test('every endpoint that changes something leaves an entry', () => {
  const changing = endpoints.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
  const recorded = steps.map(({ endpoint }) => endpoint)
  assert.equal(
    changing.filter(endpoint => !recorded.includes(endpoint) && !Object.hasOwn(exempt, endpoint)),
    [],
  )
  assert.equal(
    Object.keys(exempt).filter(endpoint => !changing.includes(endpoint)),
    [],
    'exempt, but not there',
  )
})

test('a program is named by its application password, a user of the host platform by the id', () =>
  withService({}, async running => {
    const { body } = await send(running, 'POST', '/users/1/application-passwords', { name: 'Nightly' })
    const authorization = `Basic ${btoa(`admin:${body.password}`)}`
    await send(running, 'PUT', '/settings', { respect_dnt: false }, { authorization })
    assert.is(auditOf(running.file).at(-1), 'admin (Nightly): Changed the setting respect_dnt: true → false.')
    for (const login of ['cli', 'CLI', 'serve'])
      assert.is((await send(running, 'POST', '/users', { login, password: newPassword })).status, 400, login)
  }))

test('failed logins are counted by the hour; an unknown name is not kept', () =>
  withService({}, async running => {
    const before = auditOf(running.file).length
    const fail = async (login: string): Promise<void> => {
      assert.is((await logIn(running, login, 'wrong password')).status, 401)
      running.clock.now += 1000
    }
    for (const name of ['hunter2', 'ADMIN', 'my-secret-pass', 'admin', 'other']) await fail(name)
    const entries = (): string[] => auditOf(running.file).slice(before)
    assert.equal(entries(), ['-: Failed logins as admin: 2.', '-: Failed logins with unknown names: 3.'])
    running.clock.now += 3_600_000
    await fail('admin')
    assert.equal(entries().at(-1), '-: Failed logins as admin: 1.')
    assert.is(entries().length, 3)
    assert.not.match(readFileSync(running.file, 'latin1'), /hunter2|my-secret-pass/)
    assert.is((await send(running, 'GET', '/audit')).body[0].who, null)
  }))

test('the list is newest first, in pages, and for administrators', () =>
  withService({}, async running => {
    for (const days of [100, 101, 102]) {
      running.clock.now += 1000
      await send(running, 'PUT', '/settings', { retention_days: days })
    }
    const { body, headers } = await send(running, 'GET', '/audit?limit=2')
    assert.equal(body[0], {
      at: '2026-03-10T12:00:03Z',
      who: administrator,
      what: 'Changed the setting retention_days: 101 → 102.',
      action: 'setting_changed',
      values: { setting: 'retention_days', from: '101', to: '102' },
    })
    const total = auditOf(running.file).length
    assert.equal(
      [body.length, headers.get('x-wp-total'), headers.get('x-wp-totalpages')],
      [2, String(total), String(Math.ceil(total / 2))],
    )
    const next = (await send(running, 'GET', '/audit?limit=2&offset=2')).body
    assert.is(next[0].what, 'Changed the setting retention_days: 365 → 100.')
    for (const [as, status] of [
      ['nobody', 401],
      ['reader', 403],
    ] as const)
      assert.is((await running.api('/audit', { as })).status, status)
    await send(running, 'POST', '/users', { login: 'anna', role: 'viewer', password: newPassword })
    const made = await send(running, 'POST', '/users/3/application-passwords', { name: 'reports' })
    const authorization = `Basic ${btoa(`anna:${made.body.password}`)}`
    assert.is(
      (await send(running, 'GET', '/summary?from=2026-03-10&to=2026-03-10', undefined, { authorization })).status,
      200,
    )
    assert.is((await send(running, 'GET', '/audit', undefined, { authorization })).status, 403)
  }))

test('entries go after 400 days', () =>
  withService({}, async running => {
    await send(running, 'PUT', '/settings', { retention_days: 100 })
    const run = async (): Promise<string> =>
      (await send(running, 'POST', '/cron/run', { jobs: ['audit'] })).body.jobs[0].message
    // The helper dates its passwords 1970.
    await run()
    running.clock.now += 400 * day
    assert.is(await run(), '0 entries deleted.')
    running.clock.now += 1000
    await send(running, 'PUT', '/settings', { retention_days: 101 })
    assert.match(await run(), /^[1-9]\d* entr(y|ies) deleted\.$/)
    assert.equal(auditOf(running.file), [`${administrator}: Changed the setting retention_days: 100 → 101.`])
  }))

test('what commands do while a service runs is recorded', () =>
  withService({}, async running => {
    const { file } = running
    await running.hit({ page_url: '/jane-doe' })
    await running.settled()
    let seen = auditOf(file).length
    const run = async (args: readonly string[], ...entries: string[]): Promise<void> => {
      const { status, stderr } = await footfallHere([...args, '--data', file])
      assert.is(status, 0, `${args.join(' ')}: ${stderr}`)
      const all = auditOf(file)
      assert.equal(
        all.slice(seen),
        entries.map(entry => `cli: ${entry}`),
        args.join(' '),
      )
      seen = all.length
    }
    await run(['user', 'add', 'bob', '--role', 'editor'], 'Added the user bob with the role editor.')
    await run(['user', 'change', 'bob', '--locale', 'fr'], 'Changed the language of bob: en → fr.')
    await run(['user', 'password', 'bob'], 'Changed the password of bob.')
    await run(
      ['app-password', 'create', 'bob', '--name', 'CI'],
      'Created the application password “CI” of bob; scopes: all.',
    )
    const { body } = await send(running, 'GET', '/users/3/application-passwords')
    await run(['app-password', 'revoke', body[0].uuid], 'Revoked the application password “CI” of bob.')
    await run(['user', 'remove', 'bob'], 'Removed the user bob.')
    await run(['settings', 'set', 'retention_days=90'], 'Changed the setting retention_days: 365 → 90.')
    await run(['forget', '--page', '/jane-doe', '--dry-run'])
    await run(['forget', '--page', '/jane-doe'], 'Erased data; kind: page.')
    await run(['export', `${file}.csv`, '--format', 'csv'], 'Exported data; format: csv.')
    await run(['backup', `${file}.copy`], 'Made a backup.')
    assert.not.match(JSON.stringify(auditOf(file)), /jane-doe/)

    const shown = await footfallHere(['audit', '--data', file, '--limit', '2'])
    assert.match(shown.stdout, /^AT +WHO +WHAT\n.*Z +cli +Made a backup\.\n.*Z +cli +Exported data; format: csv\.\n$/)
    const printed = JSON.parse((await footfallHere(['audit', '--json', '--limit', '1', '--data', file])).stdout)
    assert.equal(printed, (await send(running, 'GET', '/audit?limit=1')).body)
    const csv = (await footfallHere(['audit', '--csv', '--limit', '1', '--data', file])).stdout
    assert.match(csv, /^at,who,what\n\d[^,]+Z,cli,Made a backup\.\n$/)
    assert.is((await footfallHere(['audit', '--limit', '0', '--data', file])).status, 2)
  }))

test('what commands do with the file alone is recorded', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    const recording = join(folder, 'requests.ndjson')
    writeFileSync(
      recording,
      `${JSON.stringify({
        endpoint: 'hit',
        time: '2026-03-10T12:00:00Z',
        ip: '203.0.113.7',
        user_agent: firefox,
        body: { page_url: 'https://shop.example/' },
      })}\n`,
    )
    const steps: [args: string[], ...entries: string[]][] = [
      [['import', recording, '--format', 'requests'], 'Imported a file; format: requests.'],
      [['import', recording, '--format', 'requests']],
      [['rebuild'], 'Recalculated all days.'],
      [['cron', 'backup', '--backup-folder', join(folder, 'backups')], 'Made a backup.'],
      [['backup', join(folder, 'copy.db')], 'Made a backup.'],
    ]
    const expected: string[] = []
    for (const [args, ...entries] of steps) {
      const { status, stderr } = await footfallHere([...args, '--data', file])
      assert.is(status, 0, `${args.join(' ')}: ${stderr}`)
      expected.push(...entries.map(entry => `cli: ${entry}`))
      assert.equal(auditOf(file), expected, args.join(' '))
    }
    assert.is((await footfallHere(['restore', join(folder, 'copy.db'), '--data', file])).status, 0)
    assert.equal(auditOf(file), [...expected.slice(0, -1), 'cli: Restored a backup.'])
  }))

test('the privacy audit accepts a network in the log, and no address', () =>
  withService({}, async ({ file }) => {
    const { db } = openDatabase(file)
    const found = (network: string): string[] => {
      noteAction(db, { at: 0, who: 'admin' }, 'login_new_network', { network })
      return scanFile(db).addresses
    }
    for (const network of ['203.0.113.0', '2001:db8:7::', '2a02:810d:1::']) assert.equal(found(network), [], network)
    assert.equal(found('203.0.113.7'), ['audit.details'])
    db.close()
  }))

const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([name]) => name).sort()

test('the dashboard has a sentence for every action, in each language', () => {
  for (const language of ['en', 'de', 'fr', 'es']) {
    const texts: Record<string, string> = JSON.parse(readFileSync(`data/dashboard/${language}.json`, 'utf8'))
    for (const [action, sentence] of Object.entries(actions)) {
      const text = texts[`did_${action}`] ?? ''
      assert.equal(placeholders(text), placeholders(sentence), `${language}: ${action}`)
    }
  }
})

test.run()
