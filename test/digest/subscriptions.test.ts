// Digests that users have sent to themselves: what they hold, to whom they go, and how they end.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import PostalMime, { type Email } from 'postal-mime'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { auditOf } from '../support/audit.ts'
import { footfallHere } from '../support/command.ts'
import { password } from '../support/known-users.ts'
import { temporaryFolder } from '../support/program.ts'
import { type Answer, phone, type Running, withService } from '../support/service.ts'
import { messageHeaders } from '../support/smtp.ts'

const folder = temporaryFolder()
const json = { 'content-type': 'application/json' }
/** A Monday, of which the digest of a week is due. */
const monday = '2026-03-09T08:00:00Z'

type Ask = (method: string, path: string, body?: object) => Promise<Answer>

const send =
  ({ api }: Running): Ask =>
  (method, path, body) =>
    api(path, { method, headers: json, ...(body !== undefined && { body: JSON.stringify(body) }) })

/** Adds a user, and asks as one. */
const userOf = async (running: Running, login: string, more: object = {}): Promise<{ id: number; ask: Ask }> => {
  const added = await send(running)('POST', '/users', { login, role: 'viewer', password, ...more })
  assert.is(added.status, 201, JSON.stringify(added.body))
  const { id } = added.body
  const key = (await send(running)('POST', `/users/${id}/application-passwords`, { name: 'key' })).body.password
  const authorization = `Basic ${btoa(`${login}:${key}`)}`
  return {
    id,
    ask: (method, path, body) =>
      running.api(path, {
        method,
        as: 'nobody',
        headers: { ...json, authorization },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  }
}

const subscribe = async (ask: Ask, body: object): Promise<any> => {
  const { status, body: made } = await ask('POST', '/digests', body)
  assert.is(status, 201, JSON.stringify(made))
  return made
}

/** In the week before: five visitors at a desk, four with a phone, one of them on a page of its own. */
const record = async (running: Running): Promise<void> => {
  const visit = async (visitor: number, page: string, agent: object = {}): Promise<void> => {
    const headers = { 'x-forwarded-for': `203.0.${visitor}.7`, ...agent }
    assert.is((await running.hit({ page_url: `https://shop.example${page}` }, headers)).status, 204)
  }
  for (const visitor of [1, 2, 3, 4, 5]) await visit(visitor, '/desk')
  for (const visitor of [6, 7, 8]) await visit(visitor, '/pocket', { 'user-agent': phone })
  await visit(9, '/alone', { 'user-agent': phone })
  await running.settled()
}

let files = 0
/** A command that keeps what it is given; of `wrong@…` it says that there is no such address. */
const mailTo = (): { flags: Record<string, string>; sent: () => Promise<Email[]> } => {
  files += 1
  const [sent, script] = [folder.path(`sent-${files}`), folder.path(`send-${files}.sh`)]
  writeFileSync(
    script,
    `cat > '${sent}.one'\nif grep -q '^To: wrong@' '${sent}.one'; then echo '<WRONG@elsewhere.example> unknown' >&2; exit 126; fi\n` +
      `cat '${sent}.one' >> '${sent}'; printf '\\n=END=\\n' >> '${sent}'\n`,
  )
  return {
    flags: {
      timezone: 'UTC',
      siteUrl: 'https://shop.example',
      publicUrl: 'https://stats.example.org',
      mailFrom: 'stats@example.org',
      // One after the other, as they share a file.
      mailCommand: `flock '${script}' sh '${script}'`,
    },
    sent: () =>
      Promise.all(
        (existsSync(sent) ? readFileSync(sent, 'utf8').split('\n=END=\n').slice(0, -1) : []).map(mail =>
          PostalMime.parse(mail),
        ),
      ),
  }
}

const runJob = async (running: Running): Promise<{ ok: boolean; message: string }> =>
  (await send(running)('POST', '/cron/run', { jobs: ['digest'] })).body.jobs[0]

const linkIn = ({ headers }: Email): URL => {
  const value = headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
  assert.match(value, /^<https:\/\/stats\.example\.org\/unsubscribe\?token=[\w-]{43}&lang=\w+>$/)
  return new URL(value.slice(1, -1))
}

/** The page of a link, at the service of the test. */
const open = (running: Running, link: URL, method = 'GET', body?: string): Promise<Response> =>
  fetch(`${running.service.url}${link.pathname}${link.search}`, {
    method,
    redirect: 'error',
    ...(body !== undefined && { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  })

test('each gets what they chose, in their language, and a link that ends it at once and for good', () => {
  const mail = mailTo()
  return withService({ start: '2026-03-05T12:00:00Z', flags: mail.flags }, async running => {
    const { ask } = await userOf(running, 'vera')
    await record(running)
    const made = await subscribe(ask, {
      address: 'Vera@home.example',
      lang: 'de',
      filters: { device: 'smartphone' },
    })
    const { uuid, ...said } = made
    assert.equal(said, {
      login: 'vera',
      address: 'Vera@home.example',
      period: 'week',
      lang: 'de',
      filters: { device: 'mobile' },
      segment: null,
      created: '2026-03-05T12:00:00Z',
    })
    assert.equal((await ask('GET', '/digests')).body, { missing: null, digests: [made] })
    await subscribe(ask, { address: 'vera@work.example', period: 'month' })
    running.clock.now = Date.parse(monday)
    assert.equal(await runJob(running).then(({ ok, message }) => [ok, message]), [
      true,
      'No digest is sent: --digest is not set. Sent to users: 1.',
    ])
    const [message, ...others] = await mail.sent()
    if (message === undefined) throw new Error('nothing was sent')
    assert.is(others.length, 0)
    assert.equal(
      [message.to?.map(({ address }) => address), message.from?.address],
      [['Vera@home.example'], 'stats@example.org'],
    )
    assert.match(message.subject ?? '', /4 Besucher/)
    assert.match(message.text ?? '', /Nur Besuche mit Gerät “mobile”\./)
    assert.match(message.text ?? '', /\/pocket/)
    assert.not.match(message.text ?? '', /\/desk|Bestellungen|Anfragen/)
    assert.match(message.text ?? '', /https:\/\/stats\.example\.org\/\?from=2026-03-02&to=2026-03-08&device=mobile/)
    const link = linkIn(message)
    assert.ok(message.text?.includes(link.href) && message.html?.includes(link.href.replaceAll('&', '&#38;')))
    assert.equal(
      [...new Set(message.headers.map(({ key }) => key))].sort(),
      [...messageHeaders, 'list-unsubscribe', 'list-unsubscribe-post'].sort(),
    )
    assert.is(message.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value, 'List-Unsubscribe=One-Click')

    // Programs that look at links end nothing.
    const page = await open(running, link)
    assert.equal([page.status, /<html lang="de">/.test(await page.text())], [200, true])
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/)
    assert.is((await open(running, link, 'HEAD')).status, 200)
    assert.is((await ask('GET', '/digests')).body.digests.length, 2)
    const ended = await open(running, link, 'POST', 'List-Unsubscribe=One-Click')
    const text = await ended.text()
    assert.equal([ended.status, /erhalten diese Nachrichten nicht mehr/.test(text)], [200, true])
    assert.equal(
      (await ask('GET', '/digests')).body.digests.map(({ address }: any) => address),
      ['vera@work.example'],
    )
    for (const method of ['POST', 'GET']) {
      const again = await open(running, link, method)
      assert.equal([again.status, await again.text()], [200, text], method)
    }
    assert.is((await open(running, link, 'PUT')).status, 405)
    running.clock.now += 7 * 86_400_000
    await runJob(running)
    assert.is((await mail.sent()).length, 1)
    const entries = auditOf(running.file)
    assert.ok(entries.includes('vera (key): Subscribed to the digest of each week.'))
    assert.match(entries.at(-1) ?? '', /Ended a digest of vera by the link in a message; period: week\.$/)
    for (const file of [running.file, `${running.file}-wal`])
      assert.not(readFileSync(file).includes(link.searchParams.get('token') ?? '-'), 'the secret is in the file')
    assert.not.match(`${entries.join('\n')}${running.logs.join('\n')}`, /@(?:home|work)\.example/i)
  })
})

test('what a user is held to applies when it is sent, and nothing is in it that they may not see', () => {
  const mail = mailTo()
  return withService({ start: '2026-03-05T12:00:00Z', flags: mail.flags }, async running => {
    const admin = send(running)
    const segment = (await admin('POST', '/segments', { name: 'Pockets', filters: { page: '/pocket' } })).body
    await admin('POST', '/annotations', { text: 'Internal', at: '2026-03-05', kind: 'note' })
    await admin('POST', '/goals', { name: 'Secret goal', kind: 'page', pattern: '/desk' })
    const held = await userOf(running, 'client', { filters: { device: 'mobile' } })
    const free = await userOf(running, 'vera')
    await record(running)
    await subscribe(held.ask, { address: 'client@agency.example' })
    await subscribe(held.ask, { address: 'narrow@agency.example', filters: { page: '/alone' } })
    await subscribe(free.ask, { address: 'vera@home.example', filters: { segment: 'pockets' } })
    const chosen = await held.ask('POST', '/digests', { address: 'a@b.example', filters: { segment: 'Pockets' } })
    assert.equal([chosen.status, Object.keys(chosen.body.data.params)], [400, ['filters']])
    const kept = await admin('DELETE', `/segments/${segment.id}`)
    assert.equal([kept.status, kept.body.message], [409, 'This segment is used by a digest of “vera”.'])
    running.clock.now = Date.parse(monday)
    assert.is((await runJob(running)).message, 'No digest is sent: --digest is not set. Sent to users: 3.')
    const textTo = async (name: string): Promise<string> =>
      (await mail.sent()).find(({ to }) => to?.[0]?.address?.startsWith(name))?.text ?? ''
    const [client, narrow, vera] = [await textTo('client'), await textTo('narrow'), await textTo('vera')]
    assert.match(client, /Visitors {2,}4\n/)
    assert.match(client, /Only visits with device “mobile”\./)
    assert.not.match(client, /\/desk|\/alone|Internal|Secret goal|requests|What changed/i)
    assert.match(client, /\(few\)/)
    // One visitor alone is nobody, as for a share link.
    assert.match(narrow, /Visitors {2,}0\n/)
    assert.match(vera, /Visitors {2,}3\n/)
    assert.match(vera, /Only visits with .*“Pockets”\./)
    assert.match(vera, /Internal/)
    assert.not.match(vera, /requests/)

    // The week after, the client is held to something else, and Vera may read nothing.
    await admin('PUT', `/users/${held.id}`, { filters: { device: 'desktop' } })
    await admin('PUT', `/users/${free.id}`, { role: 'subscriber' })
    await record(running)
    running.clock.now += 7 * 86_400_000
    await runJob(running)
    const later = (await mail.sent()).slice(3)
    assert.equal(later.map(({ to }) => to?.[0]?.address).sort(), ['client@agency.example', 'narrow@agency.example'])
    assert.match(later.map(({ text }) => text).join(''), /Only visits with device “desktop”\./)
    assert.is((await free.ask('POST', '/digests', { address: 'vera@home.example' })).status, 403)
  })
})

test('an address that fails keeps no digest from the others, and is named nowhere', () => {
  const mail = mailTo()
  return withService({ start: '2026-03-05T12:00:00Z', flags: mail.flags }, async running => {
    const { ask } = await userOf(running, 'vera')
    for (const address of ['a@x.example', 'wrong@elsewhere.example', 'b@x.example']) await subscribe(ask, { address })
    running.clock.now = Date.parse(monday)
    const { ok, message } = await runJob(running)
    assert.is(ok, false)
    assert.match(message, /^1 of 3 digests of users could not be sent: .*<…> unknown/)
    const got = async (): Promise<unknown[]> => (await mail.sent()).map(({ to }) => to?.[0]?.address).sort()
    assert.equal(await got(), ['a@x.example', 'b@x.example'])
    assert.is((await running.api('/mail')).body.error, null, "the owner's mail is well")
    assert.is((await runJob(running)).ok, false)
    assert.is((await got()).length, 2, 'those who have it get it once')
    const diagnostics = JSON.stringify((await running.api('/diagnostics')).body)
    assert.not.match(`${running.logs.join('\n')}${diagnostics}`, /elsewhere|wrong@/i)
  })
})

test('own ones are listed and ended by their user, all by an administrator, and go with the user', () => {
  const mail = mailTo()
  return withService({ flags: mail.flags }, async running => {
    const [anna, vera, admin] = [await userOf(running, 'anna'), await userOf(running, 'vera'), send(running)]
    const ofAnna = await subscribe(anna.ask, { address: 'anna@x.example' })
    const ofVera = await subscribe(vera.ask, { address: 'vera@x.example' })
    const logins = async (ask: Ask): Promise<string[]> =>
      (await ask('GET', '/digests')).body.digests.map(({ login }: { login: string }) => login)
    assert.equal([await logins(anna.ask), await logins(vera.ask)], [['anna'], ['vera']])
    assert.equal(await logins(admin), ['anna', 'vera'])
    const foreign = await anna.ask('DELETE', `/digests/${ofVera.uuid}`)
    assert.equal([foreign.status, foreign.body.code], [404, 'rest_digest_not_found'])
    assert.equal((await anna.ask('DELETE', `/digests/${ofAnna.uuid}`)).body, { deleted: true })
    assert.equal((await admin('DELETE', `/digests/${ofVera.uuid.toUpperCase()}`)).body, { deleted: true })
    for (let count = 0; count < 10; count++) await subscribe(vera.ask, { address: `vera+${count}@x.example` })
    const more = await vera.ask('POST', '/digests', { address: 'vera@x.example' })
    assert.equal([more.status, Object.keys(more.body.data.params)], [400, ['address']])
    await admin('DELETE', `/users/${vera.id}`)
    assert.equal(await logins(admin), [])
  })
})

test('what no mail can go to, and what no digest is of, is refused', () =>
  withService({}, async running => {
    const { ask } = await userOf(running, 'vera')
    for (const wrong of [
      {},
      { address: 'vera' },
      { address: 'vera@x.example, b@x.example' },
      { address: 'vera@x.example\r\nBcc: b@x.example' },
      { address: `${'x'.repeat(250)}@x.example` },
      { address: ['vera@x.example'] },
      { address: 'vera@x.example', period: 'day' },
      { address: 'vera@x.example', lang: '../de' },
      { address: 'vera@x.example', filters: { contry: 'DE' } },
      { address: 'vera@x.example', filters: { segment: 'none' } },
    ])
      assert.is((await ask('POST', '/digests', wrong)).status, 400, JSON.stringify(wrong))
    const { address } = await subscribe(ask, { address: '198.51.100.7@x.example' })
    assert.is(address, '198.51.100.7@x.example')
    const audit = (await running.api('/privacy-audit')).body
    assert.not.match(JSON.stringify(audit), /subscription\.address/)
    for (const token of ['', 'x', "' or 1=1 --", '%00', 'x'.repeat(43), 'x'.repeat(5000)]) {
      const url = new URL('https://stats.example.org/unsubscribe')
      url.searchParams.set('token', token)
      assert.is((await open(running, url, 'POST')).status, 200, token)
    }
    assert.is((await ask('GET', '/digests')).body.digests.length, 1)
  }))

test('what is missing is said, and cron sends them without the service', () => {
  const mail = mailTo()
  const { publicUrl = '', mailCommand = '', ...flags } = mail.flags
  return withService({ start: '2026-03-05T12:00:00Z', flags }, async running => {
    const { ask } = await userOf(running, 'vera')
    await subscribe(ask, { address: 'vera@x.example' })
    assert.is((await ask('GET', '/digests')).body.missing, 'mail')
    running.clock.now = Date.parse(monday)
    assert.match((await runJob(running)).message, /No digest of users is sent: neither FOOTFALL_SMTP_URL nor/)
    const cron = (...more: string[]) =>
      footfallHere(['cron', 'digest', '--data', running.file, '--mail-command', mailCommand, ...more], { at: monday })
    await running.restart(async () => {
      assert.match((await cron()).stdout, /--public-url is not set/)
      assert.is((await mail.sent()).length, 0)
      assert.match((await cron('--public-url', publicUrl)).stdout, /Sent to users: 1\./)
      assert.match(linkIn((await mail.sent())[0] as Email).href, /lang=en$/)
    })
    assert.is((await runJob(running)).message, 'No digest is sent: --digest is not set.', 'none twice')
  })
})

test.run()
