// Runs the built program as a user does: `node dist/main.cjs …`, and the executable.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const bundle = resolve('dist/main.cjs')
const executable = resolve('dist/footfall')

export type Program = { name: string; command: readonly [string, ...string[]]; env?: Record<string, string> }

export const sources: Program = { name: 'the bundle', command: [process.execPath, bundle] }

/** For tests that need it. */
export const built: Program = { name: 'the executable', command: [executable] }

/** Both, with what their tests need. */
export const programs = [
  { ...sources, needs: [] },
  { ...built, needs: ['the executable'] },
] as const

type Options = { program?: Program; env?: Record<string, string>; input?: string | Buffer; cwd?: string; uid?: number }

const environment = (extra: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  // Of test/run.mjs; the executable has its own.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  ...extra,
})

export const footfall = (args: readonly string[], { program = sources, env, input = '', cwd, uid }: Options = {}) => {
  const [file, ...words] = program.command
  const { status, stdout, stderr } = spawnSync(file, [...words, ...args], {
    env: environment(env),
    input,
    cwd,
    encoding: 'utf8',
    timeout: 300_000,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  return { status, stdout, stderr }
}

/** Runs the program without blocking, for tests with a service in their own process. */
export const footfallBeside = async (args: readonly string[], { program = sources, env }: Options = {}) => {
  const [file, ...words] = program.command
  const child = spawn(file, [...words, ...args], { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    output.stderr += text
  })
  const [status] = await once(child, 'close')
  return { status: Number(status), ...output }
}

export type Running = {
  process: ChildProcess
  url: string
  /** The output so far. */
  output: { stdout: string; stderr: string }
  /** Resolves with the exit code or the signal. */
  ended: Promise<number | string>
}

/** Starts `serve` and waits until it listens. */
export const start = async (
  args: readonly string[],
  { program = sources, env, cwd }: Options = {},
): Promise<Running> => {
  const [file, ...words] = program.command
  const child = spawn(file, [...words, 'serve', '--port', '0', ...args], {
    env: environment({ ...program.env, ...env }),
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stderr.setEncoding('utf8').on('data', text => {
    output.stderr += text
  })
  child.stdout.setEncoding('utf8').on('data', text => {
    output.stdout += text
  })
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  const listening = new Promise<string>(found =>
    child.stdout.on('data', () => {
      const url = output.stdout.match(
        /^(?:listening on |.*"message":"listening","url":")(http:[^\s"]+)(?:$|".*\}$)/m,
      )?.[1]
      if (url !== undefined) found(url)
    }),
  )
  const url = await Promise.race([
    listening,
    ended.then(code => {
      throw new Error(`serve ended with ${code}: ${output.stderr}`)
    }),
  ])
  return { process: child, url, output, ended }
}

/** Creates a temporary folder for a test file. */
export const temporaryFolder = (): { path: (name: string) => string; remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-test-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  // Tests that are skipped leave out their hooks.
  process.on('exit', remove)
  return { path: name => join(folder, name), remove }
}
