// The OpenAPI document as other programs read it: a linter, and a TypeScript client that is generated from it.
import { execFile } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { endpoints } from '../../src/endpoints/index.ts'
import { documentOf } from '../../src/http/documents.ts'
import { withFolder } from '../support/folder.ts'
import { firefox, phone, withService } from '../support/service.ts'

const run = promisify(execFile)

type Ended = { status: number; stdout: string; stderr: string }

/** Runs a script of Node; nothing asks the network for news. */
const node = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  run(process.execPath, args, {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', ...env },
  }).then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ status: Number(code), stdout, stderr }),
  )

const redocly = join(process.cwd(), 'node_modules/@redocly/cli/bin/cli.js')
const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc')

const strict = {
  compilerOptions: {
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noEmit: true },
    ...{ target: 'ES2024', lib: ['ES2024', 'DOM'], module: 'ESNext', moduleResolution: 'bundler' },
    ...{ allowImportingTsExtensions: true, types: ['node'], typeRoots: [join(process.cwd(), 'node_modules/@types')] },
  },
  include: ['*.ts'],
}

test('Redocly finds nothing in the document, neither an error nor a warning', () =>
  withFolder(async folder => {
    const file = join(folder, 'openapi.json')
    writeFileSync(file, JSON.stringify(documentOf(endpoints, '', '0.1.0')))
    const lint = ['lint', '--extends', 'recommended-strict', '--format', 'json', file]
    const { status, stdout, stderr } = await node([redocly, ...lint])
    assert.equal(JSON.parse(stdout).problems, [])
    assert.is(status, 0, stderr)
  }))

test('a generated TypeScript client compiles strictly, and reads and changes a running service', () =>
  withFolder(folder =>
    withService({}, async ({ service, hit, settled, administrator }) => {
      const api = `${service.url}/analytics/v1`
      const file = join(folder, 'openapi.json')
      writeFileSync(file, await (await fetch(`${api}/openapi.json`)).text())
      const shape = ['--error-mode', 'result', '--args-style', 'grouped', '--import-ext', 'ts']
      const made = await node([redocly, 'generate-client', file, '-o', join(folder, 'client.ts'), ...shape])
      assert.is(made.status, 0, made.stderr)
      copyFileSync('test/fixtures/api-client.ts.txt', join(folder, 'main.ts'))
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(strict))
      const compiled = await node([tsc, '-p', folder])
      assert.is(compiled.status, 0, compiled.stdout)

      for (const [page_url, agent] of [
        ['/a', firefox],
        ['/b', firefox],
        ['/a', phone],
        ['/c', phone],
      ] as const)
        assert.is((await hit({ page_url, title: page_url }, { 'user-agent': agent })).status, 204)
      for (const plan of ['pro', 'free'])
        await fetch(`${api}/event`, {
          method: 'POST',
          body: JSON.stringify({ name: 'signup', page_url: '/c', properties: { plan } }),
          headers: {
            'content-type': 'application/json',
            'user-agent': plan === 'pro' ? phone : firefox,
            'x-forwarded-for': '203.0.113.7',
          },
        })
      await settled()

      const [LOGIN = '', PASSWORD = ''] = atob(administrator.replace('Basic ', '')).split(':')
      const used = await node([join(folder, 'main.ts')], { API: api, LOGIN, PASSWORD })
      assert.is(used.status, 0, used.stderr)
      assert.equal(JSON.parse(used.stdout), {
        views: 4,
        rate: 0,
        previous: 0,
        pages: ['/a'],
        title: '/a',
        plan: [['signup', 1]],
        event: 2,
        devices: [
          ['desktop', 2],
          ['mobile', 2],
        ],
        goals: ['Sign-up'],
        removed: true,
        retention: 400,
        mode: 'cookieless',
        answers: [['q2', 'ok']],
        backwards: [400, { to: 'to must not be before from (2026-03-10).' }],
        unknown: [404, 'rest_event_not_found'],
      })
    }),
  ))

test.run()
