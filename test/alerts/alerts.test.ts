// Alerts through the service: hits come in or stay away, the job looks, and a mail server or a command gets a message.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { runCommand } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const hour = 3_600_000
const day = 24 * hour

const put = ({ api }: Running, changes: object, query = '') =>
  api(`/alerts${query}`, { method: 'PUT', headers: json, body: JSON.stringify(changes) })

/** Runs the job now, after the rollups. */
const look = async (running: Running): Promise<string> => {
  await running.settled()
  const { body } = await running.api('/cron/run', { method: 'POST', headers: json, body: '{"jobs":["alerts"]}' })
  assert.is(body.jobs[0].ok, true, JSON.stringify(body))
  return body.jobs[0].message
}

const history = async ({ api }: Running, query = ''): Promise<any[]> => (await api(`/alerts/history${query}`)).body
const raisedIn = async (running: Running): Promise<string[]> =>
  (await running.api('/alerts')).body.alerts.flatMap((one: any) => (one.raised_at === null ? [] : [one.kind]))

/** A view of each of some visitors. */
const visit = async ({ clock, hit }: Running, at: number, visitors: number, first = 0): Promise<void> => {
  clock.now = at
  for (let number = first; number < first + visitors; number++) {
    assert.is((await hit({ page_url: '/' }, { 'x-forwarded-for': `203.0.${number}.1` })).status, 204)
  }
}

const start = '2026-02-01T00:00:00Z'

/** 29 days with a view at each hour; the last is at 10:00:30 on the 30th day. */
const everyHour = async (running: Running): Promise<number> => {
  const begin = running.clock.now
  for (let number = 0; number < 30; number++)
    for (let at = 0; at < (number === 29 ? 11 : 24); at++)
      await visit(running, begin + number * day + at * hour + 30_000, 1, at)
  return running.clock.now
}

test('a stop of six hours is reported within the hour after its bound, once, and so is its end', () =>
  withFolder(folder => {
    const out = join(folder, 'told.txt')
    const alertCommand = `{ echo "$ALERT_ID $ALERT_KIND $ALERT_STATE $ALERT_SUBJECT \${FOOTFALL_SECRET-none}"; cat; } >> ${out}`
    const flags = { alertCommand, siteUrl: 'https://shop.example', publicUrl: 'https://stats.shop.example', lang: 'en' }
    return withService({ start, flags }, async running => {
      const { clock } = running
      const last = await everyHour(running)
      clock.now = last + 6 * hour - 1000
      assert.match(await look(running), /raised: 0/)
      // The job runs every ten minutes: reported at the latest ten and a half minutes after the bound.
      clock.now = last + 6 * hour
      assert.match(await look(running), /raised: 1. Messages sent: 1/)
      const told = readFileSync(out, 'utf8')
      assert.match(told, /^1 silent raised shop\.example: No visits are counted none$/m)
      assert.match(told, /Nothing has been counted since March 2, 2026 at 10:00\sAM, for 6 hours/)
      assert.match(told, /^Dashboard: https:\/\/stats\.shop\.example/m)
      clock.now += hour
      assert.match(await look(running), /raised: 1. Messages sent: 0/)
      assert.equal(await raisedIn(running), ['silent'])
      await visit(running, last + 8 * hour, 1)
      assert.match(await look(running), /raised: 0. Messages sent: 1/)
      assert.match(readFileSync(out, 'utf8'), /^1 silent over shop\.example: Resolved: No visits are counted/m)
      assert.match(await look(running), /Messages sent: 0/)

      // A second stop within 24 hours is noted, and reported when the 24 hours are over.
      clock.now = last + 14 * hour
      assert.match(await look(running), /raised: 1. Messages sent: 0/)
      clock.now = last + 30 * hour - 1000
      assert.match(await look(running), /Messages sent: 0/)
      clock.now = last + 30 * hour
      assert.match(await look(running), /Messages sent: 1/)
      const rows = await history(running)
      assert.equal(
        rows.map(({ id, kind, ended_at: ended }) => [id, kind, ended !== null]),
        [
          [2, 'silent', false],
          [1, 'silent', true],
        ],
      )
      assert.equal(
        [rows[1].values.bound, rows[1].values.hours, rows[1].told_at, rows[1].told_end_at],
        [6, 6, '2026-03-02T16:00:30Z', '2026-03-02T18:00:30Z'],
      )
      assert.match((await history(running, '?lang=de'))[1].text, /wurde nichts gezählt, das sind 6 Stunden/)

      // Turned off, it ends without a message.
      await put(running, { silent: { enabled: false } })
      assert.match(await look(running), /raised: 0. Messages sent: 0/)
    })
  }))

test('the silence of a site that is turned off is not an alert', () =>
  withService({ start }, async running => {
    const last = await everyHour(running)
    await running.api('/settings', { method: 'PUT', headers: json, body: '{"tracking_enabled":false}' })
    running.clock.now = last + 9 * hour
    assert.match(await look(running), /raised: 0/)
  }))

test('a command that fails is a finding and is run again; one that works ends the finding', () =>
  withFolder(folder => {
    const works = join(folder, 'works')
    const flags = { alertCommand: `test -e ${works} || { echo no way >&2; exit 3; }` }
    return withService({ start, flags }, async running => {
      const findings = async (): Promise<string[]> =>
        (await running.api('/diagnostics')).body.findings
          .filter(({ id }: { id: string }) => id === 'alert_command_failed')
          .map(({ message }: { message: string }) => message)
      running.clock.now = (await everyHour(running)) + 7 * hour
      assert.match(await look(running), /Messages sent: 0. Failed: 1/)
      assert.match((await findings()).join(), /failed at 2026-03-02T17:00:30Z: The command ended with 3: no way\.$/)
      const { db } = openDatabase(running.file)
      assert.is(db.prepare('select told_at from alert_history').pluck().get(), null)
      db.close()
      await running.api('/diagnostics?lang=de')
      assert.is(existsSync(works), false)
      writeFileSync(works, '')
      assert.match(await look(running), /Messages sent: 1\.$/)
      assert.equal(await findings(), [])
    })
  }))

test('of two ways to send it one that works is enough, and nothing is sent twice there', () =>
  withFolder(folder => {
    const out = join(folder, 'mails')
    const flags = {
      mailTo: 'owner@example.org',
      mailCommand: `echo x >> ${out}; cat > /dev/null`,
      alertCommand: 'exit 3',
    }
    return withService({ start, flags }, async running => {
      running.clock.now = (await everyHour(running)) + 6 * hour
      assert.match(await look(running), /raised: 1. Messages sent: 1\.$/)
      running.clock.now += hour
      assert.match(await look(running), /raised: 1. Messages sent: 0\.$/)
      assert.is(readFileSync(out, 'utf8'), 'x\n')
    })
  }))

test('the free space is noted once in 24 hours, for a week', () =>
  withService({ start }, async running => {
    await put(running, { silent: { enabled: false } })
    const { db } = openDatabase(running.file)
    const ages = (): number[] => {
      const state = db.prepare("select value from installation where name = 'disk'").pluck().get()
      return JSON.parse(String(state)).samples.map(({ at }: { at: number }) => running.clock.now / 1000 - at)
    }
    await look(running)
    assert.equal(ages(), [0])
    running.clock.now += day - 1000
    await look(running)
    assert.equal(ages(), [86_399])
    running.clock.now += 1000
    await look(running)
    assert.equal(ages(), [86_400, 0])
    for (let number = 0; number < 8; number++) {
      running.clock.now += day
      await look(running)
    }
    assert.equal(
      ages(),
      [7, 6, 5, 4, 3, 2, 1, 0].map(days => days * 86_400),
    )
    db.close()
  }))

test('more and fewer visitors, views of missing pages and refusals are raised by their rules', () =>
  withService({ start, flags: { siteUrl: 'https://example.org', throttleHits: '100000/100000' } }, async running => {
    const { clock, hit, api } = running
    const on = { enabled: true }
    await put(running, { silent: { enabled: false }, spike: on, drop: on, not_found: on, refused: on })
    const begin = clock.now + 12 * hour
    const page = { page_url: 'https://example.org/' }
    const views = async (number: number, visitors: number): Promise<void> => {
      clock.now = begin + number * day
      for (let one = 0; one < visitors; one++) await hit(page, { 'x-forwarded-for': `203.0.${one}.1` })
    }
    const missing = async (count: number): Promise<void> => {
      for (let one = 0; one < count; one++)
        await api('/event', {
          method: 'POST',
          as: 'nobody',
          headers: {
            ...json,
            'x-forwarded-for': '203.0.0.1',
            'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          },
          body: JSON.stringify({
            name: 'not_found',
            page_url: 'https://example.org/old',
            event_id: crypto.randomUUID(),
          }),
        })
    }
    for (let number = 0; number < 35; number++) await views(number, 40)
    assert.match(await look(running), /raised: 0/)
    const signal = async (kind: string): Promise<boolean> =>
      (await api('/alerts')).body.alerts.find((one: any) => one.kind === kind).has_signal
    assert.equal([await signal('not_found'), await signal('goal'), await signal('spike')], [false, false, true])

    // Twenty more than the usual 40, while the day goes on.
    await views(35, 59)
    await missing(19)
    await look(running)
    assert.equal(await raisedIn(running), [])
    await views(35, 60)
    await missing(1)
    await look(running)
    assert.equal(await raisedIn(running), ['spike', 'not_found'])
    assert.is(await signal('not_found'), true)
    await views(36, 20)
    await look(running)
    assert.equal(await raisedIn(running), ['spike', 'not_found'])

    // 20 instead of 40, when the day is over.
    clock.now = begin + 36.6 * day
    await look(running)
    assert.equal(await raisedIn(running), ['drop'])
    const [drop] = await history(running)
    assert.equal(drop.values, { day: 20260309, current: 20, usual: 40 })
    await views(37, 40)
    clock.now = begin + 37.6 * day
    await look(running)
    assert.equal(await raisedIn(running), [])

    // Of the last 24 hours: ten of 50 requests are not more than a fifth, and fewer than 20.
    const refuse = async (count: number): Promise<string[]> => {
      for (let one = 0; one < count; one++) await hit({ page_url: 'https://else.example/' })
      // Diagnostics write the counts that are in memory.
      await api('/diagnostics')
      await look(running)
      return raisedIn(running)
    }
    assert.equal(await refuse(10), [])
    assert.equal(await refuse(9), [])
    assert.equal(await refuse(1), ['refused'])
    const [{ values }] = await history(running)
    assert.equal([values.requests, values.received, values.foreign_host, values.invalid], [20, 60, 20, 0])
    clock.now += day
    await look(running)
    // The day without visitors is the next drop.
    assert.equal(await raisedIn(running), ['drop'])
  }))

test('the command line looks now, without a job, and ends with 1 if one is raised', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    let last = 0
    await withService({ file, start }, async running => {
      last = await everyHour(running)
      await running.settled()
    })
    const run = (at: number, ...args: string[]) =>
      runCommand(['alerts', '--data', file, ...args], new Date(at).toISOString())
    const quiet = await run(last + 6 * hour - 1000)
    assert.equal([quiet.status, quiet.stdout], [0, 'No alert is raised. Turned on: silent.'])
    const raised = await run(last + 6 * hour)
    assert.is(raised.status, 1)
    assert.match(raised.stdout, /^No visits are counted\n {2}Nothing has been counted since/)
    assert.match((await run(last + 7 * hour, '--lang', 'fr')).stdout, /^Aucune visite n’est comptée/)
    const { status, stdout } = await run(last + 7 * hour, '--json')
    const { raised: found, enabled } = JSON.parse(stdout)
    assert.equal([status, enabled, found.length, found[0].kind, found[0].values.hours], [1, ['silent'], 1, 'silent', 7])
    assert.is((await run(last, '--lang', 'it')).status, 2)
    // It has written nothing.
    const { db } = openDatabase(file)
    assert.is(db.prepare('select count(*) from alert_history').pluck().get(), 0)
    db.close()
    // The job without a service notes it.
    assert.is((await runCommand(['cron', 'alerts', '--data', file], new Date(last + 7 * hour).toISOString())).status, 0)
    const { db: later } = openDatabase(file)
    assert.is(later.prepare('select count(*) from alert_history').pluck().get(), 1)
    later.close()
  }))

test('a mail is sent when it begins, and one when it is over', () =>
  withFolder(folder => {
    const out = join(folder, 'message.eml')
    const flags = { mailTo: 'owner@example.org', mailFrom: 'footfall@example.org', mailCommand: `cat > ${out}` }
    return withService({ start, flags: { ...flags, siteUrl: 'https://shop.example', lang: 'de' } }, async running => {
      const subjectOf = async (): Promise<[string | undefined, string | undefined, string[]]> => {
        const { subject, text, to } = await PostalMime.parse(readFileSync(out))
        return [subject, text, to?.flatMap(({ address }) => address ?? []) ?? []]
      }
      running.clock.now = (await everyHour(running)) + 6 * hour
      assert.match(await look(running), /raised: 1. Messages sent: 1/)
      const [subject, text, to] = await subjectOf()
      assert.equal([subject, to], ['shop.example: Es werden keine Besuche gezählt', ['owner@example.org']])
      assert.match(text ?? '', /wurde nichts gezählt, das sind 6 Stunden/)
      await visit(running, running.clock.now + hour, 1)
      assert.match(await look(running), /raised: 0. Messages sent: 1/)
      assert.match((await subjectOf())[0] ?? '', /^shop\.example: Beendet: /)
    })
  }))

test('alerts go to recipients of their own where they are named, in the file as well', () =>
  withFolder(folder => {
    const out = join(folder, 'message.eml')
    const flags = { mailTo: 'owner@example.org', mailFrom: 'footfall@example.org', mailCommand: `cat > ${out}` }
    return withService(
      { start, flags: { ...flags, alertRecipients: 'night@example.org,day@example.org' } },
      async running => {
        running.clock.now = (await everyHour(running)) + 6 * hour
        assert.match(await look(running), /raised: 1. Messages sent: 1/)
        const { to } = await PostalMime.parse(readFileSync(out))
        assert.equal(
          to?.map(({ address }) => address),
          ['night@example.org', 'day@example.org'],
        )
      },
    )
  }))

test('a goal that counts nothing on a day is reported, until it counts again', () =>
  withService({ start, flags: { siteUrl: 'https://example.org' } }, async running => {
    const { api, clock } = running
    const goal = { name: 'Thanks', kind: 'page', pattern: '/thanks' }
    const added = await api('/goals', { method: 'POST', headers: json, body: JSON.stringify(goal) })
    assert.is(added.status, 201)
    await put(running, { silent: { enabled: false }, goal: { enabled: true } })
    const begin = clock.now + 12 * hour
    const dayOf = async (number: number, page: string): Promise<void> => {
      clock.now = begin + number * day
      for (let one = 0; one < 20; one++)
        await running.hit({ page_url: `https://example.org${page}` }, { 'x-forwarded-for': `203.0.${one}.1` })
    }
    for (let number = 0; number < 66; number++) await dayOf(number, '/thanks')
    await look(running)
    assert.equal(await raisedIn(running), [])
    await dayOf(66, '/')
    await look(running)
    assert.equal(await raisedIn(running), [], 'a day that is not over may still count')
    // Visits over midnight may still reach it in the first hour.
    clock.now = begin + 66.5 * day + hour - 1000
    await look(running)
    assert.equal(await raisedIn(running), [], 'within the hour after midnight')
    clock.now += 1000
    await look(running)
    assert.equal(await raisedIn(running), ['goal'])
    const [{ text, values }] = await history(running)
    assert.equal([values.current, values.usual, values.from, values.to], [0, 20, 20260408, 20260408])
    assert.match(text, /Thanks/)
    await dayOf(67, '/thanks')
    clock.now = begin + 67.6 * day
    await look(running)
    assert.equal(await raisedIn(running), [])

    await dayOf(68, '/')
    clock.now = begin + 68.6 * day
    await look(running)
    assert.equal(await raisedIn(running), ['goal'])
    assert.is((await api(`/goals/${added.body.id}`, { method: 'DELETE' })).status, 200)
    await look(running)
    assert.equal(await raisedIn(running), [], 'a goal that is removed is not missed')
  }))

test('a disk that will be full within the configured hours is reported', () =>
  withService({ start }, async running => {
    await put(running, { silent: { enabled: false }, disk: { enabled: true, threshold: 1 } })
    const { db } = openDatabase(running.file)
    const note = (ago: number): void => {
      const samples = [{ at: running.clock.now / 1000 - ago * 3600, free: 1e18 }]
      db.prepare("insert or replace into installation (name, value) values ('disk', ?)").run(
        JSON.stringify({ samples }),
      )
    }
    // Two days are needed to know the pace.
    note(47)
    await look(running)
    assert.equal(await raisedIn(running), [])
    note(48)
    await look(running)
    assert.equal(await raisedIn(running), ['disk'])
    const [{ text, values }] = await history(running)
    assert.match(text, /At the pace of the last days it will be full in (less than an hour|1 hour|\d+ hours)/)
    assert.ok(values.free < values.size)
    db.close()
  }))

test('the switches: defaults, changes, and what is refused by name', () =>
  withService({}, async running => {
    const { api } = running
    const { body } = await api('/alerts')
    assert.equal(
      body.alerts.map(({ kind, enabled, threshold, hours }: any) => [kind, enabled, threshold, hours]),
      [
        ['silent', true, 4, 6],
        ['spike', false, 20, null],
        ['drop', false, 20, null],
        ['refused', false, 20, 24],
        ['not_found', false, 20, null],
        ['goal', false, 50, 168],
        ['disk', false, 5, 72],
      ],
    )
    assert.equal(body.ways, [])
    const refused: [object, string[], RegExp][] = [
      [{ spike: { threshold: 0 } }, ['spike'], /threshold/],
      [{ spike: { hours: 3 } }, ['spike'], /hours/],
      [{ silent: { hours: 1 } }, ['silent'], /hours/],
      [{ silent: { hours: '' } }, ['silent'], /hours/],
      [{ disk: { threshold: 1.5 }, refused: { hours: 48 } }, ['refused', 'disk'], /./],
      [{ party: { enabled: true } }, ['party'], /./],
      [{ drop: { enabled: 'perhaps' } }, ['drop'], /enabled/],
    ]
    for (const [changes, names, says] of refused) {
      const answer = await put(running, { goal: { enabled: true }, ...changes })
      assert.equal([answer.status, Object.keys(answer.body.data.params)], [400, names], JSON.stringify(changes))
      assert.match(String(Object.values(answer.body.data.params)), says)
    }
    assert.equal((await api('/alerts')).body, body)
    const changed = await put(running, { spike: { enabled: true }, disk: { hours: 24 } }, '?lang=de')
    assert.equal(
      changed.body.alerts.filter(({ kind }: any) => ['spike', 'disk'].includes(kind)),
      [
        { ...body.alerts[1], title: 'Weit mehr Besucher als üblich', enabled: true },
        { ...body.alerts[6], title: 'Der Datenträger ist fast voll', hours: 24 },
      ],
    )
    await running.restart()
    assert.equal((await api('/alerts?lang=de')).body, changed.body)
  }))

test.run()
