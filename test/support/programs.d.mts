export type ProgramName =
  | 'apache2'
  | 'apt-get'
  | 'caddy'
  | 'chromium'
  | 'curl'
  | 'go'
  | 'lintian'
  | 'litestream'
  | 'mariadbd'
  | 'mount'
  | 'nginx'
  | 'openssl'
  | 'php'
  | 'php-fpm'
  | 'pkill'
  | 'promtool'
  | 'prlimit'
  | 'python3'
  | 'ruby'
  | 'runuser'
  | 'skopeo'
  | 'strace'
  | 'systemd-analyze'
  | 'unshare'
  | 'unzip'

export const programs: readonly ProgramName[]
export const isInstalled: (name: ProgramName) => boolean
export const packagesOf: (names: readonly string[]) => string[]
/** Where the program would be. */
export const litestream: string
