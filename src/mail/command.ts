import { spawn } from 'node:child_process'
import type { Environment } from '../config/config.ts'
import { dropControls } from '../lib/controls.ts'
import { MailError } from './error.ts'

type Options = {
  /** The service's own environment; what is meant for Footfall, secrets among it, is left out. */
  env: Environment
  /** Milliseconds until the command and what it has started are killed. */
  timeout: number
  signal: AbortSignal
}

const foreign = (env: Environment): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('FOOTFALL_')))

/** Enough for a sentence. */
const maxOutput = 2000

/** The exit codes of a shell that could not run the command at all. */
const notRun = [126, 127]

/**
 * Runs a command of the operator by `sh -c` with a text on standard input. Its output is not kept; the last line of its
 * errors is part of the error.
 * @throws MailError if it does not end with 0 in time
 */
export const runCommand = (command: string, input: Buffer | string, options: Options): Promise<void> =>
  new Promise((resolve, reject) => {
    const { env, timeout, signal } = options
    // A process group of its own, so that everything that it starts can be ended.
    const child = spawn('sh', ['-c', command], { env: foreign(env), detached: true, stdio: ['pipe', 'ignore', 'pipe'] })
    let errors = ''
    let ended: MailError | null = null
    const kill = (reason: MailError): void => {
      ended ??= reason
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
    const onAbort = (): void => kill(new MailError('Sending was interrupted.', true))
    const timer = setTimeout(
      () => kill(new MailError(`The command was not done within ${timeout / 1000} seconds.`)),
      timeout,
    )
    signal.addEventListener('abort', onAbort, { once: true })
    const finish = (error: MailError | null): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      if (error === null) resolve()
      else reject(error)
    }
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-maxOutput)
    })
    child.on('error', error => finish(new MailError(error.message)))
    child.on('exit', (code, killedBy) => {
      if (ended !== null || code === 0) return finish(ended)
      const last = errors.trimEnd().split('\n').at(-1) ?? ''
      const how = code === null ? `was ended by ${killedBy}` : `ended with ${code}`
      const isFinal = code !== null && notRun.includes(code)
      finish(new MailError(`The command ${how}${last === '' ? '.' : `: ${dropControls(last)}`}`.slice(0, 300), isFinal))
    })
    // A command that reads nothing closes the pipe.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
