// Makes what a release consists of: `npm run package`, or `npm run package -- x64` for one architecture.
// In dist/packages: a tarball and a Debian package each, the WordPress plugin, the npm package, what is inside as CycloneDX,
// and the checksums of all.
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dist, root } from '../bundle.mjs'
import { writeChecksums } from './checksums.mjs'
import { debianNames } from './debian-files.mjs'
import { executableFor } from './executable.mjs'
import { manPage } from './man.mjs'
import { sbom } from './sbom.mjs'
import { packFolder, released, seconds } from './tarball.mjs'

const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const packages = join(dist, 'packages')
const work = join(dist, 'packaging')

const maintainer = 'The Footfall contributors <footfall@example.org>'

const write = (path, text, mode = 0o644) => {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text, { mode })
}

const copy = (from, to, mode) => write(to, readFileSync(from), mode)

/** Executable, licences, and the samples for systemd and proxies. */
const packTarball = (arch, executable) => {
  const name = `footfall-${version}-linux-${arch}`
  const folder = join(work, name)
  rmSync(folder, { recursive: true, force: true })
  copy(executable, join(folder, 'footfall'), 0o755)
  for (const file of ['LICENSE', 'CHANGELOG.md']) copy(join(root, file), join(folder, file))
  copy(join(dist, 'THIRD_PARTY.md'), join(folder, 'THIRD_PARTY.md'))
  cpSync(join(root, 'docs/operate'), join(folder, 'operate'), { recursive: true })
  packFolder(folder, join(packages, `${name}.tar.gz`))
}

const control = (arch, kibibytes) => `Package: footfall
Version: ${version}
Architecture: ${debianNames[arch]}
Maintainer: ${maintainer}
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.34), libstdc++6 (>= 12), passwd, init-system-helpers (>= 1.52)
Section: web
Priority: optional
Description: ${description.split(':')[0]}
 Counts page views, events and the orders of a shop on your own server, and
 reports them in a dashboard and a REST API. One executable, one SQLite file.
`

const zipped = (path, text) => write(path, execFileSync('gzip', ['-9n'], { input: text }))

/** What Debian wants beside the program: its changelog, where the licence is from, and a manual page. */
const packDocuments = folder => {
  const documents = join(folder, 'usr/share/doc/footfall')
  const licence = readFileSync(join(root, 'LICENSE'), 'utf8')
  write(join(documents, 'copyright'), `${licence}\nLicences of what is inside: THIRD_PARTY.md in this folder.\n`)
  copy(join(dist, 'THIRD_PARTY.md'), join(documents, 'THIRD_PARTY.md'))
  zipped(join(documents, 'CHANGELOG.md.gz'), readFileSync(join(root, 'CHANGELOG.md')))
  const day = released.toUTCString().replace('GMT', '+0000')
  zipped(
    join(documents, 'changelog.gz'),
    `footfall (${version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz in this folder.\n\n -- ${maintainer}  ${day}\n`,
  )
  zipped(
    join(folder, 'usr/share/man/man1/footfall.1.gz'),
    manPage(
      readFileSync(join(root, 'docs/command-line.md'), 'utf8'),
      version,
      description,
      released.toISOString().slice(0, 10),
    ),
  )
  copy(join(root, 'packaging/debian/lintian-overrides'), join(folder, 'usr/share/lintian/overrides/footfall'))
}

/** The service's user, unit and options file; data is kept on removal and on purge. */
const packDebian = (arch, executable) => {
  const folder = join(work, `debian-${arch}`)
  rmSync(folder, { recursive: true, force: true })
  copy(executable, join(folder, 'usr/bin/footfall'), 0o755)
  const unit = readFileSync(join(root, 'docs/operate/footfall.service'), 'utf8')
  write(join(folder, 'lib/systemd/system/footfall.service'), unit.replace('/usr/local/bin/', '/usr/bin/'))
  copy(join(root, 'packaging/debian/footfall.env'), join(folder, 'etc/footfall/footfall.env'), 0o600)
  packDocuments(folder)
  const samples = readdirSync(join(root, 'docs/operate')).filter(name => !name.startsWith('footfall'))
  for (const name of samples)
    cpSync(join(root, 'docs/operate', name), join(folder, 'usr/share/doc/footfall/examples', name), { recursive: true })
  const size = Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0])
  write(join(folder, 'DEBIAN/control'), control(arch, size))
  write(join(folder, 'DEBIAN/conffiles'), '/etc/footfall/footfall.env\n')
  for (const name of ['postinst', 'prerm', 'postrm'])
    copy(join(root, 'packaging/debian', name), join(folder, 'DEBIAN', name), 0o755)
  const file = join(packages, `footfall_${version}_${debianNames[arch]}.deb`)
  const environment = { ...process.env, SOURCE_DATE_EPOCH: String(seconds) }
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', folder, file], {
    env: environment,
    stdio: 'ignore',
  })
}

const wanted = process.argv.slice(2)
const unknown = wanted.find(arch => !Object.hasOwn(debianNames, arch))
if (unknown !== undefined) {
  console.error(`Packages are made for x64 and arm64, not for '${unknown}'.`)
  process.exit(2)
}
rmSync(packages, { recursive: true, force: true })
mkdirSync(packages, { recursive: true })
for (const arch of wanted.length > 0 ? wanted : Object.keys(debianNames)) {
  console.log(`Packing for ${arch}`)
  const executable = await executableFor(arch, work)
  packTarball(arch, executable)
  packDebian(arch, executable)
}
copyFileSync(join(dist, 'footfall-wordpress.zip'), join(packages, `footfall-wordpress-${version}.zip`))
// Compiling it is the package's own script, which this project's .npmrc would skip.
execFileSync('npm', ['pack', '--ignore-scripts=false', '--silent', '--pack-destination', packages], {
  cwd: join(root, 'packages/tracker'),
})
writeFileSync(join(packages, `footfall-${version}.cdx.json`), sbom(work, released.toISOString()))
for (const line of writeChecksums(packages)) process.stdout.write(line)
