// The plan of the house: imports point downwards, each statement is used, no file grows out of sight.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = process.cwd()
const sources = globSync('src/**/*.ts', { cwd: root }).filter(
  file => !file.endsWith('.d.ts') && !/^src\/(tracker|home|dashboard|login)\//.test(file),
)
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^(?:import|export)\b[^']*?from '(\.[^']+)'|^import '(\.[^']+)'/gm)].map(match =>
    normalize(join(dirname(file), match[1] ?? match[2] ?? '')),
  )

/** From the top of the house to its ground; a file imports from its own floor and from those below. */
const floors: readonly RegExp[] = [
  /^src\/main\.ts$/,
  /^src\/(commands|mcp)\//,
  /^src\/service\/(?!context)/,
  /^src\/endpoints\/index\.ts$/,
  /^src\/endpoints\/advisor(-ask|-changes|-preferences)?\.ts$/,
  /^src\/digest\//,
  /^src\/advisor\/(?!(options|preferences)\.ts$)/,
  /^src\/(endpoints|import|demo|checks\/self-test|checks\/site)\//,
  /^src\/(service\/context\.ts|reports\/|erasure\/|checks\/|metrics\/(?!histogram)|collection\/handler\.ts|identity\/login-page\.ts)/,
  /^src\/jobs\//,
  /^src\/(identity|advisor|shop|annotations)\//,
  /^src\/collection\//,
  /^src\/geoip\//,
  /^src\/(maintenance|mail)\//,
  /^src\/(http|rollup|archive|goals)\//,
  /^src\/(settings|config)\//,
  /^src\/audit\//,
  /^src\/database\//,
  /^src\/channel\/channel\.ts$/,
  /^src\/(sql|channel)\//,
  /^src\/runtime\//,
  /^src\/metrics\/histogram\.ts$/,
  /^src\/lib\//,
  /^src\//,
]
const floorOf = (file: string): number => floors.findIndex(floor => floor.test(file))

test('imports point downwards', () => {
  const upwards = sources.flatMap(file =>
    importsOf(file)
      .filter(target => target.startsWith('src/') && target.endsWith('.ts') && !target.endsWith('.d.ts'))
      .filter(target => floorOf(target) < floorOf(file))
      .map(target => `${file} → ${target}`),
  )
  assert.equal(upwards, [])
})

test('no file imports itself by way of others, not even for a type', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root })
  const graph = new Map(files.map(file => [file, importsOf(file).filter(target => /\.tsx?$/.test(target))]))
  // A file that is done leads to no circle; one that is met again on its own path closes one.
  const done = new Set<string>()
  const circles = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(' → ')]
    if (done.has(file)) return []
    const circlesBelow = (graph.get(file) ?? []).flatMap(target => circles(target, [...path, file]))
    done.add(file)
    return circlesBelow
  }
  assert.equal(
    files.flatMap(file => circles(file, [])),
    [],
  )
})

test('collection knows of HTTP only in its handler', () => {
  const inner = sources.filter(file => /^src\/collection\/(?!(?:handler|request|answer)\.ts$)/.test(file))
  assert.equal(
    inner.filter(file => /from '(node:http|[./]+\/http\/[^']+)'/.test(textOf(file))),
    [],
  )
})

test('every statement of src/sql is used by exactly one file', () => {
  const used = sources.flatMap(importsOf).filter(target => target.endsWith('.sql'))
  const files = globSync('src/sql/**/*.sql', { cwd: root })
  assert.equal(
    files.filter(file => used.filter(one => one === file).length !== 1),
    [],
  )
})

test('every endpoint is in the list', () => {
  const list = textOf('src/endpoints/index.ts')
  const files = globSync('src/endpoints/*.ts', { cwd: root })
    .map(file => file.replace('src/endpoints/', ''))
    .filter(file => file !== 'index.ts')
  assert.equal(
    files.filter(file => !list.includes(`'./${file}'`)),
    [],
  )
})

test('no file is too long to take in', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root })
  assert.equal(
    files.filter(file => textOf(file).split('\n').length > 221),
    [],
  )
})

test('nothing reads the clock or the environment by itself', () => {
  const readers = sources.filter(file => /\bDate\.now\(|new Date\(\)/.test(textOf(file)))
  assert.equal(
    readers.filter(file => !/^src\/(main|commands\/)/.test(file)),
    [],
  )
})

test.run()
