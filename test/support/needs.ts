// Tests that need more than Node. Where it is missing they are skipped, and the runner says which, and for want of what.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'uvu'
import { isMachineFree } from './installed.ts'
import { isInstalled, type ProgramName } from './programs.mjs'
import { spendPatience } from './wait.ts'

const isRoot = process.getuid?.() === 0

const mayMount = (): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-mount-'))
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0
  if (isMounted) spawnSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true })
  return isMounted
}

/** `node build.mjs --bundle` does not make it again. */
const isBuilt = (): boolean =>
  existsSync('dist/footfall') && statSync('dist/footfall').mtimeMs >= statSync('dist/main.cjs').mtimeMs

/** What no package brings. */
const circumstances = {
  root: () => isRoot,
  'the right to mount': mayMount,
  'the executable': isBuilt,
  'a Debian for x64': () => process.arch === 'x64' && existsSync('/usr/bin/dpkg'),
  'a machine without Footfall': isMachineFree,
}
type Circumstance = keyof typeof circumstances

/** What a WordPress runs on, by what test/wordpress/site starts. */
export const wordpress = ['php', 'unzip', 'curl'] as const
export const mariadb = ['mariadbd', 'nginx', 'php-fpm'] as const

const isCircumstance = (name: string): name is Circumstance => Object.hasOwn(circumstances, name)
const isMet = (name: ProgramName | Circumstance): boolean =>
  isCircumstance(name) ? circumstances[name]() : isInstalled(name)

const none = Object.assign(() => {}, { each: () => {} })

const skipping = (missing: readonly string[]): Test => {
  const skip = (name = ''): void => {
    test.skip()
    // Read by test/run.mjs.
    console.log(`SKIPPED ${name} (needs ${missing.join(', ')})`)
  }
  return Object.assign(skip, { only: skip, skip, before: none, after: none, run: test.run })
}

/** A failure of any kind, of a browser's own waiting, say, lets the file's next tests wait for less long. */
const watched: Test = Object.assign(
  (name: string, run: Parameters<Test>[1]): void =>
    test(name, async context => {
      try {
        await run(context)
      } catch (error) {
        spendPatience()
        throw error
      }
    }),
  test,
) as Test

/**
 * uvu's `test` where all of this is there; otherwise one that skips each of its tests, leaves out its hooks, and says so.
 * A file of which every test needs the same begins with `const test = needs('chromium')`.
 */
export const needs = (...names: readonly (ProgramName | Circumstance)[]): Test => {
  const missing = names.filter(name => !isMet(name))
  return missing.length === 0 ? watched : skipping(missing)
}
