// docs/operate.md and the files next to it: they name each other, the unit is sound, and its options are known.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { environmentOnly, optionNames, parseConfig, variableOf } from '../../src/config/config.ts'
import { needs } from '../support/needs.ts'
import { folderOfFiles } from './proxies.ts'

const text = readFileSync('docs/operate.md', 'utf8')
const unit = readFileSync(join(folderOfFiles, 'footfall.service'), 'utf8')
const template = readFileSync(join(folderOfFiles, 'footfall@.service'), 'utf8')
const environment = readFileSync(join(folderOfFiles, 'footfall.env'), 'utf8')

test('the document links every file, and every link leads somewhere', () => {
  const files = globSync('**/*.*', { cwd: folderOfFiles })
    .map(file => `operate/${file}`)
    .sort()
  const links = [...new Set([...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link))]
  assert.equal(
    files.filter(file => !links.includes(file)),
    [],
  )
  assert.equal(
    links.filter(link => !existsSync(resolve('docs', link))),
    [],
  )
})

test('what the document quotes is the file', () => {
  const quoted = text.match(/for any other proxy:\n\n```\n([^`]*)```/)?.[1]
  assert.is(quoted, readFileSync(join(folderOfFiles, 'nginx/footfall-proxy.conf'), 'utf8'))
})

test('document and unit mean the same places', () => {
  for (const [, source = ''] of text.matchAll(/install -m \d+ (docs\/\S+)/g)) assert.ok(existsSync(source), source)
  const targets = [...text.matchAll(/install -m \d+ \S+ (\S+)/g)].map(([, target]) => target)
  for (const [pattern, name] of [
    [/^ExecStart=(\S+)/m, 'program'],
    [/^EnvironmentFile=(\S+)/m, 'options'],
  ] as const) {
    assert.ok(
      targets.includes(unit.match(pattern)?.[1]),
      `the document installs the ${name} where the unit looks for it`,
    )
  }
  const [, data = ''] = unit.match(/FOOTFALL_DATA=(\S+)/) ?? []
  assert.ok(text.includes(`FOOTFALL_DATA=${data} `), 'commands have the file of the service')
  const [, folder] = unit.match(/^StateDirectory=(\w+)/m) ?? []
  assert.ok(data.startsWith(`/var/lib/${folder}/`))
  const [, user] = unit.match(/^User=(\w+)/m) ?? []
  assert.ok(text.includes(`--shell /usr/sbin/nologin ${user}`))
})

test('the options of footfall.env are known, set or not', () => {
  const lines = environment
    .split('\n')
    .filter(line => /^#?FOOTFALL_/.test(line))
    .map(line => line.replace(/^#/, ''))
  const known = [...optionNames, ...Object.keys(environmentOnly)].map(variableOf)
  assert.equal(
    lines.map(line => line.split('=', 1)[0] ?? '').filter(name => !known.includes(name)),
    [],
  )
  const config = parseConfig({}, Object.fromEntries(lines.map(line => line.split('=', 2))))
  assert.equal([config.rootPath, config.basePath, config.siteUrl], ['/stats', '/wp-json', 'https://www.example.org'])
  assert.ok(config.backupFolder?.startsWith('/var/lib/footfall/'), 'a place where the unit lets it write')
})

const withSystemd = needs('systemd-analyze')

/** systemd's own reading of the unit, or of the template with a site, with a program that is there. */
const analyze = (isTemplate: boolean, ...args: string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-unit-'))
  try {
    const path = join(folder, isTemplate ? 'footfall@one.service' : 'footfall.service')
    writeFileSync(path, (isTemplate ? template : unit).replace('/usr/local/bin/footfall', process.execPath))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, path], { encoding: 'utf8' })
    return { status, output: `${stdout}${stderr}` }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

withSystemd('systemd finds nothing wrong with the unit', () => {
  for (const isTemplate of [false, true])
    assert.equal(analyze(isTemplate, 'verify', '--man=no'), { status: 0, output: '' })
})

withSystemd('systemd takes the unit for well guarded', () => {
  // From 0 (nothing to gain for an intruder) to 100; most services that are not hardened have more than 90.
  for (const isTemplate of [false, true]) {
    const { status, output } = analyze(isTemplate, 'security', '--offline=yes', '--threshold=15')
    assert.is(status, 0, output)
  }
})

test('the template is the unit with the name of a site in it', () => {
  const rules = (text: string): string[] => text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  assert.equal(
    rules(template).map(line => line.replaceAll('footfall-%i', 'footfall').replace(' of %i', '')),
    rules(unit).map(line => line.replace('footfall/footfall.env', 'footfall/%i.env')),
  )
})

test('the unit leaves no core dump, which would hold what is never to be on disk', () => {
  assert.match(unit, /^LimitCORE=0$/m)
})

test('continuous integration installs what tests need, and refuses to skip any', () => {
  assert.match(readFileSync('.ci/run', 'utf8'), /^SKIPS=refuse npm test$/m)
  assert.match(readFileSync('.ci/run', 'utf8'), /^npm run test:setup$/m)
})

test.run()
