// A temporary folder and the built program. Removing the fixture also ends all processes started with it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '../../src/database/connect.ts'
import type { Db } from '../../src/database/query.ts'
import { built, footfallBeside, type Program, type Running, start, temporaryFolder } from '../support/program.ts'

/** An unmet expectation, which ends the drill. */
export class DrillFailure extends Error {}

export const expect = (condition: boolean, message: () => string): void => {
  if (!condition) throw new DrillFailure(message())
}

export const expectSame = (actual: unknown, expected: unknown, subject: string): void =>
  expect(
    JSON.stringify(actual) === JSON.stringify(expected),
    () => `${subject}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`,
  )

export type Api = (path: string, body?: unknown) => Promise<any>

export type Fixture = {
  program: Program
  path: (name: string) => string
  /** Starts `footfall serve`. */
  serve: (data: string, args?: readonly string[], env?: Record<string, string>) => Promise<Running>
  /** Runs a command and returns its output. @throws DrillFailure if it fails */
  command: (...args: string[]) => Promise<string>
  /** Starts a command without waiting for it. */
  begin: (args: readonly string[], env?: Record<string, string>) => ChildProcess
  /** Returns an API client of the administrator; a body is sent by POST. */
  api: (running: Running, data: string) => Promise<Api>
  /** Cuts the power during a command line; null where commands are killed instead. */
  powerCut: ((command: readonly string[]) => Promise<boolean>) | null
  /** Runs the callback when the fixture is removed. */
  onRemove: (callback: () => unknown) => void
  remove: () => void
}

export const createFixture = (): Fixture => {
  const program = built
  const folder = temporaryFolder()
  const children = new Set<ChildProcess>()
  const track = <Child extends ChildProcess>(child: Child): Child => {
    children.add(child)
    child.once('close', () => children.delete(child))
    return child
  }
  const passwords = new Map<string, string>()
  const cleanups: (() => unknown)[] = []

  const command = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await footfallBeside(args, { program })
    expect(status === 0, () => `footfall ${args.join(' ')} ended with ${status}: ${stderr}`)
    return stdout
  }

  return {
    program,
    path: folder.path,
    powerCut: null,
    command,
    serve: async (data, args = [], env = {}) => {
      const running = await start(['--data', data, '--log-level', 'warn', ...args], { program, env })
      track(running.process)
      return running
    },
    begin: (args, env = {}) => {
      const [file, ...prefix] = program.command
      return track(spawn(file, [...prefix, ...args], { stdio: 'ignore', env: { PATH: process.env.PATH, ...env } }))
    },
    api: async ({ url }, data) => {
      const password =
        passwords.get(data) ??
        (await command('app-password', 'create', 'admin', '--name', 'drill', '--data', data))
          .trimEnd()
          .split('\n')
          .at(-1) ??
        ''
      passwords.set(data, password)
      return async (path, body) => {
        const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
        const headers = {
          authorization: `Basic ${btoa(`admin:${password}`)}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        }
        const response = await fetch(`${url}/analytics/v1${path}`, { ...post, headers })
        const text = await response.text()
        expect(response.ok, () => `${path} was answered with ${response.status}: ${text}`)
        return JSON.parse(text)
      }
    },
    onRemove: callback => cleanups.push(callback),
    remove: () => {
      for (const cleanup of cleanups) cleanup()
      for (const child of children) child.kill('SIGKILL')
      folder.remove()
    },
  }
}

const suffixes = ['', '-wal', '-shm', '-lock', '-journal']

export const removeFile = (path: string): void => suffixes.forEach(suffix => rmSync(path + suffix, { force: true }))

/** Copies a file with its write-ahead log, as a killed process left them. */
export const copyFile = (path: string, target: string): void => {
  removeFile(target)
  for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, target + suffix)
}

/** Reads a copy, so that the recovery of the file itself is left to the program. */
export const inspect = <T>(path: string, work: (db: Db) => T): T => {
  const copy = `${path}.copy`
  copyFile(path, copy)
  const db = connect(copy)
  try {
    return work(db)
  } finally {
    db.close()
    removeFile(copy)
  }
}

export const expectIntact = (path: string): void => {
  const result = inspect(path, db => db.pragma('integrity_check', { simple: true }))
  expect(result === 'ok', () => `${path} fails its integrity check: ${String(result)}`)
}

/** Kills a process after some milliseconds. Resolves with false if it had already ended. */
export const killAfter = async (child: ChildProcess, milliseconds: number): Promise<boolean> => {
  const closed = once(child, 'close')
  await Promise.race([wait(milliseconds), closed])
  child.kill('SIGKILL')
  await closed
  return child.signalCode === 'SIGKILL'
}
