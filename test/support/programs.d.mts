export type ProgramName =
  | 'apache2'
  | 'caddy'
  | 'chromium'
  | 'curl'
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
  | 'runuser'
  | 'strace'
  | 'systemd-analyze'
  | 'unzip'

export const programs: readonly ProgramName[]
export const isInstalled: (name: ProgramName) => boolean
export const packagesOf: (names: readonly string[]) => string[]
/** Where the program would be. */
export const litestream: string
