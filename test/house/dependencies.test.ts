// What is installed is what was looked at: exact versions, the same in the lock file, each with its checksum.
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

type Names = Readonly<Record<string, string>>
type Locked = {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  hasInstallScript?: boolean
  license?: string
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
const manifest = read<Partial<Record<(typeof kinds)[number], Names>> & { scripts: Names; overrides?: Names }>(
  'package.json',
)
const { packages } = read<{ packages: Readonly<Record<string, Locked>> }>('package-lock.json')
/** esbuild looks whether its binary is there. */
const expected: readonly string[] = ['node_modules/esbuild']
const wanted = kinds.flatMap(kind => Object.entries(manifest[kind] ?? {}))

test('every version is exact, and the one that the lock file has', () => {
  assert.ok(wanted.length > 30)
  assert.equal(
    wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  )
  assert.equal(
    wanted.filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version),
    [],
  )
})

test('every package has a checksum, and none is tied to an address', () => {
  const locked = Object.entries(packages).filter(([path]) => path !== '')
  assert.ok(locked.length > 200)
  assert.equal(
    locked
      .filter(([, { integrity, link }]) => link === true || !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
      .map(([path]) => path),
    [],
  )
  assert.equal(
    locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
    [],
  )
})

test('nothing runs when it is installed, and nothing that was not looked at wants to', () => {
  assert.match(readFileSync('.npmrc', 'utf8'), /^ignore-scripts=true$/m)
  assert.equal(
    Object.keys(manifest.scripts).filter(name => /^(pre|post)?(install|prepare)$/.test(name)),
    [],
  )
  const scripts = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path)
  assert.equal(scripts, expected)
})

test.run()
