// A folder, the built program in it, and what is asked of it. All that was started is ended with the stage.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '../../src/database/connect.ts'
import type { Db } from '../../src/database/query.ts'
import { footfallBeside, programs, start, temporaryFolder, type Program, type Running } from '../support/program.ts'

/** What went wrong, as a sentence. The drill ends with it. */
export class Lost extends Error {}

export const expect = (holds: boolean, sentence: () => string): void => {
  if (!holds) throw new Lost(sentence())
}

export const expectSame = (found: unknown, expected: unknown, what: string): void =>
  expect(
    JSON.stringify(found) === JSON.stringify(expected),
    () => `${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`,
  )

export type Api = (path: string, body?: unknown) => Promise<any>

export type Stage = {
  program: Program
  path: (name: string) => string
  /** Starts `footfall serve`. */
  serve: (data: string, args?: readonly string[], env?: Record<string, string>) => Promise<Running>
  /** Runs a command to its end; what it printed, or Lost if it failed. */
  command: (...args: string[]) => Promise<string>
  /** Starts a command that is to be killed. */
  begin: (args: readonly string[], env?: Record<string, string>) => ChildProcess
  /** Asks a running service as its administrator; with a body by POST. */
  api: (running: Running, data: string) => Promise<Api>
  /** Runs when the stage is taken away. */
  atEnd: (work: () => unknown) => void
  remove: () => void
}

/** The executable; where it is not built, or older than the sources' bundle, there is nothing to drill. */
export const builtProgram = (): Program => {
  const program = programs.find(({ name }) => name === 'the executable')
  if (program === undefined)
    throw new Lost('dist/footfall is missing or older than dist/main.cjs: run "node build.mjs"')
  return program
}

export const createStage = (): Stage => {
  const program = builtProgram()
  const folder = temporaryFolder()
  const children = new Set<ChildProcess>()
  const watch = <Child extends ChildProcess>(child: Child): Child => {
    children.add(child)
    child.once('close', () => children.delete(child))
    return child
  }
  const passwords = new Map<string, string>()
  const last: (() => unknown)[] = []

  const command = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await footfallBeside(args, { program })
    expect(status === 0, () => `footfall ${args.join(' ')} ended with ${status}: ${stderr}`)
    return stdout
  }

  return {
    program,
    path: folder.path,
    command,
    serve: async (data, args = [], env = {}) => {
      const running = await start(['--data', data, '--log-level', 'warn', ...args], { program, env })
      watch(running.process)
      return running
    },
    begin: (args, env = {}) => {
      const [file, ...words] = program.command
      return watch(spawn(file, [...words, ...args], { stdio: 'ignore', env: { PATH: process.env.PATH, ...env } }))
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
        const answer = await fetch(`${url}/analytics/v1${path}`, { ...post, headers })
        const text = await answer.text()
        expect(answer.ok, () => `${path} was answered with ${answer.status}: ${text}`)
        return JSON.parse(text)
      }
    },
    atEnd: work => last.push(work),
    remove: () => {
      for (const work of last) work()
      for (const child of children) child.kill('SIGKILL')
      folder.remove()
    },
  }
}

const endings = ['', '-wal', '-shm', '-lock', '-journal']

export const removeFile = (path: string): void => endings.forEach(end => rmSync(path + end, { force: true }))

/** Copies a file with its log, as a killed process has left both. */
export const copyFile = (path: string, target: string): void => {
  removeFile(target)
  for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, target + end)
}

/** Looks into a copy, so that it is the program itself that mends the file at its next start. */
export const look = <T>(path: string, work: (db: Db) => T): T => {
  const copy = `${path}.look`
  copyFile(path, copy)
  const db = connect(copy)
  try {
    return work(db)
  } finally {
    db.close()
    removeFile(copy)
  }
}

export const expectSound = (path: string): void => {
  const found = look(path, db => db.pragma('integrity_check', { simple: true }))
  expect(found === 'ok', () => `${path} does not pass its check: ${String(found)}`)
}

/** Kills a process after some milliseconds; false if it had ended by itself before. */
export const killAfter = async (child: ChildProcess, milliseconds: number): Promise<boolean> => {
  const closed = once(child, 'close')
  await Promise.race([wait(milliseconds), closed])
  child.kill('SIGKILL')
  await closed
  return child.signalCode === 'SIGKILL'
}
