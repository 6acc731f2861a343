// Commands that lack a setting which the running service has say the line that runs them with it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { footfall, footfallBeside } from '../support/program.ts'
import { withService } from '../support/service.ts'

/** The line that a command's error ends with. */
const lineOf = (stderr: string): string => /\n {2}(systemd-run .+)\n/.exec(stderr)?.[1] ?? ''

test('a command that lacks what the running service was started with says the one line that works', () =>
  withFolder(folder =>
    withService({}, async ({ file }) => {
      const stubs = join(folder, 'stubs')
      mkdirSync(stubs)
      // As systemd-run does with the options of the service, but for the user and the file.
      const stub = `#!/bin/sh
while [ "\${1#--}" != "$1" ]; do echo "$1" >>"$NOTED"; shift; done
FOOTFALL_MAIL_TO=owner@example.org FOOTFALL_MAIL_COMMAND="tee $SENT" exec "$@"
`
      writeFileSync(join(stubs, 'systemd-run'), stub, { mode: 0o755 })
      const refused = await footfallBeside(['digest', '--send', '--period', 'week', '--data', file])
      assert.is(refused.status, 1)
      assert.match(refused.stderr, '--mail-to is not set')
      const line = lineOf(refused.stderr)
      const noted = join(folder, 'noted')
      const child = spawn('sh', ['-c', line], {
        env: { PATH: `${stubs}:${process.env.PATH}`, NOTED: noted, SENT: join(folder, 'sent') },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      assert.equal(await once(child, 'close'), [0, null], line)
      assert.match(readFileSync(join(folder, 'sent'), 'utf8'), 'To: owner@example.org')
      const options = readFileSync(noted, 'utf8').split('\n')
      assert.ok(options.includes(`--uid=${statSync(file).uid}`))
      assert.ok(options.includes('--property=EnvironmentFile=/etc/footfall/footfall.env'))

      const compared = await footfallBeside(['shop', 'reconcile'], { env: { FOOTFALL_DATA: file } })
      assert.is(compared.status, 2)
      assert.match(compared.stderr, 'No shop is configured')
      assert.match(lineOf(compared.stderr), ` shop reconcile --data ${file}`)
    }),
  ))

test('without a running service there is no such line', () =>
  withFolder(folder => {
    const data = join(folder, 'a.db')
    assert.is(footfall(['demo', '--days', '7', '--visits', '1000', '--data', data]).status, 0)
    assert.is(lineOf(footfall(['digest', '--send', '--data', data]).stderr), '')
  }))

test.run()
