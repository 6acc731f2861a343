// `npm run test:setup`: installs the Debian packages of what tests need in addition to Node and is missing.
import { spawnSync } from 'node:child_process'
import { isInstalled, packagesOf, programs } from './support/programs.mjs'

const packages = packagesOf(programs.filter(name => !isInstalled(name)))

const apt = (...args) => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { error, status } = spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  if (error) console.error(`There is no apt-get (not a Debian?). Install by other means: ${packages.join(' ')}`)
  if (status !== 0) process.exit(1)
}

if (packages.length === 0) {
  console.log('All programs that tests need are installed.')
} else if (process.getuid() !== 0) {
  console.log('Only root can install packages. Run:')
  console.log(`sudo apt-get install --no-install-recommends ${packages.join(' ')}`)
  process.exitCode = 1
} else {
  console.log(`Installing ${packages.join(' ')}`)
  apt('update', '-qq')
  apt('install', '-y', '-qq', '--no-install-recommends', ...packages)
}
