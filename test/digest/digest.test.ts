// Digests: which days, what visitors wrote, the message, and the job that sends each once.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type DigestPeriod, endingWith, isDue, lastWhole } from '../../src/digest/period.ts'
import { addDays, daysBetween, weekday } from '../../src/lib/time.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/program.ts'
import { check } from '../support/property.ts'
import { type Running, withService } from '../support/service.ts'
import { messageHeaders } from '../support/smtp.ts'
import { until } from '../support/wait.ts'

const folder = temporaryFolder()
const day = 86_400_000

/** The days around the end of a month, after a shorter one, after one of 29 days, and in one of 30 days. */
const monthsEnding: readonly [period: DigestPeriod, last: number, from: number][] = [
  ['month', 20260127, 20251228],
  ['month', 20260130, 20251231],
  ['month', 20260131, 20260101],
  ['month', 20260227, 20260128],
  ['month', 20260326, 20260227],
  ['month', 20260327, 20260228],
  ['month', 20260328, 20260301],
  ['month', 20280327, 20280228],
  ['month', 20280328, 20280229],
  ['month', 20280329, 20280301],
  ['month', 20280229, 20280201],
  ['month', 20260428, 20260329],
  ['month', 20260429, 20260330],
  ['month', 20260430, 20260401],
  ['month', 20260529, 20260430],
  ['month', 20260530, 20260501],
  ['month', 20260531, 20260501],
]

test('the last whole day, week and month', () => {
  for (const [period, today, from, to] of [
    ['day', 20260301, 20260228, 20260228],
    ['week', 20260308, 20260223, 20260301],
    ['week', 20260309, 20260302, 20260308],
    ['week', 20260101, 20251222, 20251228],
    ['month', 20260331, 20260201, 20260228],
    ['month', 20260401, 20260301, 20260331],
    ['month', 20260115, 20251201, 20251231],
  ] as const)
    assert.equal(lastWhole(period, { today, weekStart: 1 }), { from, to }, `${period} before ${today}`)
  for (const [weekStart, today, from, to] of [
    [7, 20260308, 20260301, 20260307],
    [7, 20260307, 20260222, 20260228],
    [6, 20260307, 20260228, 20260306],
  ] as const)
    assert.equal(lastWhole('week', { today, weekStart }), { from, to }, `weeks from ${weekStart} before ${today}`)
  for (const [period, last, from] of [
    ['day', 20260310, 20260310],
    ['week', 20260310, 20260304],
    ['month', 20260331, 20260301],
    ['month', 20260228, 20260201],
    ['month', 20260315, 20260216],
    ['month', 20260330, 20260301],
    ['month', 20260329, 20260301],
    ['month', 20260101, 20251202],
    ...monthsEnding,
  ] as const)
    assert.equal(endingWith(period, last), { from, to: last }, `${period} until ${last}`)
})

test('what is due follows what was due before without a gap', () =>
  check(
    fc.property(
      fc.integer({ min: 0, max: 20_000 }),
      fc.constantFrom<DigestPeriod>('day', 'week', 'month'),
      fc.integer({ min: 1, max: 7 }),
      (n, period, weekStart) => {
        const present = { today: addDays(20000101, n), weekStart }
        const { from, to } = lastWhole(period, present)
        assert.is(isDue(period, present), addDays(to, 1) === present.today)
        assert.is(lastWhole(period, { today: from, weekStart }).to, addDays(from, -1))
        if (period !== 'month') assert.is(daysBetween(from, to), period === 'day' ? 1 : 7)
        if (period === 'week') assert.is(weekday(from), weekStart)
        assert.equal(endingWith(period, to), { from, to })
      },
    ),
  ))

const digest = (file: string, at: string | number, ...more: string[]) =>
  runCommand(['digest', '--data', file, ...more], typeof at === 'string' ? at : new Date(at).toISOString())

const visit = async ({ hit }: Running, visitor: number, body: Record<string, unknown>): Promise<void> =>
  assert.is((await hit(body, { 'x-forwarded-for': `12.0.${visitor}.1` })).status, 204)

const mean = '<img src=https://evil.example/x onerror=alert(1)>'

/** Counting begins on the day before: nothing is compared with a day that was counted in part. */
const dayBefore = async (running: Running): Promise<void> => {
  await visit(running, 1, { page_url: 'https://site.example/' })
  running.clock.now += day
}

/** Two weeks; the second has a page with everything that a visitor can put into a text. */
const record = async (running: Running): Promise<void> => {
  const { clock, settled } = running
  await dayBefore(running)
  for (let index = 0; index < 14; index++) {
    for (let visitor = 0; visitor < 20; visitor++) await visit(running, visitor, { page_url: 'https://site.example/' })
    if (index >= 7)
      for (let visitor = 50; visitor < 80; visitor++)
        await visit(running, visitor, {
          page_url: `https://site.example/"'<b>${mean}?utm_source=${encodeURIComponent(`${mean}\r\nBcc: x@evil.example`)}&utm_campaign=a`,
          title: `Ttl\u202e${mean}\r\nBcc: x@evil.example\r\n\r\nKEY FIGURES`,
          referrer: 'https://evil.example/<script>alert(1)</script>',
        })
    clock.now += day
  }
  await settled()
}

test('what visitors wrote is escaped in HTML, one line in text, and in no header', () =>
  withService({ start: '2026-02-22T12:00:00Z', flags: { timezone: 'UTC' } }, async running => {
    await record(running)
    const { file, clock } = running
    const args = ['--public-url', 'https://stats.example.org', '--mail-to', 'owner@example.org,b@example.org']
    const { stdout: html } = await digest(file, clock.now, ...args, '--format', 'html')
    const { stdout: text } = await digest(file, clock.now, ...args)
    assert.match(html, '&#60;img src=https://evil.example/x onerror=alert(1)&#62;')
    assert.match(html, '&#34;&#39;&#60;b&#62;')
    const tags = [...html.matchAll(/<(\w+)[\s>]/g)].map(([, tag]) => tag)
    const known = 'html head meta title style body table tr td div h1 h2 p a span bdi svg rect polyline br'.split(' ')
    assert.equal(
      [...new Set(tags)].filter(tag => !known.includes(tag ?? '')),
      [],
    )
    // Nothing is loaded from anywhere.
    assert.not.match(
      html.replaceAll('xmlns="http://www.w3.org/2000/svg"', ''),
      /\s(src|background|srcset)=["']?[^&]*http[^&]*["']|url\(|@import/,
    )
    for (const [, url] of html.matchAll(/href="([^"]*)"/g))
      assert.match(url ?? '', /^https:\/\/stats\.example\.org\/\?from=/)
    assert.not.match(html + text, /[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/)
    assert.match(text, mean.slice(0, 20))
    assert.is(text.split('\n').filter(line => line === 'KEY FIGURES').length, 1)
    assert.is(text.split('\n').filter(line => /^\s*Bcc:/.test(line)).length, 0)

    const { stdout: mail } = await digest(file, clock.now, ...args, '--format', 'mail', '--mail-from', 'f@example.org')
    assert.ok(mail.split('\n').every(line => line.length <= 998 && /^[\t\x20-\x7e]*$/.test(line)))
    const parsed = await PostalMime.parse(mail)
    assert.equal(parsed.headers.map(({ key }) => key).sort(), messageHeaders)
    assert.is(parsed.subject, 'site.example: 350 visitors (+150%), March 2 – 8, 2026')
    assert.equal(
      [parsed.from?.address, parsed.to?.map(({ address }) => address)],
      ['f@example.org', ['owner@example.org', 'b@example.org']],
    )
    assert.equal([parsed.text?.trim(), parsed.html?.trim()], [text.trim(), html.trim()])
    assert.match(mail, /^Content-Type: multipart\/alternative;/m)
  }))

test('the drawing and the line of blocks have the visitors of each day, beside those of the week before', () =>
  withService({ start: '2026-02-22T12:00:00Z', flags: { timezone: 'UTC' } }, async running => {
    const { clock, settled, file } = running
    await dayBefore(running)
    for (const visitors of [1, 2, 3, 4, 5, 6, 7, 2, 4, 8, 1, 3, 5, 6]) {
      for (let visitor = 0; visitor < visitors; visitor++) await visit(running, visitor, { page_url: '/' })
      clock.now += day
    }
    await settled()
    const { stdout: html } = await digest(file, clock.now, '--format', 'html')
    const bars = [...html.matchAll(/<rect class="bar"[^>]* height="([\d.]+)"/g)].map(([, tall]) => Number(tall))
    assert.equal(bars, [29, 58, 116, 14.5, 43.5, 72.5, 87])
    const [, line = ''] = /<polyline [^>]*points="([^"]+)"/.exec(html) ?? []
    assert.equal(
      line.split(' ').map(point => Number(point.split(',')[1])),
      [105.5, 91, 76.5, 62, 47.5, 33, 18.5],
    )
    const { stdout: text } = await digest(file, clock.now)
    assert.match(text, '▃▅█▂▄▆▇')
    assert.match(text, /Wednesday, March 4/)
    assert.match(text, /Thursday, March 5/)
    const { stdout: single } = await digest(file, clock.now, '--period', 'day', '--to', '2026-03-08')
    assert.match(single, 'Sunday, March 8, 2026')
  }))

test('a range without anything, and one before the first day, say so; wrong arguments are refused', () =>
  withService({ start: '2026-03-10T12:00:00Z' }, async running => {
    const { file } = running
    const at = '2026-03-10T12:00:00Z'
    const empty = await digest(file, at)
    assert.is(empty.status, 0, empty.stderr)
    assert.match(empty.stdout, /Nothing was counted in these days\./)
    assert.not.match(empty.stdout, /NaN|undefined|null|▲|▼|Compared/)
    await visit(running, 1, { page_url: '/' })
    await running.settled()
    const today = await digest(file, at, '--period', 'day', '--to', '2026-03-10', '--lang', 'de')
    assert.match(today.stdout, /Kein Vergleich: Gezählt wird seit dem 10\. März 2026\./)
    assert.match(today.stdout, /10\. März 2026 ist noch nicht vorbei\./)
    // Days before the first one are unknown, not empty: no chart of zeros.
    const week = await digest(file, at, '--to', '2026-03-10')
    assert.not.match(week.stdout, /VISITORS BY DAY|March 9/)
    for (const [args, says] of [
      [['--period', 'year'], "--period takes day, week or month, not 'year'."],
      [['--format', 'pdf'], "--format takes text, html or mail, not 'pdf'."],
      [
        ['--to', '2026-03-11'],
        "--to takes a day such as 2026-03-31, today (2026-03-10) at the latest, not '2026-03-11'.",
      ],
      [['--to', 'monday'], "not 'monday'."],
      [['--format', 'mail'], '--format mail needs --mail-to.'],
      [
        ['--mail-to', 'nobody'],
        "--mail-to takes e-mail addresses separated by commas, such as owner@example.org, not 'nobody'.",
      ],
    ] as const) {
      const { status, stderr } = await digest(file, at, ...args)
      assert.equal([status, stderr.includes(says)], [2, true], `${args.join(' ')}: ${stderr}`)
    }
    const { status, stderr } = await digest(file, at, '--send', '--mail-to', 'a@example.org')
    assert.is(status, 1)
    assert.match(stderr, /^There is no way to send it: neither FOOTFALL_SMTP_URL nor --mail-command is set\.\n/)
    assert.match(stderr, /\n {2}systemd-run .*EnvironmentFile=/)
  }))

test('notes and names are cut at their bounds, and --period month --to names its days', () =>
  withService({ start: '2026-03-10T12:00:00Z' }, async running => {
    const { file, api } = running
    const named = (length: number): string => `${'/word'.repeat(10).slice(0, length - 1)}x`
    for (const length of [45, 46, 47]) await visit(running, length, { page_url: named(length) })
    await running.settled()
    const note = (number: number) =>
      api('/annotations', {
        method: 'POST',
        body: JSON.stringify({ text: `Note ${number}`, at: '2026-03-10', kind: 'note' }),
        headers: { 'content-type': 'application/json' },
      })
    const text = async (...more: string[]): Promise<string> =>
      (await digest(file, '2026-04-02T12:00:00Z', '--period', 'day', '--to', '2026-03-10', ...more)).stdout
    for (let number = 1; number <= 10; number++) {
      assert.is((await note(number)).status, 201)
      if (number < 7) continue
      const made = await text()
      assert.is(made.match(/Note \d+/g)?.length, Math.min(number, 8), `${number} notes`)
      assert.is(/\b\d more/.exec(made)?.[0], number <= 8 ? undefined : `${number - 8} more`, `${number} notes`)
    }
    const lines = (await text()).split('\n').map(line => line.trim().split(/\s/)[0])
    for (const [length, shown] of [
      [45, named(45)],
      [46, named(46)],
      [47, `${named(47).slice(0, 45)}…`],
    ] as const)
      assert.ok(lines.includes(shown), `a name of ${length} characters`)
    for (const [to, title] of [
      ['2026-03-27', 'February 28 – March 27, 2026'],
      ['2026-03-28', 'March 1 – 28, 2026'],
      ['2026-03-30', 'March 1 – 30, 2026'],
      ['2026-03-31', 'March 2026'],
    ] as const)
      assert.ok((await text('--period', 'month', '--to', to)).replace(/[\u2009\u202f\u00a0]/g, ' ').includes(title), to)
  }))

const sent = folder.path('sent')

/** The subjects that were sent so far. */
const subjects = async (): Promise<string[]> => {
  if (!existsSync(sent)) return []
  const mails = readFileSync(sent, 'utf8').split('\n=END=\n').slice(0, -1)
  return Promise.all(mails.map(async mail => (await PostalMime.parse(mail)).subject ?? ''))
}

const runJob = async ({ api }: Running): Promise<{ ok: boolean; message: string }> =>
  (
    await api('/cron/run', {
      method: 'POST',
      body: '{"jobs":["digest"]}',
      headers: { 'content-type': 'application/json' },
    })
  ).body.jobs[0]

/** The digest job of a start has run when it has written its state. */
const afterStart = ({ api, clock }: Running): Promise<void> =>
  until(async () => {
    const { jobs } = (await api('/diagnostics')).body.cron
    const { last_run } = jobs.find(({ name }: { name: string }) => name === 'digest')
    assert.is(last_run, new Date(clock.now).toISOString().replace('.000Z', 'Z'))
  })

const sending = {
  digest: 'week,month',
  mailTo: 'owner@example.org',
  lang: 'de',
  timezone: 'Europe/Berlin',
  siteUrl: 'https://site.example',
  mailCommand: `cat >> '${sent}'; printf '\\n=END=\\n' >> '${sent}'`,
}

test('each is sent once at 06:30 in the zone of the site, and later on that day if the service was down', () =>
  withService({ start: '2026-02-26T12:00:00Z', flags: sending }, async running => {
    const { clock, restart } = running
    await visit(running, 1, { page_url: '/' })
    await running.settled()
    const at = async (time: string): Promise<string[]> => {
      clock.now = Date.parse(time)
      assert.is((await runJob(running)).ok, true)
      return subjects()
    }
    assert.equal(await at('2026-02-27T12:00:00Z'), [], 'a Friday')
    // In Berlin it is 06:29 and 06:30.
    assert.equal(await at('2026-03-01T05:29:59Z'), [], 'too early')
    assert.equal(await at('2026-03-01T05:30:00Z'), ['site.example: 1 Besucher, Februar 2026'])
    assert.is((await at('2026-03-01T05:30:00Z')).length, 1, 'once')
    assert.is((await at('2026-03-01T20:00:00Z')).length, 1, 'once a day')
    await restart()
    await afterStart(running)
    assert.is((await subjects()).length, 1, 'not again after a restart')
    // Down on Monday until 09:00.
    await restart(() => {
      clock.now = Date.parse('2026-03-02T08:00:00Z')
    })
    await afterStart(running)
    assert.equal((await subjects()).slice(1), ['site.example: 1 Besucher, 23. Februar – 1. März 2026'])
    // Down on the next Monday until Tuesday.
    await restart(() => {
      clock.now = Date.parse('2026-03-10T08:00:00Z')
    })
    await afterStart(running)
    assert.is((await subjects()).length, 2, 'not on another day')
    assert.is((await at('2026-03-16T05:30:00Z')).length, 3)
  }))

test('what could not be sent is a finding, and is sent by the next start of that day', () =>
  withService(
    {
      start: '2026-03-08T12:00:00Z',
      flags: { ...sending, digest: 'week', mailCommand: `sh '${folder.path('send.sh')}'` },
    },
    async running => {
      rmSync(sent, { force: true })
      writeFileSync(folder.path('send.sh'), 'echo "no route" >&2; exit 127')
      running.clock.now = Date.parse('2026-03-09T06:00:00Z')
      const { ok, message } = await runJob(running)
      assert.equal([ok, message], [false, 'The command ended with 127: no route'])
      const diagnostics = async (): Promise<any> => (await running.api('/diagnostics')).body
      const found = (await diagnostics()).findings.map(({ id }: { id: string }) => id)
      assert.ok(found.includes('mail_failed') && !found.includes('failed_job'), found.join())
      assert.equal((await diagnostics()).mail, {
        configured: true,
        last_sent_at: null,
        last_error: 'The command ended with 127: no route',
        failed_at: '2026-03-09T06:00:00Z',
      })
      writeFileSync(folder.path('send.sh'), sending.mailCommand)
      await running.restart(() => {
        running.clock.now += 3600_000
      })
      await afterStart(running)
      assert.is((await subjects()).length, 1)
      const { mail, findings } = await diagnostics()
      assert.equal([mail.last_error, mail.last_sent_at], [null, '2026-03-09T07:00:00Z'])
      assert.not.ok(findings.some(({ id }: { id: string }) => id === 'mail_failed'))
    },
  ))

test('of two that are due one fails, twice: the other is sent once, and that one once it can be', () =>
  withService(
    {
      start: '2026-05-30T12:00:00Z',
      flags: { ...sending, mailCommand: `sh '${folder.path('two.sh')}'` },
    },
    async running => {
      rmSync(sent, { force: true })
      const count = folder.path('tries')
      // 127 is final: it is not tried again.
      const failOn = (tries: readonly number[]): void => {
        const failing = tries.map(number => `[ "$n" = ${number} ] && exit 127`)
        const script = [`echo x >> '${count}'`, `n=$(grep -c x '${count}')`, ...failing, sending.mailCommand]
        writeFileSync(folder.path('two.sh'), script.join('\n'))
        rmSync(count, { force: true })
      }
      await visit(running, 1, { page_url: '/' })
      await running.settled()
      const week = 'site.example: 1 Besucher, 25.–31. Mai 2026'
      const month = 'site.example: 1 Besucher, Mai 2026'
      // A Monday that is the first of a month: the week comes first.
      running.clock.now = Date.parse('2026-06-01T06:00:00Z')
      for (const [failing, ok, mails] of [
        [[1], false, [month]],
        [[1], false, [month]],
        [[], true, [month, week]],
        [[], true, [month, week]],
      ] as const) {
        failOn(failing)
        assert.is((await runJob(running)).ok, ok)
        assert.equal(await subjects(), mails)
      }
      // The first of a month again, and the Monday after it.
      for (const [time, failing, ok, mails] of [
        ['2026-07-01T06:00:00Z', [1], false, 2],
        ['2026-07-01T07:00:00Z', [], true, 3],
        ['2026-07-06T06:00:00Z', [], true, 4],
        ['2026-07-06T07:00:00Z', [], true, 4],
      ] as const) {
        running.clock.now = Date.parse(time)
        failOn(failing)
        assert.is((await runJob(running)).ok, ok, time)
        assert.is((await subjects()).length, mails, time)
      }
    },
  ))

test('off by default; on the command line --send and cron send as the service does', () =>
  withService({ start: '2026-03-09T08:00:00Z' }, async running => {
    const { file, clock } = running
    rmSync(sent, { force: true })
    assert.is((await runJob(running)).message, 'No digest is sent: --digest is not set.')
    const flags = ['--mail-to', 'owner@example.org', '--mail-command', sending.mailCommand]
    const { status, stdout, stderr } = await digest(file, clock.now, ...flags, '--send')
    assert.equal([status, stdout, stderr], [0, '', ''])
    assert.equal(await subjects(), ['0 visitors, March 2 – 8, 2026'])
    await running.restart(async () => {
      const args = ['cron', 'digest', '--data', file, '--digest', 'week', ...flags, '--json']
      for (const message of ['Sent: week.', 'No digest is due.']) {
        const ran = await runCommand(args, new Date(clock.now).toISOString())
        assert.is(ran.status, 0, ran.stderr)
        assert.equal(
          JSON.parse(ran.stdout).map((row: { message: string }) => row.message),
          [message],
        )
      }
    })
    assert.is((await subjects()).length, 2)
  }))

test.after(() => folder.remove())
test.run()
