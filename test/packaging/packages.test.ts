// What `npm run package` makes: a tarball whose checksum is right, and a Debian package that is really installed,
// upgraded, removed and purged on this machine, if it is a Debian and the tests run as root.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { validate } from 'dockerfile-utils'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { data, makeStateDirectory, removeService, takeMachine, whileServing } from '../support/installed.ts'
import { needs } from '../support/needs.ts'
import { freePort } from '../support/port.ts'
import { isInstalled } from '../support/programs.mjs'
import { sendRecord } from '../support/records.ts'
import { execute, type Image, layRoot, readImage, runContainer } from './image.ts'

const folder = mkdtempSync(join(tmpdir(), 'footfall-packages-'))
const packages = resolve('dist/packages')
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const tarball = join(packages, `footfall-${version}-linux-x64.tar.gz`)
const debian = join(packages, `footfall_${version}_amd64.deb`)

const run = (command: string, ...args: string[]): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  assert.is(status, 0, `${command} ${args.join(' ')}: ${error?.message ?? ''}${stdout}${stderr}`)
  return stdout
}

const packaged = needs('the executable', 'a Debian for x64')
const installed = needs(
  'the executable',
  'a Debian for x64',
  'root',
  'a machine without Footfall',
  'systemd-analyze',
  'runuser',
  'the right to mount',
  'pkill',
)

let commit = ''
packaged.before(() => {
  commit = run('git', 'rev-parse', 'HEAD').trim()
  // With the image, the notes and the provenance, where Debian's packages can be had.
  run(process.execPath, `packaging/${isInstalled('apt-get') ? 'release' : 'package'}.mjs`, 'x64')
})
test.after(() => rmSync(folder, { recursive: true }))
installed.before(takeMachine)
installed.after(removeService)

packaged('the tarball holds the executable and its licences, and its checksum is that of SHA256SUMS', () => {
  const { stdout } = spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: packages, encoding: 'utf8' })
  assert.match(stdout, /x64\.tar\.gz: OK/)
  assert.match(stdout, `footfall-tracker-${version}.tgz: OK`)
  assert.match(run('tar', 'tzf', join(packages, `footfall-tracker-${version}.tgz`)), 'package/dist/index.js')
  run('tar', 'xzf', tarball, '-C', folder)
  const place = join(folder, `footfall-${version}-linux-x64`)
  for (const name of ['LICENSE', 'THIRD_PARTY.md', 'CHANGELOG.md', 'operate/footfall.service'])
    assert.ok(statSync(join(place, name)).isFile(), name)
  assert.match(run(join(place, 'footfall'), 'version'), `footfall ${version} `)
})

packaged('the list of components names every package inside, no tool, and no address of this machine', () => {
  const text = readFileSync(join(packages, `footfall-${version}.cdx.json`), 'utf8')
  const { bomFormat, metadata, components } = JSON.parse(text)
  assert.is(bomFormat, 'CycloneDX')
  assert.is(metadata.component['bom-ref'], `footfall@${version}`)
  const refs: string[] = components.map((component: Record<string, unknown>) => component['bom-ref'])
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  const parts = [...readFileSync('dist/THIRD_PARTY.md', 'utf8').matchAll(/^\| (\S+) \| (\S+) \|/gm)]
    .map(([, name, of]) => ({ name, ref: `${name}@${of}` }))
    .filter(({ name }) => lock[`node_modules/${name}`] !== undefined)
  assert.ok(parts.some(({ name }) => name === 'better-sqlite3') && parts.some(({ name }) => name === 'preact'))
  assert.equal(
    parts.filter(({ ref }) => !refs.includes(ref)),
    [],
  )
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.equal(
    refs.filter(ref => Object.hasOwn(devDependencies, ref.replace(/@[^@]+$/, ''))),
    [],
  )
  assert.equal(text.match(/https?:[^"]+/g), ['http://cyclonedx.org/schema/bom-1.5.schema.json'])
  assert.not.match(text, process.cwd())
})

const views = (): string =>
  run('runuser', '-u', 'footfall', '--', '/usr/bin/footfall', 'report', 'summary', '--json', '--data', data)

installed('installed: user, unit and options are there, and the service runs', async () => {
  run('dpkg', '--install', debian)
  assert.match(run('getent', 'passwd', 'footfall'), /:\/var\/lib\/footfall:\/usr\/sbin\/nologin$/m)
  assert.is(statSync('/etc/footfall/footfall.env').mode & 0o777, 0o600)
  assert.match(readFileSync('/lib/systemd/system/footfall.service', 'utf8'), 'ExecStart=/usr/bin/footfall serve\n')
  run('systemd-analyze', 'verify', '/lib/systemd/system/footfall.service')
  makeStateDirectory()
  await whileServing(async url => {
    const { status } = await sendRecord(`${url}/analytics/v1/hit`, {
      method: 'POST',
      body: JSON.stringify({ page_url: 'https://example.org/' }),
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    })
    assert.is(status, 204)
  })
  assert.is(JSON.parse(views()).data.totals.views, 1)
})

installed('upgraded: options and data stay', () => {
  writeFileSync('/etc/footfall/footfall.env', 'FOOTFALL_TIMEZONE=Europe/Berlin\n')
  const next = join(folder, 'next')
  run('dpkg-deb', '--raw-extract', debian, next)
  const control = join(next, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(`Version: ${version}`, `Version: ${version}+next`))
  run('dpkg-deb', '--root-owner-group', '-Zgzip', '-z1', '--build', next, join(folder, 'next.deb'))
  run('dpkg', '--install', join(folder, 'next.deb'))
  assert.match(run('dpkg-query', '-W', 'footfall'), `footfall\t${version}+next`)
  assert.is(readFileSync('/etc/footfall/footfall.env', 'utf8'), 'FOOTFALL_TIMEZONE=Europe/Berlin\n')
  assert.is(JSON.parse(views()).data.totals.views, 1)
})

/**
 * Runs commands where systemd seems to run: /run is another one, and what starts and stops services notes in a file
 * whether ours runs.
 */
const withSystemd = (...commands: string[]): string => {
  const [stubs, state] = [join(folder, 'stubs'), join(folder, 'state')]
  mkdirSync(stubs, { recursive: true })
  const invoke = `case "$1" in start) echo running >${state};; stop) echo stopped >${state};; esac`
  writeFileSync(join(stubs, 'deb-systemd-invoke'), `#!/bin/sh\n${invoke}\n`, { mode: 0o755 })
  writeFileSync(join(stubs, 'systemctl'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  const script = ['mount -t tmpfs tmpfs /run', 'mkdir -p /run/systemd/system', ...commands].join(' && ')
  run('unshare', '--mount', 'sh', '-c', `export PATH=${stubs}:$PATH; ${script}`)
  return readFileSync(state, 'utf8').trim()
}

installed(
  'removed and installed again, the service runs again; what was stopped by hand stays so on an upgrade',
  () => {
    assert.is(withSystemd('dpkg --remove footfall'), 'stopped')
    assert.is(withSystemd(`dpkg --install ${debian}`), 'running')
    assert.is(withSystemd('deb-systemd-invoke stop footfall.service', `dpkg --install ${debian}`), 'stopped')
  },
)

needs(
  'the executable',
  'a Debian for x64',
  'lintian',
)('lintian finds nothing in the package', () => {
  run('lintian', '--allow-root', '--fail-on', 'error,warning', debian)
})

packaged('the manual page names every command and option of the document, and is sound', () => {
  const page = join(folder, 'footfall.1')
  const packed = spawnSync('dpkg-deb', ['--fsys-tarfile', debian], { maxBuffer: 2 ** 30 }).stdout
  const { stdout } = spawnSync('tar', ['xO', './usr/share/man/man1/footfall.1.gz'], { input: packed })
  writeFileSync(page, gunzipSync(stdout))
  const text = readFileSync(page, 'utf8').replaceAll('\\-', '-').replaceAll('\\&', '')
  const names = [...readFileSync('docs/command-line.md', 'utf8').matchAll(/^(?:### |\| )`([^`]+)`/gm)].map(
    ([, name]) => name ?? '',
  )
  assert.ok(names.length > 150)
  assert.equal(
    names.filter(name => !text.includes(name.replaceAll('\\|', '|'))),
    [],
  )
})

installed('removed, options and data stay; purged, only the data', () => {
  run('dpkg', '--remove', 'footfall')
  assert.equal(
    ['/usr/bin/footfall', '/etc/footfall/footfall.env', data].map(path => existsSync(path)),
    [false, true, true],
  )
  assert.match(run('dpkg', '--purge', 'footfall'), 'The data of Footfall is still in /var/lib/footfall.')
  assert.equal(
    ['/etc/footfall', data].map(path => existsSync(path)),
    [false, true],
  )
})

const imageFile = join(packages, `footfall-${version}-image.tar`)
const imaged = needs('the executable', 'a Debian for x64', 'apt-get')
const contained = needs('the executable', 'a Debian for x64', 'apt-get', 'root', 'the right to mount', 'unshare')
let image: Image

imaged.before(async () => {
  image = await readImage(imageFile)
})

imaged('the image has no shell, needs no root, and is below 150 MB unpacked', () => {
  const { config, layers } = image
  const size = layers.reduce((sum, layer) => sum + layer.length, 0)
  assert.ok(size < 150_000_000, `${size} bytes`)
  assert.is(config.User, '8787:8787')
  assert.equal(Object.keys(config.Volumes), ['/data'])
  const names = layers.flatMap(input => spawnSync('tar', ['-t'], { input, encoding: 'utf8' }).stdout.split('\n'))
  assert.equal(
    names.filter(name => /bin\/./.test(name)),
    ['usr/bin/footfall'],
  )
  assert.match(
    spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: packages, encoding: 'utf8' }).stdout,
    'image.tar: OK',
  )
})

imaged('a release has its notes, the commit it was made from, and a checksum of everything', () => {
  const sums = readFileSync(join(packages, 'SHA256SUMS'), 'utf8').trim().split('\n')
  const provenance = `footfall-${version}.provenance.json`
  const { subject, predicate } = JSON.parse(readFileSync(join(packages, provenance), 'utf8'))
  assert.equal(
    subject.map(({ name, digest }: { name: string; digest: { sha256: string } }) => `${digest.sha256}  ${name}`),
    sums.filter(line => !line.endsWith(provenance)),
  )
  const [source] = predicate.buildDefinition.resolvedDependencies
  assert.is(source.digest.gitCommit, commit)
  const endings = ['-x64.tar.gz', '-docs.tar.gz', '.deb', '-image.tar', '.zip', '.tgz', '.cdx.json', '.provenance.json']
  assert.equal(
    endings.filter(ending => !sums.some(line => line.endsWith(ending))),
    [],
  )
  const changes = readFileSync('CHANGELOG.md', 'utf8').split(/\n## .*\n\n/)[1] ?? ''
  const notes = readFileSync('dist/release-notes.md', 'utf8')
  assert.ok(notes.startsWith('- ') && changes.startsWith(notes.trim()))
})

/** Sizes in MiB as docs/upgrade.md has them: of the program, and of what is downloaded. */
const sizeTable = (): string => {
  const mebibytes = (bytes: number): string => String(Math.round(bytes / 2 ** 20))
  const executable = statSync('dist/footfall').size
  const layers = image.layers.reduce((sum, layer) => sum + layer.length, 0)
  const rows = [
    ['executable', '', executable],
    ['tarball', 'gzip', executable, tarball],
    ['Debian package', 'xz', executable, debian],
    ['image', 'gzip', layers, imageFile],
  ] as const
  return rows
    .map(([name, by, size, path]) => {
      const packed = path === undefined ? '' : mebibytes(statSync(path).size)
      return `| ${name} | ${mebibytes(size)} | ${packed} | ${by} |\n`
    })
    .join('')
}

imaged('the table of sizes is that of this build, to a tenth', () => {
  const file = 'docs/upgrade.md'
  const found = readFileSync(file, 'utf8').match(/^\| executable .*\n(?:\|.*\n)*/m)?.[0] ?? ''
  const expected = sizeTable()
  if (process.env.UPDATE === '1') writeFileSync(file, readFileSync(file, 'utf8').replace(found, expected))
  const numbers = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number)
  const [written, measured] = [numbers(process.env.UPDATE === '1' ? expected : found), numbers(expected)]
  assert.is(written.length, measured.length)
  for (const [index, size] of measured.entries())
    assert.ok(Math.abs((written[index] ?? 0) - size) <= size / 10, `UPDATE=1 writes ${size} for ${written[index]}`)
})

needs(
  'the executable',
  'a Debian for x64',
  'apt-get',
  'skopeo',
)('another program reads the image, and finds every checksum right', () => {
  const copied = join(folder, 'copied')
  run('skopeo', 'copy', '--all', '--quiet', `oci-archive:${imageFile}`, `dir:${copied}`)
  const { config } = JSON.parse(run('skopeo', 'inspect', '--config', `oci-archive:${imageFile}`))
  assert.equal([config.User, config.Entrypoint, config.Cmd], ['8787:8787', ['/usr/bin/footfall'], ['serve']])
})

contained('run on a read-only root as process 1: first start, a hit, its report, its health, and SIGTERM', async () => {
  const root = join(folder, 'root')
  layRoot(image, root)
  const port = await freePort()
  const env = { FOOTFALL_PORT: String(port) }
  const healthcheck = () => execute(root, image, image.config.Healthcheck.Test.slice(2), env).status
  assert.is(healthcheck(), 1)
  const { url, output, stop } = await runContainer(root, image, env)
  assert.match(output(), /\n {2}login +admin\n {2}password +/)
  const { status } = await sendRecord(`${url}/analytics/v1/hit`, {
    method: 'POST',
    body: JSON.stringify({ page_url: 'https://example.org/' }),
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  })
  assert.is(status, 204)
  assert.is(healthcheck(), 0)
  const report = execute(root, image, ['report', 'summary', '--json'])
  assert.is(JSON.parse(report.stdout).data.totals.views, 1, report.stderr)
  assert.is(await stop(), 0)
  assert.is(healthcheck(), 1)
  const { uid, mode } = statSync(join(root, 'data/footfall.db'))
  assert.equal([uid, mode & 0o777], [8787, 0o600])
})

test('the Dockerfile has no error that its builder would find', () => {
  assert.equal(
    validate(readFileSync('packaging/Dockerfile', 'utf8')).map(({ message }) => message),
    [],
  )
})

imaged('the Dockerfile says the same of its image as the archive', () => {
  const [, text = ''] = readFileSync('packaging/Dockerfile', 'utf8').replaceAll('\\\n', '').split('FROM scratch\n')
  const wordsOf = (instruction: string): string => text.match(new RegExp(`^${instruction} (.*)$`, 'm'))?.[1] ?? ''
  const { config } = image
  assert.equal(['USER', 'WORKDIR', 'STOPSIGNAL', 'VOLUME'].map(wordsOf), [
    config.User,
    config.WorkingDir,
    config.StopSignal,
    ...Object.keys(config.Volumes),
  ])
  assert.equal(wordsOf('ENV').split(/ +/), config.Env)
  assert.equal(
    [wordsOf('ENTRYPOINT'), wordsOf('CMD')].map(value => JSON.parse(value)),
    [config.Entrypoint, config.Cmd],
  )
  const [, check = ''] = wordsOf('HEALTHCHECK').split('CMD ')
  assert.equal(['CMD', ...JSON.parse(check)], config.Healthcheck.Test)
})

test.run()
