// What the executable needs of a system, from Debian's packages: apt checks their signatures and dpkg-deb opens them, for any
// processor and on any Debian or Ubuntu.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unpackTar } from 'modern-tar'

export const debianNames = { x64: 'amd64', arm64: 'arm64' }

const release = 'trixie'
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
const sources = `deb [signed-by=${keyring}] http://deb.debian.org/debian ${release} main
deb [signed-by=${keyring}] http://deb.debian.org/debian-security ${release}-security main
`

/** Packages, and which of their files: libraries, certificates, and the licences of both. */
const taken = {
  libc6: /\/(?:ld-linux-[^/]+|lib(?:c|dl|m|pthread)\.so\.\d+|doc\/libc6\/copyright)$/,
  'libgcc-s1': /\/(?:libgcc_s\.so\.1|doc\/libgcc-s1)$/,
  'libstdc++6': /\/(?:lib\/[^/]+\/libstdc\+\+\.so\.[\d.]+|doc\/libstdc\+\+6)$/,
  'gcc-14-base': /\/doc\/gcc-14-base\/copyright$/,
  'ca-certificates': /\/(?:mozilla\/[^/]+\.crt|doc\/ca-certificates\/copyright)$/,
}

const download = (arch, folder) => {
  rmSync(folder, { recursive: true, force: true })
  for (const name of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'sources.list'), sources)
  const settings = [
    `APT::Architecture=${debianNames[arch]}`,
    `APT::Architectures=${debianNames[arch]}`,
    'APT::Sandbox::User=root',
    `Dir::State=${join(folder, 'state')}`,
    'Dir::State::status=/dev/null',
    `Dir::Cache=${join(folder, 'cache')}`,
    `Dir::Etc::sourcelist=${join(folder, 'sources.list')}`,
    'Dir::Etc::sourceparts=/dev/null',
    'Acquire::Languages=none',
    'Acquire::Retries=3',
  ].flatMap(setting => ['-o', setting])
  const apt = (...words) =>
    execFileSync('apt-get', [...settings, '-qq', ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  apt('update')
  apt('download', ...Object.keys(taken))
  return readdirSync(folder).filter(name => name.endsWith('.deb'))
}

const isCertificate = ({ header }) => header.name.endsWith('.crt')

/** All certificates in one file, where programs look for them; whatever else as it is in the packages. */
const withBundle = files => {
  const certificates = files.filter(isCertificate).sort((a, b) => (a.header.name < b.header.name ? -1 : 1))
  const bundle = Buffer.concat(certificates.map(({ data }) => data))
  return [
    ...files.filter(file => !isCertificate(file)).map(({ header, data }) => ({ header, body: data })),
    { header: { name: 'etc/ssl/certs/ca-certificates.crt', mode: 0o644 }, body: bundle },
  ]
}

/**
 * The files as entries of a tar archive, and, for programs that look for known vulnerabilities, what dpkg would know of the
 * packages, where images without dpkg have it.
 */
export const debianFiles = async (arch, work) => {
  const folder = join(work, `image-${arch}`)
  const files = []
  for (const archive of download(arch, folder)) {
    const path = join(folder, archive)
    const name = archive.split('_', 1)[0]
    const tar = execFileSync('dpkg-deb', ['--fsys-tarfile', path], { maxBuffer: 2 ** 28 })
    const found = await unpackTar(tar, {
      filter: ({ name: file, type }) => type !== 'directory' && taken[name].test(file),
      map: header => ({ ...header, name: header.name.replace(/^\.\//, '') }),
    })
    if (found.length === 0) throw new Error(`${archive} has none of the files that the image needs.`)
    const control = execFileSync('dpkg-deb', ['--field', path])
    files.push(...found, { header: { name: `var/lib/dpkg/status.d/${name}`, mode: 0o644 }, data: control })
  }
  return withBundle(files)
}
