// Starts the load generator's process on its own core.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pinned } from './machine.mjs'

const script = fileURLToPath(new URL('load.mjs', import.meta.url))

/** Returns `run(mode, options)`, which resolves with the load's result, and `stop`. */
export const startGenerator = ({ cores }) => {
  const [file, ...args] = pinned(cores?.generator, [process.execPath, script])
  const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(`the load generator ended with ${code}`)
  })
  ended.catch(() => {})
  const run = async (mode, options) => {
    child.send({ mode, ...options })
    const [{ result, error }] = await Promise.race([once(child, 'message'), ended])
    if (error !== undefined) throw new Error(error)
    return result
  }
  return { run, stop: kill }
}
