// Makes the container image from the tarballs in dist/packages: `node packaging/image.mjs`, or `… x64` for one architecture.
// dist/packages/footfall-VERSION-image.tar is an OCI archive, which docker, podman and skopeo read. `--root FOLDER` lays the root
// file system into a folder instead, for packaging/Dockerfile; `--root FOLDER arm64` that of another machine. It needs apt-get and
// dpkg-deb, no builder and no daemon.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { packTar, unpackTar } from 'modern-tar'
import { dist, root } from '../bundle.mjs'
import { writeChecksums } from './checksums.mjs'
import { debianFiles, debianNames } from './debian-files.mjs'

const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const packages = join(dist, 'packages')
/** As in the packages, so that the same sources and packages of Debian build the same image. */
const released = new Date(Date.UTC(2026, 0, 1))
/** Where compose.yaml and the templates take it from: no registry yet, so it is the name that loading the archive gives it. */
const name = 'registry.example.org/footfall'
/** A number that no system uses for somebody else; the folder /data belongs to it. */
const user = 8787

const folder = (name, mode = 0o755, owner = 0) => ({
  header: { name: `${name}/`, type: 'directory', mode, uid: owner, gid: owner },
})
const link = (name, linkname) => ({ header: { name, type: 'symlink', linkname } })
const file = (name, body, mode = 0o644) => ({ header: { name, mode }, body: Buffer.from(body) })

/** Every folder above the entries, before them. */
const withFolders = entries => {
  const known = new Set(entries.map(({ header }) => header.name))
  const above = new Set(
    entries.flatMap(({ header }) => {
      const parts = header.name.replace(/\/$/, '').split('/').slice(0, -1)
      return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)
    }),
  )
  return [...[...above].filter(name => !known.has(name)).map(name => folder(name.slice(0, -1))), ...entries]
}

const systemFiles = [
  link('lib', 'usr/lib'),
  link('lib64', 'usr/lib64'),
  file('etc/passwd', `root:x:0:0:root:/:/sbin/nologin\nfootfall:x:${user}:${user}:footfall:/data:/sbin/nologin\n`),
  file('etc/group', `root:x:0:\nfootfall:x:${user}:\n`),
  file('etc/nsswitch.conf', 'hosts: files dns\n'),
  folder('tmp', 0o1777),
  folder('data', 0o700, user),
]

/** Names of the tarball's files in the image. */
const places = {
  footfall: 'usr/bin/footfall',
  LICENSE: 'usr/share/doc/footfall/copyright',
  'THIRD_PARTY.md': 'usr/share/doc/footfall/THIRD_PARTY.md',
}

const programFiles = async arch => {
  const name = `footfall-${version}-linux-${arch}`
  const placeOf = header => places[header.name.slice(name.length + 1)]
  const entries = await unpackTar(gunzipSync(readFileSync(join(packages, `${name}.tar.gz`))), {
    filter: header => placeOf(header) !== undefined,
  })
  return entries.map(({ header, data }) => file(placeOf(header), data, header.mode))
}

/** Two layers: the system's, which changes with Debian, and the program's. */
const layersOf = async arch => {
  const contents = [[...systemFiles, ...(await debianFiles(arch, join(dist, 'packaging')))], await programFiles(arch)]
  return Promise.all(
    contents.map(async entries => {
      const complete = withFolders(entries).map(({ header, body }) => ({
        header: { uid: 0, gid: 0, ...header, uname: '', gname: '', mtime: released, size: body?.length ?? 0 },
        body,
      }))
      return Buffer.from(await packTar(complete))
    }),
  )
}

const digestOf = bytes => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

const annotations = {
  'org.opencontainers.image.title': 'Footfall',
  'org.opencontainers.image.description': description,
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.licenses': 'MIT',
}

const seconds = 1_000_000_000

const configOf = (arch, layers) => ({
  created: released.toISOString(),
  architecture: debianNames[arch],
  os: 'linux',
  config: {
    User: `${user}:${user}`,
    ExposedPorts: { '8787/tcp': {} },
    Env: [
      'PATH=/usr/bin',
      'SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt',
      'MALLOC_ARENA_MAX=1',
      'FOOTFALL_DATA=/data/footfall.db',
      'FOOTFALL_HOST=0.0.0.0',
    ],
    Entrypoint: ['/usr/bin/footfall'],
    Cmd: ['serve'],
    Volumes: { '/data': {} },
    WorkingDir: '/data',
    Labels: annotations,
    StopSignal: 'SIGTERM',
    // Docker's; where an image's own is not read, compose files have the same.
    Healthcheck: {
      Test: ['CMD', '/usr/bin/footfall', 'health'],
      Interval: 30 * seconds,
      Timeout: 10 * seconds,
      StartPeriod: 60 * seconds,
    },
  },
  rootfs: { type: 'layers', diff_ids: layers.map(digestOf) },
  history: layers.map(() => ({ created: released.toISOString(), created_by: 'packaging/image.mjs' })),
})

const mediaType = name => `application/vnd.oci.image.${name}`

/** Collects the parts of an image by their checksums. */
const createStore = () => {
  const blobs = new Map()
  const add = (type, bytes) => {
    const digest = digestOf(bytes)
    blobs.set(`blobs/${digest.replace(':', '/')}`, bytes)
    return { mediaType: mediaType(type), digest, size: bytes.length }
  }
  return { blobs, add, addJson: (type, value) => add(type, Buffer.from(JSON.stringify(value))) }
}

const manifestOf = async (arch, { add, addJson }) => {
  const layers = await layersOf(arch)
  const manifest = addJson('manifest.v1+json', {
    schemaVersion: 2,
    mediaType: mediaType('manifest.v1+json'),
    config: addJson('config.v1+json', configOf(arch, layers)),
    layers: layers.map(layer => add('layer.v1.tar+gzip', gzipSync(layer))),
    annotations,
  })
  return { ...manifest, platform: { architecture: debianNames[arch], os: 'linux' } }
}

const writeImage = async archs => {
  const store = createStore()
  const manifests = []
  for (const arch of archs) manifests.push(await manifestOf(arch, store))
  const index = { schemaVersion: 2, mediaType: mediaType('index.v1+json') }
  const all = store.addJson('index.v1+json', { ...index, manifests, annotations })
  const names = {
    'org.opencontainers.image.ref.name': version,
    'io.containerd.image.name': `${name}:${version}`,
  }
  const entries = [
    file('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })),
    file('index.json', JSON.stringify({ ...index, manifests: [{ ...all, annotations: names }] })),
    ...[...store.blobs].map(([name, bytes]) => file(name, bytes)),
  ]
  const complete = withFolders(entries).map(({ header, body }) => ({
    header: { ...header, mtime: released, size: body?.length ?? 0 },
    body,
  }))
  const path = join(packages, `footfall-${version}-image.tar`)
  writeFileSync(path, await packTar(complete))
  writeChecksums(packages)
  console.log(path)
}

const layRoot = async (arch, target) => {
  mkdirSync(target, { recursive: true })
  for (const layer of await layersOf(arch)) execFileSync('tar', ['-xpf', '-', '-C', target], { input: layer })
}

const [first, ...rest] = process.argv.slice(2)
if (first === '--root') await layRoot(rest[1] ?? process.arch, rest[0])
else await writeImage(first === undefined ? Object.keys(debianNames) : [first, ...rest])
