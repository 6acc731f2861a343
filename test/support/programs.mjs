// The programs that tests run in addition to Node, and the Debian packages that bring them.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where programs are; those of administrators are not on everybody's PATH. */
const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin']

const isProgram = path => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
const isThere = name => folders.some(folder => isProgram(join(folder, name)))

/** The extensions that the WordPress of the tests runs with. */
const phpCheck =
  'foreach (["pdo_sqlite", "mysqli", "curl", "dom", "mbstring"] as $name) extension_loaded($name) || exit(1);'
const phpPackages = ['cli', 'sqlite3', 'mysql', 'curl', 'xml', 'mbstring', 'intl', 'gd', 'zip'].map(
  name => `php-${name}`,
)

/** Litestream comes with `npm ci`, where there is one for the machine. */
export const litestream = resolve(`node_modules/@flydotio/litestream-linux-${process.arch}/litestream`)

const hasFpm = () => existsSync('/usr/sbin') && readdirSync('/usr/sbin').some(name => /^php-fpm\d/.test(name))

/** Debian packages by what is needed, and how to find it where it is not simply the name of a program. */
const table = {
  'apt-get': {
    packages: ['debian-archive-keyring'],
    isThere: () => isThere('apt-get') && existsSync('/usr/share/keyrings/debian-archive-keyring.gpg'),
  },
  apache2: { packages: ['apache2-bin'] },
  caddy: { packages: ['caddy'] },
  chromium: { packages: ['chromium'], isThere: () => isProgram(process.env.CHROMIUM ?? '/usr/bin/chromium') },
  curl: { packages: ['curl'] },
  litestream: { packages: [], isThere: () => isProgram(litestream) },
  go: { packages: ['golang-go'] },
  lintian: { packages: ['lintian'] },
  mariadbd: { packages: ['mariadb-server'] },
  mount: { packages: ['mount'] },
  nginx: { packages: ['nginx'] },
  openssl: { packages: ['openssl'] },
  php: { packages: phpPackages, isThere: () => spawnSync('php', ['-r', phpCheck]).status === 0 },
  'php-fpm': { packages: ['php-fpm'], isThere: hasFpm },
  pkill: { packages: ['procps'] },
  promtool: { packages: ['prometheus'] },
  prlimit: { packages: ['util-linux'] },
  python3: { packages: ['python3'] },
  ruby: { packages: ['ruby'] },
  runuser: { packages: ['util-linux'] },
  skopeo: { packages: ['skopeo'] },
  strace: { packages: ['strace'] },
  'systemd-analyze': { packages: ['systemd'] },
  unshare: { packages: ['util-linux'] },
  unzip: { packages: ['unzip'] },
}

export const programs = Object.keys(table)

const known = new Map()

/** Whether a program is installed, and usable. */
export const isInstalled = name => {
  if (!known.has(name)) known.set(name, table[name].isThere?.() ?? isThere(name))
  return known.get(name)
}

/** The Debian packages of some programs. */
export const packagesOf = names => [...new Set(names.flatMap(name => table[name].packages))].sort()
