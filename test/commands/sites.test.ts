// `footfall sites`: the hosts of a file, and those of several services, some of which do not answer.
import { createServer } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { freePort } from '../support/port.ts'
import { type Running, withService } from '../support/service.ts'

const at = '2026-03-10T12:00:00Z'
const json = { 'content-type': 'application/json' }

const fill = async (running: Running, host: string, visitors: number): Promise<void> => {
  for (let visitor = 1; visitor <= visitors; visitor++) {
    const answer = await running.hit({ page_url: `https://${host}/a` }, { 'x-forwarded-for': `10.0.${visitor}.1` })
    assert.is(answer.status, 204)
  }
  await running.settled()
}

const passwordOf = async ({ api }: Running): Promise<string> => {
  const body = JSON.stringify({ name: 'sites', scopes: ['reports'] })
  return (await api('/users/me/application-passwords', { method: 'POST', body, headers: json })).body.password
}

test('the hosts of a file are one table, on the same axis', () =>
  withService({}, async running => {
    await fill(running, 'one.example', 8)
    await fill(running, 'two.example', 1)
    const { status, stdout, stderr } = await footfallHere(['sites', '--data', running.file], { at })
    assert.equal([status, stderr], [0, ''])
    const [head, one, two] = stdout.trimEnd().split('\n')
    assert.equal(head?.split(/\s+/), ['HOST', 'VISITORS', 'CHANGE', 'VIEWS', 'TOP', 'PAGE', 'DAYS'])
    assert.equal(one?.split(/\s+/), ['one.example', '8', '-', '8', '/a', `${'▁'.repeat(27)}█`])
    assert.equal(two?.split(/\s+/), ['two.example', '1', '-', '1', '/a', `${'▁'.repeat(27)}▂`])
    const wrong = await footfallHere(['sites', '--data', running.file, '--period', 'someday'], { at })
    assert.is(wrong.status, 2)
  }))

test('several services are one table; one that does not answer is a row and exit code 1', () =>
  withService({}, first =>
    withService({}, async second => {
      await fill(first, 'one.example', 2)
      await fill(second, 'two.example', 3)
      const redirecting = createServer((_, response) => response.writeHead(302, { location: first.service.url }).end())
      await new Promise<void>(resolve => redirecting.listen(0, '127.0.0.1', resolve))
      const address = redirecting.address()
      const port = typeof address === 'object' ? address?.port : 0
      try {
        const [one, two] = [first.service.url, second.service.url]
        const [elsewhere, nothing] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`]
        const FOOTFALL_APP_PASSWORD = [
          `${one} admin:${await passwordOf(first)}`,
          `${two} admin:${await passwordOf(second)}`,
          'admin:wrong',
        ].join('\n')
        const ask = (args: readonly string[], env: Record<string, string> = { FOOTFALL_APP_PASSWORD }) =>
          footfallHere(['sites', ...args, '--json', '--period', 'today'], { at, env })
        const both = await ask([one, `${two}/`])
        assert.is(both.status, 0, both.stderr)
        const shown = (stdout: string) =>
          JSON.parse(stdout).map(({ service, host, visitors }: any) => [service, host, visitors])
        const rows = [
          [two, 'two.example', '3'],
          [one, 'one.example', '2'],
        ]
        assert.equal(shown(both.stdout), rows)
        const some = await ask([one, two, elsewhere, nothing])
        assert.is(some.status, 1)
        assert.equal(shown(some.stdout), [...rows, [elsewhere, null, null], [nothing, null, null]])
        const errors = JSON.parse(some.stdout).map(({ error }: any) => error)
        assert.equal(errors.slice(0, 2), [null, null])
        assert.match(errors[2], /redirects elsewhere/)
        assert.match(errors[3], /could not be reached: ECONNREFUSED/)
        const refused = await ask([one], { FOOTFALL_APP_PASSWORD: 'admin:wrong' })
        assert.is(refused.status, 1)
        assert.match(refused.stdout, /it answers 401/)
        const without = await ask([one], {})
        assert.is(without.status, 2)
        assert.match(without.stderr, /Set FOOTFALL_APP_PASSWORD to LOGIN:PASSWORD/)
        assert.is((await ask(['http://stats.example.org'])).status, 2, 'the password would travel unencrypted')
      } finally {
        redirecting.close()
      }
    }),
  ))

test.run()
