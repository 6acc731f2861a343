// The real service on a free port, with its own database and a clock that the test controls.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '../../src/config/config.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createAppPassword, listAppPasswords } from '../../src/identity/app-passwords.ts'
import type { JwtKeys } from '../../src/identity/jwt.ts'
import { createLoginLink } from '../../src/identity/login-links.ts'
import { findUser, listUsers, markFirstPassword } from '../../src/identity/users.ts'
import { toSeconds } from '../../src/lib/time.ts'
import { createLog } from '../../src/runtime/log.ts'
import { type Service, startService } from '../../src/service/service.ts'
import type { ShopKey } from '../../src/shop/oauth.ts'
import { addKnownUser } from './known-users.ts'
import { type AnswerChecker, answerChecker } from './openapi-answers.ts'
import { sendRecord } from './records.ts'

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
export const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

export type Answer = { status: number; headers: Headers; body: any }

export type Running = {
  service: Service
  /** The service's current time, in milliseconds since 1970. */
  clock: { now: number }
  file: string
  logs: string[]
  /** Basic credentials of an administrator, and of a user without capabilities. */
  administrator: string
  reader: string
  api: (path: string, options?: RequestInit & { as?: 'administrator' | 'reader' | 'nobody' }) => Promise<Answer>
  hit: (body: Record<string, unknown> | string, headers?: Record<string, string>) => Promise<Answer>
  /** Waits until the rollups have caught up. */
  settled: () => Promise<void>
  /** `between` runs while the service is stopped. */
  restart: (between?: () => void | Promise<void>) => Promise<void>
}

type Options = {
  flags?: Record<string, string>
  start?: string
  file?: string
  jwtKeys?: JwtKeys
  webhookSecret?: string
  shopKey?: ShopKey
}

/** Creates the administrator of a first start and a user without capabilities, each with an application password. */
const credentials = (file: string, now: number): { administrator: string; reader: string } => {
  const { db } = openDatabase(file)
  if (listUsers(db).length === 0) {
    const id = addKnownUser(db, 'admin', 'administrator', now)
    markFirstPassword(db, id)
    createLoginLink(db, id, now)
  }
  if (findUser(db, 'reader') === undefined) addKnownUser(db, 'reader', 'subscriber', now)
  const name = `test ${listAppPasswords(db).length}`
  const basic = (login: string): string =>
    `Basic ${btoa(`${login}:${createAppPassword(db, { login, name }, 0).password}`)}`
  const made = { administrator: basic('admin'), reader: basic('reader') }
  db.close()
  return made
}

const read = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

const checkers = new Map<string, Promise<AnswerChecker>>()

/** Documents differ by the path of the API alone, and making one and compiling its schemas is slow. */
const checkerOf = (api: string): Promise<AnswerChecker> => {
  const { pathname } = new URL(api)
  const check =
    checkers.get(pathname) ?? fetch(`${api}/openapi.json`).then(async response => answerChecker(await response.json()))
  checkers.set(pathname, check)
  check.catch(() => checkers.delete(pathname))
  return check
}

/** Runs `work` against a new service. Every response is validated against the service's OpenAPI document. */
export const withService = async (options: Options, work: (running: Running) => Promise<void>): Promise<void> => {
  const folder = options.file === undefined ? mkdtempSync(join(tmpdir(), 'footfall-test-')) : null
  const file = options.file ?? join(folder ?? '', 'test.db')
  const clock = { now: Date.parse(options.start ?? '2026-03-10T12:00:00Z') }
  const logs: string[] = []
  const config = parseConfig({ port: '0', data: file, ...options.flags }, {})
  const log = createLog({
    level: 'info',
    format: 'text',
    write: line => {
      logs.push(line)
    },
    clock: () => clock.now,
  })
  const start = (): Promise<Service> =>
    startService(config, {
      clock: () => clock.now,
      log,
      // By the machine's clock they would come in the midst of any test, at a time that only the test's clock has.
      scheduled: [],
      ...(options.jwtKeys && { jwtKeys: options.jwtKeys }),
      ...(options.webhookSecret && { webhookSecret: options.webhookSecret }),
      ...(options.shopKey && { shopKey: options.shopKey, shopSleep: async () => {} }),
    })

  const { administrator, reader } = credentials(file, toSeconds(clock.now))
  let service = await start()
  const headersAs = { administrator: { authorization: administrator }, reader: { authorization: reader }, nobody: {} }
  const base = (): string => `${service.url}${config.rootPath}${config.basePath}/analytics/v1`

  const running: Running = {
    get service() {
      return service
    },
    clock,
    file,
    logs,
    administrator,
    reader,
    api: async (path, { as = 'administrator', headers, ...init } = {}) => {
      const asked = fetch(`${base()}${path}`, {
        ...init,
        headers: { ...headersAs[as], ...(headers as Record<string, string>) },
      })
      const [answer, check] = await Promise.all([asked.then(read), checkerOf(base())])
      const problems = check(
        init.method ?? 'GET',
        new URL(`${base()}${path}`).pathname,
        answer.status,
        answer.body ?? undefined,
      )
      if (problems.length > 0) throw new Error(`${path} answers against its own document: ${problems.join('; ')}`)
      return answer
    },
    hit: async (body, headers = {}) =>
      read(
        await sendRecord(`${base()}/hit`, {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: {
            'content-type': 'application/json',
            'user-agent': firefox,
            'x-forwarded-for': '203.0.113.7',
            ...headers,
          },
        }),
      ),
    settled: async () => {
      // The first call may join a run that started before the last hit; the second call starts a later one.
      for (let runs = 0; runs < 2; runs++) {
        const { status } = await running.api('/cron/run', {
          method: 'POST',
          body: '{"jobs":["rollup"]}',
          headers: { 'content-type': 'application/json' },
        })
        if (status !== 200) throw new Error(`the rollups could not be brought up to date: ${status}: ${logs.at(-1)}`)
      }
    },
    restart: async between => {
      await service.close()
      await between?.()
      service = await start()
    },
  }
  try {
    await work(running)
  } finally {
    await service.close()
    if (folder !== null) rmSync(folder, { recursive: true })
  }
}

/** A service for all tests of a file: `open` resolves when `prepare` has run, `close` ends the service. */
export const keepService = (
  options: Parameters<typeof withService>[0],
  prepare: (running: Running) => Promise<void>,
): { open: () => Promise<void>; close: () => Promise<void> } => {
  let finish = (): void => {}
  let closed: Promise<void> = Promise.resolve()
  return {
    open: () =>
      new Promise((ready, failed) => {
        closed = withService(options, async running => {
          await prepare(running)
          ready()
          await new Promise<void>(end => {
            finish = end
          })
        })
        closed.catch(failed)
      }),
    close: async () => {
      finish()
      await closed
    },
  }
}
