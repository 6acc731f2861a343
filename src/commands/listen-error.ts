import type { Config } from '../config/config.ts'
import { CommandError } from './command.ts'

type Address = { host: string; port: number }

const sentences: Record<string, (address: Address) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} of ${host} is in use by another program. Stop that one, or choose another port with --port.`,
  EACCES: ({ port }) => `This user may not listen on port ${port}. Choose a port from 1024 with --port.`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} is not an address of this machine. Name one that is with --host, or 0.0.0.0 for all.`,
  ENOTFOUND: ({ host }) => `The host ${host} is unknown. Name an address of this machine with --host.`,
  EAI_AGAIN: ({ host }) => `The host ${host} cannot be looked up. Name an address of this machine with --host.`,
}

/** An error of listening as a sentence that says what to do; any other error as it is. */
export const explainListenError = (
  error: unknown,
  config: Pick<Config, 'host' | 'port' | 'metricsListen'>,
): unknown => {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return error
  if (!/^(listen|bind|getaddrinfo)$/.test(String(error.syscall))) return error
  const explain = sentences[String(error.code)]
  if (explain === undefined) return error
  const second = config.metricsListen
  const isSecond = second !== null && 'port' in error && error.port === second.port
  const sentence = isSecond ? explain(second).replaceAll(/--(port|host)/g, '--metrics-listen') : explain(config)
  return new CommandError(sentence, { cause: error })
}
