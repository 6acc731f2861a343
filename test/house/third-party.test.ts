// The list of parts that are not ours: as the build makes it, complete, and shown by the program.
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfall } from '../support/program.ts'
import { withService } from '../support/service.ts'

const file = 'THIRD_PARTY.md'
const made = readFileSync('dist/THIRD_PARTY.md', 'utf8')

test('THIRD_PARTY.md is what the build makes', () => {
  if (process.env.UPDATE === '1') writeFileSync(file, made)
  assert.fixture(readFileSync(file, 'utf8'), made, 'run: UPDATE=1 npm run test:only third-party')
})

test('every package that the program needs is in it, with a text', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }
  for (const name of [...Object.keys(dependencies), 'SQLite', 'Node.js']) {
    assert.match(made, new RegExp(`\\| ${name} \\| [\\d.]+ \\| `), name)
    assert.match(made, new RegExp(`\n## ${name} [\\d.]+\n\n~~~~text\n\\S`), name)
  }
  assert.match(made, 'nro.net')
})

test('every package in it ships: it is among the dependencies, or needed by one of them', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean; devOptional?: boolean }>
  }
  const parts = [...made.matchAll(/^\| (\S+) \| (\S+) \|/gm)].map(([, name, version]) => `${name} ${version}`)
  const tools = Object.entries(packages)
    .filter(([, { dev, devOptional }]) => dev === true || devOptional === true)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`)
  assert.ok(tools.length > 100)
  assert.equal(
    tools.filter(tool => parts.includes(tool)),
    [],
  )
})

test('a licence that is not allowed ends the build', async () => {
  const { thirdParty } = (await import(`${process.cwd()}/third-party.mjs`)) as {
    thirdParty: (files: string[]) => string
  }
  // A test tool's package under another licence.
  assert.throws(() => thirdParty([`${process.cwd()}/node_modules/axe-core/axe.js`]), /axe-core [\d.]+ \(MPL-2\.0\)/)
})

test('the program shows it on the command line and at /licenses.txt', () =>
  withService({}, async ({ service }) => {
    const { status, stdout } = footfall(['version', '--licenses'])
    assert.is(status, 0)
    assert.is(stdout, made)
    const answer = await fetch(`${service.url}/licenses.txt`)
    assert.is(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.is(await answer.text(), made)
  }))

test.run()
