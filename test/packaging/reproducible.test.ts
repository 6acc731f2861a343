// The same sources build the same executable, whatever the folder, the time zone, the user's settings and the working directory.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

// On the same file system as the packages, which are linked, not copied.
mkdirSync('dist', { recursive: true })
const folder = mkdtempSync(resolve('dist/reproducible-'))
test.after(() => rmSync(folder, { recursive: true }))

/** The sources, linked into a folder of that name. */
const layTree = (name: string): string => {
  const tree = join(folder, name)
  mkdirSync(tree, { recursive: true })
  const entries = readdirSync('.').filter(entry => entry !== 'dist' && entry !== '.git')
  execFileSync('cp', ['-al', ...entries, tree])
  return tree
}

/** Builds, and returns the checksum of everything in dist/ by its name. */
const buildIn = (tree: string, cwd: string, env: Record<string, string>): Record<string, string> => {
  const { status, stderr } = spawnSync(process.execPath, [join(tree, 'build.mjs')], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  assert.is(status, 0, stderr)
  const dist = join(tree, 'dist')
  assert.ok(existsSync(join(dist, 'footfall')))
  return Object.fromEntries(
    readdirSync(dist)
      // It says of which file on this machine the executable was made.
      .filter(name => name !== 'footfall.stamp')
      .map(name => [
        name,
        createHash('sha256')
          .update(readFileSync(join(dist, name)))
          .digest('hex'),
      ]),
  )
}

test('two builds in two folders are the same, byte by byte', () => {
  const one = layTree('a')
  const other = layTree('another/folder with a longer name')
  assert.equal(
    buildIn(other, '/', { TZ: 'Pacific/Chatham', LANG: 'de_DE.UTF-8', PATH: '/nonexistent' }),
    buildIn(one, one, { TZ: 'UTC' }),
  )
})

test.run()
