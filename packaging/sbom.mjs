// What a release consists of, for programs that look for known vulnerabilities: `npm sbom` of what ships.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../bundle.mjs'

const read = name => JSON.parse(readFileSync(join(root, name), 'utf8'))
const write = (folder, name, value) => writeFileSync(join(folder, name), JSON.stringify(value))

/** For tests; an optional dependency, since there is none for other processors. */
const litestream = '@flydotio/litestream-linux-x64'

/** Lays manifest and lock file without the tools into a folder: `--omit=dev` would leave out what a tool needs as well. */
const layShipped = folder => {
  const { devDependencies, devEngines, ...manifest } = read('package.json')
  delete manifest.optionalDependencies[litestream]
  const { packages, ...lock } = read('package-lock.json')
  const { devDependencies: tools, ...own } = packages['']
  delete own.optionalDependencies[litestream]
  delete packages[`node_modules/${litestream}`]
  const shipped = Object.entries(packages).filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
  write(folder, 'package.json', manifest)
  write(folder, 'package-lock.json', { ...lock, packages: { '': own, ...Object.fromEntries(shipped) } })
}

/**
 * The CycloneDX document, without what differs from run to run, as text.
 * @param date of the release, ISO 8601
 */
export const sbom = (work, date) => {
  // npm names what is described after the folder.
  const folder = join(work, 'sbom', 'footfall')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  layShipped(folder)
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
  // The npm that runs this names its own folder in npm_config_local_prefix.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
  const { serialNumber, metadata, ...rest } = JSON.parse(
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', env }),
  )
  const { tools, ...kept } = metadata
  return `${JSON.stringify({ ...rest, metadata: { ...kept, timestamp: date } }, null, 2)}\n`
}
