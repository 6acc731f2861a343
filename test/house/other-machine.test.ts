// On a machine that Footfall is not built on, npm and the build say so in a sentence.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const folder = mkdtempSync(join(tmpdir(), 'footfall-machine-'))
for (const name of ['build.mjs', 'package.json', 'package-lock.json', '.npmrc']) copyFileSync(name, join(folder, name))
test.after(() => rmSync(folder, { recursive: true }))

const preload = `--import=${pathToFileURL(resolve('test/fixtures/other-machine.mjs')).href}`
/** The npm that runs the tests tells its children, in npm_config_local_prefix, that they are in its folder. */
const ownEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
const run = (command: string, args: string[], env: Record<string, string>) =>
  spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: { ...ownEnv, NODE_OPTIONS: preload, ...env } })

const elsewhere =
  'Use Debian, Ubuntu, Fedora or the like, or build a container: docker build -f packaging/Dockerfile .\n'
const refused: readonly [machine: string, env: Record<string, string>, sentence: string][] = [
  ['darwin', {}, `Footfall needs Linux on x64 or arm64; this is darwin on ${process.arch}. ${elsewhere}`],
  ['win32', {}, `Footfall needs Linux on x64 or arm64; this is win32 on ${process.arch}. ${elsewhere}`],
  ['musl', {}, `Footfall needs a Linux with glibc, and this one (Alpine?) has another C library. ${elsewhere}`],
  [
    'linux',
    { npm_config_user_agent: 'npm/10.8.2 node/v18.20.8 linux x64 workspaces/false' },
    'Footfall needs Node.js 20 or newer; this is v18.20.8. Install one (https://nodejs.org/), then run: npm ci\n',
  ],
  ['linux', {}, 'The packages that Footfall is built with are missing. Run: npm ci\n'],
]

for (const [machine, env, sentence] of refused)
  test(`the build says what to do: ${sentence.split('.')[0]} (${machine})`, () => {
    const { status, stdout, stderr } = run(process.execPath, ['build.mjs'], {
      MACHINE: machine,
      ...env,
    })
    assert.equal({ status, stdout, stderr }, { status: 1, stdout: '', stderr: sentence })
  })

for (const machine of ['darwin', 'win32', 'musl'])
  test(`npm ci refuses ${machine}, and names what is needed`, () => {
    const { status, stderr } = run('npm', ['ci', '--offline', '--dry-run'], { MACHINE: machine })
    assert.is(status, 1)
    assert.match(
      stderr,
      /Unsupported platform for footfall@[\d.]+: wanted \{"os":"linux","cpu":"x64,arm64","libc":"glibc"\}/,
    )
    assert.not.match(stderr, /\n\s+at /, 'it shows a stack trace')
  })

test.run()
