// What an owner sees of the messages of the service, and tries out, without a shell.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { type Answer, type Running, withService } from '../support/service.ts'

const headers = { 'content-type': 'application/json' }

const sendTest = ({ api }: Running, lang: string): Promise<Answer> =>
  api('/mail/test', { method: 'POST', headers, body: JSON.stringify({ lang }) })

test('a message goes to those whom the dashboard names, in the language of who tries it', () =>
  withFolder(folder => {
    const sent = join(folder, 'sent')
    const flags = { mailCommand: `cat > ${sent}`, siteUrl: 'https://shop.example' }
    return withService({ flags }, async running => {
      const nobody = await sendTest(running, 'en')
      assert.equal([nobody.status, nobody.body.code], [409, 'rest_mail_unset'])
      assert.match(nobody.body.message, /nobody/)
      const body = JSON.stringify({ mail_to: ['ada@shop.example'], site_name: 'Der Laden' })
      await running.api('/site', { method: 'PUT', headers, body })
      assert.equal((await running.api('/mail')).body.way, 'command')
      const { status, body: state } = await sendTest(running, 'de')
      assert.equal([status, state.error, state.failed_at], [200, null, null])
      assert.is(Date.parse(state.sent_at), running.clock.now)
      const message = readFileSync(sent, 'utf8')
      assert.match(message, /^To: ada@shop\.example/m)
      assert.match(message, /^Subject: .*Der Laden/m)
    })
  }))

test('what keeps a message is said at once, and no second attempt follows', () =>
  withService(
    { flags: { mailCommand: 'echo the queue is full >&2; exit 75', mailTo: 'ada@shop.example' } },
    async running => {
      const { status, body } = await sendTest(running, 'en')
      assert.is(status, 502)
      assert.match(body.message, /queue is full/)
      assert.match((await running.api('/mail')).body.error, /queue is full/)
    },
  ))

test('without a way the state says so', () =>
  withService({}, async running => {
    assert.equal((await running.api('/mail')).body, { way: null, sent_at: null, failed_at: null, error: null })
    assert.is((await sendTest(running, 'en')).status, 409)
    assert.is((await running.api('/mail', { as: 'reader' })).status, 403)
    assert.is((await running.api('/digest', { as: 'reader' })).status, 403)
  }))

test('the digest that is shown is the one that is printed', () =>
  withService({ start: '2026-03-09T12:00:00Z' }, async running => {
    await running.hit({ page_url: 'https://shop.example/tea' })
    running.clock.now += 86_400_000
    await running.settled()
    const { subject, text } = (await running.api('/digest?period=day&lang=fr')).body
    const at = new Date(running.clock.now).toISOString()
    const args = ['digest', '--period', 'day', '--lang', 'fr', '--data', running.file]
    // Below it stands whose data of places the service has used.
    assert.ok(text.startsWith((await footfallHere(args, { at })).stdout.trimEnd()))
    assert.match(text, /\/tea {2}1/)
    assert.match(subject, /1 visite/)
    assert.is((await running.api('/digest?period=year')).status, 400)
  }))

test.run()
