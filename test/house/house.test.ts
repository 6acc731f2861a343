// The plan of the house: imports point downwards, each statement is used, no file grows out of sight.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sqlFiles } from '../support/statements.ts'

const root = process.cwd()
const all = globSync('src/**/*.{ts,tsx}', { cwd: root })
/** What runs on Node; the rest runs in browsers. */
const sources = all.filter(file => file.endsWith('.ts') && !/\.d\.ts$|^src\/(tracker|dashboard)\//.test(file))
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Files of src, as paths from the root, that a file imports; types, texts and browser scripts as well. */
const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^(?:import|export)\b[^']*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm)]
    .map(match => match[1] ?? match[2] ?? match[3] ?? '')
    .map(target => target.replace(/^browser:(tracker|dashboard).*/, '/src/$1/'))
    .map(target => (target.startsWith('.') ? join(dirname(file), target) : target.slice(1)))
    .map(normalize)
    .filter(target => target.startsWith('src/'))

/** From the top of the house to its ground; a file imports from its own folder and from those below. */
const floors = [
  'mcp',
  'commands',
  'service',
  'dashboard',
  'endpoints',
  'demo',
  'import',
  'digest',
  'alerts',
  'advisor',
  'checks',
  'metrics',
  'reports',
  'jobs',
  'maintenance',
  'erasure',
  'goals',
  'identity',
  'annotations',
  'shop',
  'collection',
  'archive',
  'packed',
  'mail',
  'geoip',
  'rollup',
  'settings',
  'config',
  'http',
  'audit',
  'database',
  'channel',
  'bots',
  'sql',
  'runtime',
  'tracker',
  'lib',
]
/** The folder of a file; files of src itself, such as main.ts, are above all of them. */
const folderOf = (file: string): string => /^src\/([^/.]+)(\/|$)/.exec(file)?.[1] ?? ''
const floorOf = (file: string): number => floors.indexOf(folderOf(file))

test('every folder has its floor', () => {
  assert.equal(
    [...new Set(all.map(folderOf))].filter(folder => folder !== '' && !floors.includes(folder)),
    [],
  )
})

test('imports point downwards', () => {
  const upwards = all.flatMap(file =>
    importsOf(file)
      .filter(target => floorOf(target) < floorOf(file))
      .map(target => `${file} → ${target}`),
  )
  assert.equal(upwards, [])
})

test('no two folders import each other', () => {
  const edges = new Set(all.flatMap(file => importsOf(file).map(target => `${folderOf(file)} ${folderOf(target)}`)))
  const pairs = [...edges].filter(edge => {
    const [from = '', to = ''] = edge.split(' ')
    return from < to && edges.has(`${to} ${from}`)
  })
  assert.equal(pairs, [])
})

test('no file imports itself by way of others, not even for a type', () => {
  const graph = new Map(all.map(file => [file, importsOf(file).filter(target => /\.tsx?$/.test(target))]))
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
    all.flatMap(file => circles(file, [])),
    [],
  )
})

test('collection knows of HTTP only at its doors', () => {
  const inner = sources.filter(file =>
    /^src\/collection\/(?!(?:handler|http|intake|plausible|batch-records)\.ts$)/.test(file),
  )
  assert.equal(
    inner.filter(file => /from '(node:http|[./]+\/http\/[^']+)'/.test(textOf(file))),
    [],
  )
})

test('packed days have one door', () => {
  const outside = sources.filter(file => !file.startsWith('src/packed/'))
  assert.equal(
    outside.filter(file => importsOf(file).some(target => /^src\/packed\/(?!packed-days\.ts$)/.test(target))),
    [],
  )
})

test('every file of src/sql belongs to one module, which uses each of its statements', () => {
  const ownersOf = (file: string) => sources.filter(source => importsOf(source).includes(file))
  assert.equal(
    globSync('src/sql/**/*.sql', { cwd: root }).filter(file => ownersOf(file).length !== 1),
    [],
  )
  const unused = sqlFiles.flatMap(({ file, statements }) => {
    const [owner = ''] = ownersOf(`src/sql/${file}`)
    const used = new Set([...textOf(owner).matchAll(/\bsql\('([^']+)'\)/g)].map(match => match[1] ?? ''))
    return statements.filter(({ name }) => !used.has(name)).map(({ name }) => `${file}: ${name}`)
  })
  assert.equal(unused, [])
})

test('every statement has a name, and no two have the same', () => {
  const names = sqlFiles.flatMap(({ statements }) => statements.map(({ fullName }) => fullName))
  assert.equal(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
  const texts = sqlFiles.map(({ file }) => [file, textOf(`src/sql/${file}`)] as const)
  assert.equal(
    texts.filter(([, text]) => !text.startsWith('-- name: ')).map(([file]) => file),
    [],
  )
  const counted = texts.reduce((sum, [, text]) => sum + [...text.matchAll(/^-- name: /gm)].length, 0)
  assert.is(counted, names.length)
})

test('every endpoint is in the list', () => {
  const list = textOf('src/endpoints/index.ts')
  const files = globSync('*.ts', { cwd: join(root, 'src/endpoints') })
  assert.equal(
    files.filter(file => !/^(index|context)\.ts$/.test(file) && !list.includes(`'./${file}'`)),
    [],
  )
})

test('every report is in the list', () => {
  const list = textOf('src/reports/of/index.ts')
  const files = globSync('*.ts', { cwd: join(root, 'src/reports/of') })
  assert.equal(
    files.filter(file => file !== 'index.ts' && !list.includes(`'./${file}'`)),
    [],
  )
})

test('no file is too long to take in', () => {
  assert.equal(
    all.filter(file => textOf(file).split('\n').length > 301),
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
