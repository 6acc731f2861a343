// The executable as a stranger meets it: another user, an empty folder, no Node, a home that cannot be written to.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'

const test = needs('the executable')

const version = /^footfall \d+\.\d+\.\d+ \(node v24\.\d+\.\d+, sqlite 3\.\d+\.\d+\)\n$/
const readOnly = 0o555
const forAll = 0o1777
let box = ''

const inBox = (path: string): string => join(box, path)
const contents = (): string[] => readdirSync(box, { recursive: true, encoding: 'utf8' }).sort()
const isRoot = process.getuid?.() === 0
const stranger = isRoot ? { uid: 65534, gid: 65534 } : {}

/** Runs the executable in the box with nothing in its environment but what is given. */
const run = (args: string[], env: Record<string, string> = {}) => {
  const before = contents()
  const { status, stdout, stderr } = spawnSync(inBox('bin/footfall'), args, {
    ...stranger,
    cwd: inBox('empty'),
    encoding: 'utf8',
    env: { PATH: '/nonexistent', HOME: inBox('home'), TMPDIR: inBox('temporary'), ...env },
  })
  assert.equal(contents(), before, 'it leaves a file behind')
  return { status, stdout, stderr }
}

test.before(() => {
  const built = join(process.cwd(), 'dist/footfall')
  box = mkdtempSync(join(tmpdir(), 'footfall-executable-'))
  for (const folder of ['bin', 'empty', 'home', 'home/.cache', 'temporary', 'cache']) mkdirSync(inBox(folder))
  copyFileSync(built, inBox('bin/footfall'))
  for (const folder of ['temporary', 'cache']) chmodSync(inBox(folder), forAll)
  for (const folder of ['bin/footfall', 'bin', 'empty', 'home/.cache', 'home', '.']) chmodSync(inBox(folder), readOnly)
})

test.after(() => {
  for (const folder of ['.', 'home', 'bin']) chmodSync(inBox(folder), 0o755)
  rmSync(box, { recursive: true })
})

test('it runs for a stranger, without Node and with nowhere to write but the temporary folder', () => {
  const { status, stdout, stderr } = run(['version'])
  assert.is(stderr, '')
  assert.match(stdout, version)
  assert.is(status, 0)
})

test('its arguments are its own, not those of Node', () => {
  const { status, stdout } = run(['--help'])
  assert.match(stdout, /footfall/)
  assert.not.match(stdout, /NODE_OPTIONS/)
  assert.is(status, 0)
})

test('NODE_OPTIONS of the environment does not reach it', () => {
  const { status, stdout } = run(['version'], { NODE_OPTIONS: '--no-such-option' })
  assert.match(stdout, version)
  assert.is(status, 0)
})

test('FOOTFALL_CACHE_DIR serves where no other folder does', () => {
  const { status, stdout } = run(['version'], { TMPDIR: '/nonexistent', FOOTFALL_CACHE_DIR: inBox('cache') })
  assert.match(stdout, version)
  assert.is(status, 0)
})

test('with no folder to load SQLite from, it names each that it tried and the way out', () => {
  const { status, stdout, stderr } = run(['version'], { TMPDIR: '/nonexistent', FOOTFALL_CACHE_DIR: inBox('home') })
  assert.is(status, 1)
  assert.is(stdout, '')
  for (const refusal of [
    `${inBox('home')} cannot be written to`,
    `${inBox('home/.cache')} cannot be written to`,
    '/nonexistent does not exist',
  ]) {
    assert.match(stderr, refusal)
  }
  assert.match(stderr, 'Set FOOTFALL_CACHE_DIR to such a folder.')
  assert.not.match(stderr, /\n\s+at /, 'it shows a stack trace')
})

test('its threads copy a file, although no file was opened before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-executable-'))
  try {
    const [data, copy] = ['footfall.db', 'copy.db'].map(name => join(folder, name))
    const ran = (...args: string[]): void => {
      const { status, stderr } = spawnSync(inBox('bin/footfall'), [...args, '--data', data ?? ''], { encoding: 'utf8' })
      assert.is(status, 0, stderr)
    }
    const commands = [
      ['demo', '--days', '7', '--visits', '1000'],
      ['backup', copy ?? ''],
      ['restore', copy ?? ''],
      ['cron', 'backup', '--backup-folder', folder],
    ]
    for (const args of commands) ran(...args)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
