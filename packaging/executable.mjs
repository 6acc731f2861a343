// The executable for an architecture: the one that `npm run build` made, or one packed around another machine's Node.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'postject'
import { addonFor, dist, root } from '../bundle.mjs'
import { seaOptions } from './pack.mjs'
import { strip } from './strip.mjs'

/** Marks the place in Node's own executable where a program may be put in. */
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** What the build has laid into dist/; the executable serves it by these names. */
const assetNames = [
  'reader.cjs',
  'importer.cjs',
  'maintenance.cjs',
  'inspector.cjs',
  'copier.cjs',
  'THIRD_PARTY.md',
  'country.mmdb',
  'server-networks.bin',
  'footfall-wordpress.zip',
]

/** Node for another architecture, from the npm package that the lock file pins, and checked against it. */
const fetchNode = (arch, folder) => {
  const name = `node-linux-${arch}`
  const { version, integrity } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[
    `node_modules/${name}`
  ]
  if (`v${version}` !== process.version)
    throw new Error(`Node ${process.version} cannot pack for Node v${version}: start this by 'npm run package'.`)
  const node = join(folder, `node-${version}-${arch}`)
  if (existsSync(node)) return node
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', `${name}@${version}`], { cwd: folder, encoding: 'utf8' }),
  )
  const archive = join(folder, filename)
  const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (hash !== integrity) throw new Error(`${filename} is not the file that package-lock.json pins.`)
  execFileSync('tar', ['xzf', archive, '-C', folder, 'package/bin/node'])
  copyFileSync(join(folder, 'package/bin/node'), node)
  return node
}

const packForeign = async (arch, folder) => {
  mkdirSync(folder, { recursive: true })
  const addon = join(folder, `better_sqlite3-${arch}.node`)
  writeFileSync(addon, addonFor(`linux-${arch}`))
  const [config, blob, output] = ['sea.json', 'sea.blob', `footfall-${arch}`].map(name => join(folder, name))
  const assets = Object.fromEntries(assetNames.map(name => [name, join(dist, name)]))
  // A code cache would be of this machine's processor.
  const sea = {
    ...seaOptions,
    main: join(dist, 'main.cjs'),
    output: blob,
    assets: { ...assets, 'better_sqlite3.node': addon },
  }
  writeFileSync(config, JSON.stringify(sea))
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  writeFileSync(output, strip(readFileSync(fetchNode(arch, folder))), { mode: 0o755 })
  await inject(output, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse })
  return output
}

/** The path of the executable for `x64` or `arm64`. */
export const executableFor = (arch, folder) =>
  arch === process.arch ? join(dist, 'footfall') : packForeign(arch, folder)
