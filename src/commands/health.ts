import { readOptions } from '../config/config.ts'
import type { Command } from './command.ts'

/** A service that listens on all addresses is asked on the loopback. */
const loopbackOf: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

const timeoutSeconds = 5

export const health: Command = {
  name: 'health',
  example: 'health',
  about:
    'Ask the running service on this machine whether it can read and write its database, for a container or a ' +
    'supervisor. Exit code 1 if it cannot, or does not answer.',
  run: async ({ flags, env, print, warn }) => {
    const { host, port, rootPath } = readOptions(['host', 'port', 'rootPath'], flags, env)
    const address = loopbackOf[host] ?? host
    const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}${rootPath}/healthz`
    try {
      const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(timeoutSeconds * 1000) })
      if (ok) print('The service is healthy.')
      else warn(`${url} answers ${status}.`)
      return ok ? 0 : 1
    } catch {
      warn(`Nothing answers at ${url}.`)
      return 1
    }
  },
}
