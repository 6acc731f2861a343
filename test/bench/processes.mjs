// Starts the product and the bare server, on the service's core, and looks at what they take.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { pinned } from './machine.mjs'

const bareServer = fileURLToPath(new URL('bare.cjs', import.meta.url))
const started = new Set()
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

/** Starts a command and gives its address, as soon as it says `listening on http://…`. */
const launch = async (command, { env, cwd } = {}) => {
  const [file, ...args] = command
  const child = spawn(file, args, { env: { ...process.env, ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  started.add(child)
  let stderr = ''
  let stdout = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  const ended = once(child, 'close').finally(() => started.delete(child))
  const url = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text
      const found = stdout.match(/^listening on (http:\S+)$/m)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.on('error', reject)
    child.on('close', code => reject(new Error(`${file} ended with ${code} before it listened: ${stderr}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    const [code, signal] = await ended
    if (code !== 0) throw new Error(`${file} ended with ${code ?? signal}: ${stderr}`)
  }
  return { url, pid: child.pid, stop }
}

export const startBare = ({ cores }) => launch(pinned(cores?.service, [process.execPath, bareServer]))

const password = 'a long password for the benchmark'

/** Starts `footfall serve` on a file. */
export const startProduct = ({ cores, program }, data, options = {}) =>
  launch(pinned(cores?.service, [...program, 'serve', '--port', '0', '--data', data, '--log-level', 'warn']), {
    ...options,
    env: { FOOTFALL_ADMIN_PASSWORD: password, ...options.env },
  })

/** The header that opens the reports of the service on this file. */
export const authorize = ({ program }, data) => {
  const [file, ...args] = [...program, 'app-password', 'create', 'admin', '--name', 'bench', '--data', data]
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`app-password create failed: ${stderr}`)
  return { Authorization: `Basic ${Buffer.from(`admin:${stdout.trim().split('\n').at(-1)}`).toString('base64')}` }
}

/** One request, with a body by POST unless it says otherwise; gives status, bytes as they came, and headers. */
export const ask = (url, headers = {}, body, method = body === undefined ? 'GET' : 'POST') =>
  new Promise((resolve, reject) => {
    const typed = body === undefined ? headers : { 'Content-Type': 'application/json', ...headers }
    request(url, { method, headers: typed, agent: false }, response => {
      const chunks = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      )
      response.on('error', reject)
    })
      .on('error', reject)
      .end(body)
  })

/** The JSON of a request's answer; fails unless that is 200. */
export const askJson = async (...given) => {
  const { status, body } = await ask(...given)
  if (status !== 200) throw new Error(`${given[0]} answered ${status}: ${body}`)
  return JSON.parse(body)
}

const status = (pid, key) =>
  Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm'))?.[1] ?? 0) / 1024

const childrenOf = pid => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)

const family = pid => [pid, ...childrenOf(pid).flatMap(family)]

const ticksPerSecond = 100

/** Milliseconds that a process has spent on its core so far. */
export const cpuTimeOf = pid => {
  // The second field is the program's name in brackets, which may hold blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** MiB that a process and its children have in memory (`VmRSS`), or had at most (`VmHWM`). */
export const memoryOf = (pid, key) => family(pid).reduce((sum, one) => sum + status(one, key), 0)
