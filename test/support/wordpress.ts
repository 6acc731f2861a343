// A real WordPress with the plugin, and a real service: both on free ports, in a folder that is removed.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { visitorAgent } from '../browser/chromium.ts'
import { footfallHere } from './command.ts'
import { freePort } from './port.ts'
import { type Running as Service, start } from './program.ts'
import { until as retry } from './wait.ts'

const run = promisify(execFile)
const scripts = resolve('test/wordpress/site')
/** Of the downloaded WordPress; next to the other products of a build. */
const cache = resolve('dist/wordpress')

const dayAt = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

/** Yesterday and today, for reports: a midnight during a test does no harm. */
export const range = (): string => `from=${dayAt(Date.now() - 86_400_000)}&to=${dayAt(Date.now())}`

export type Stack = 'sqlite' | 'mariadb'

export type Reply = { status: number; headers: Headers; text: string; body: any }

export type WordPress = {
  url: string
  service: Service
  /** The file of the service. */
  data: string
  folder: string
  /** Runs WP-CLI and returns what it prints. */
  wp: (...args: string[]) => Promise<string>
  /** Connects as the service prints it; with its own address and file, and the only site, unless others are given. */
  connect: (address?: string, others?: { data: string; at: string }) => Promise<string>
  /** An application password of a user, as a header. */
  passwordOf: (login: string) => Promise<Record<string, string>>
  /** A request below /wp-json/analytics/v1. */
  api: (path: string, init?: RequestInit) => Promise<Reply>
  /** The same in the form of addresses that sites without permalinks have. */
  plain: (path: string, init?: RequestInit) => Promise<Reply>
  /** A report of the service itself, past WordPress. */
  direct: (path: string, init?: RequestInit) => Promise<Reply>
  hit: (body: object, headers?: Record<string, string>) => Promise<Response>
  /** The warnings and errors of PHP so far; WordPress' own about the missing internet are left out. */
  warnings: () => string[]
  /** Ends the site and the service, and removes both. */
  stop: () => Promise<void>
}

export const replyOf = async (response: Response): Promise<Reply> => {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : null,
  }
}

const warningsIn = (file: string): string[] =>
  !existsSync(file)
    ? []
    : readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => /PHP (Warning|Notice|Deprecated|Fatal|Parse)/.test(line) && !line.includes('WordPress.org'))

/** Waits for what comes by itself: a commit, a rollup. @throws when it has not come after a timeout */
export const until = <T>(ask: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> =>
  retry(async () => {
    const value = await ask()
    if (!isThere(value)) throw new Error(`This did not come: ${JSON.stringify(value).slice(0, 500)}`)
    return value
  })

type Options = {
  stack?: Stack
  connected?: boolean
  /** The newest, or the oldest that the plugin names. */
  version?: 'newest' | '6.2'
  /** Where on its host the site is, such as /blog; at its root unless given. SQLite only. */
  at?: string
}

/** Starts a new site on which the plugin is installed, and connected unless it is to be seen without. */
export const startWordPress = async (options: Options = {}): Promise<WordPress> => {
  const { stack = 'sqlite', connected = true, version = 'newest', at = '' } = options
  await run(join(scripts, 'get.sh'), [cache])
  if (version !== 'newest') await run(join(scripts, 'get-old.sh'), [cache, version])
  const folder = mkdtempSync(join(tmpdir(), 'footfall-wordpress-'))
  const [place, data] = [join(folder, 'site'), join(folder, 'footfall.db')]
  const port = await freePort()
  const url = `http://127.0.0.1:${port}${at}`
  // MariaDB and PHP run as users of their own.
  chmodSync(folder, 0o755)
  const service = await start(['--data', data, '--port', String(await freePort())])
  const stop = async (): Promise<void> => {
    service.process.kill('SIGCONT')
    service.process.kill('SIGTERM')
    await service.ended
    await run(join(scripts, 'stop.sh'), [place])
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
  const wp = async (...args: string[]): Promise<string> => (await run(join(place, 'wp'), args)).stdout.trimEnd()
  const connect: WordPress['connect'] = async (address = service.url, others = { data, at: url }) => {
    const made = await footfallHere(['connect', 'wordpress', '--address', address, '--data', others.data])
    const [, line = '', secret = ''] = /^ {2}wp (footfall connect \S+)$.*^ {2}Secret +(\S+)$/ms.exec(made.stdout) ?? []
    return wp(`--url=${others.at}`, ...line.split(' '), `--secret=${secret}`)
  }
  try {
    const [{ stdout }] = await Promise.all([
      footfallHere(['app-password', 'create', 'admin', '--name', 'test', '--data', data]),
      run(
        join(scripts, stack === 'sqlite' ? 'site.sh' : 'site-maria.sh'),
        [place, String(port), cache, join(cache, version === 'newest' ? 'newest/wordpress' : `wordpress-${version}`)],
        { env: { ...process.env, AT: at } },
      ),
      footfallHere(['wordpress-plugin', join(folder, 'plugin.zip')]),
    ])
    const own = { authorization: `Basic ${btoa(`admin:${stdout.trimEnd().split('\n').at(-1)}`)}` }
    await wp('plugin', 'install', join(folder, 'plugin.zip'), '--activate')
    if (connected) await connect()
    return {
      url,
      service,
      data,
      folder,
      wp,
      connect,
      stop,
      passwordOf: async login => {
        const password = await wp('user', 'application-password', 'create', login, randomUUID(), '--porcelain')
        return { authorization: `Basic ${btoa(`${login}:${password}`)}` }
      },
      api: async (path, init) => replyOf(await fetch(`${url}/wp-json/analytics/v1${path}`, init)),
      plain: async (path, init) =>
        replyOf(await fetch(`${url}/index.php?rest_route=/analytics/v1${path.replace('?', '&')}`, init)),
      direct: async (path, init = {}) =>
        replyOf(
          await fetch(`${service.url}/analytics/v1${path}`, {
            ...init,
            headers: { ...own, ...init.headers } as HeadersInit,
          }),
        ),
      hit: (body, headers = {}) =>
        fetch(`${url}/wp-json/analytics/v1/hit`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'text/plain', 'user-agent': visitorAgent, ...headers },
        }),
      warnings: () => warningsIn(join(place, 'debug.log')),
    }
  } catch (error) {
    await stop()
    throw error
  }
}
