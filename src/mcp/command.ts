import { resolve } from 'node:path'
import type { Call, Command } from '../commands/command.ts'
import { askService, passwordVariable, servicePassword, serviceUrl } from '../commands/remote.ts'
import { stopSignal } from '../commands/stop.ts'
import { readOptions, UsageError } from '../config/config.ts'
import { errorText } from '../lib/errors.ts'
import { ownCommand } from '../runtime/assets.ts'
import { createLog } from '../runtime/log.ts'
import { pathOf, requestOf, type Send } from './api.ts'
import { createCatalogue } from './catalogue.ts'
import { createPeer } from './json-rpc.ts'
import { createLocal } from './local.ts'
import { createProtocol } from './protocol.ts'

/** Asks the service at a URL. */
const createRemote =
  (url: string, password: string): Send =>
  (call, signal) =>
    askService({ url, password, path: pathOf(call), request: requestOf(call, {}), signal })

/** Bytes of a message; those of clients are small. */
const maxLine = 4 * 2 ** 20

/** The service at --url, without a slash at its end; null for the file at --data. @throws UsageError */
const urlOf = ({ flags }: Pick<Call, 'flags'>): string | null => {
  if (flags.url === undefined) return null
  if (flags.data !== undefined) throw new UsageError('--url and --data cannot be combined.')
  return serviceUrl(String(flags.url), '--url')
}

/** What clients read from their configuration to start this command. */
const printConfig = (call: Call, url: string | null): void => {
  const { flags, env } = call
  const [command, ...before] = ownCommand()
  const place = url === null ? ['--data', resolve(readOptions(['data'], flags, env).data)] : ['--url', url]
  const args = [
    ...before,
    'mcp',
    ...place,
    ...(flags.visitorText === false ? ['--no-visitor-text'] : []),
    ...(flags.allowAnnotations === true ? ['--allow-annotations'] : []),
  ]
  const secret = url === null ? {} : { env: { [passwordVariable]: 'LOGIN:PASSWORD' } }
  call.print(JSON.stringify({ mcpServers: { footfall: { command, args, ...secret } } }, null, 2))
  if (url !== null)
    call.warn(
      `Replace LOGIN:PASSWORD. Make a password with: footfall app-password create LOGIN --name assistant --scope reports`,
    )
}

const serveLines = async (call: Call, send: Send, onError: (where: string, error: unknown) => void): Promise<void> => {
  const { flags } = call
  const catalogue = createCatalogue({
    send,
    visitorText: flags.visitorText !== false,
    allowAnnotations: flags.allowAnnotations === true,
  })
  const peer = createPeer(createProtocol(catalogue), { print: call.print, onError })
  const stop = new AbortController()
  void stopSignal(call.warn).then(() => {
    stop.abort()
    peer.stop()
  })
  const running = new Set<Promise<void>>()
  try {
    for await (const line of call.readLines(maxLine, stop.signal)) {
      const handled: Promise<void> = peer.handle(line).finally(() => running.delete(handled))
      running.add(handled)
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error
  }
  await Promise.all(running)
}

export const mcp: Command = {
  name: 'mcp',
  example: 'mcp --print-config',
  about:
    'Answer an AI assistant by the Model Context Protocol, on standard input and output. It reads only. The service may ' +
    'be running.',
  flags: [
    {
      flag: '--url <URL>',
      about: `Ask the service at this https address, with ${passwordVariable}, instead of a file.`,
    },
    { flag: '--print-config', about: "Print the JSON that goes into the assistant's configuration." },
    {
      flag: '--no-visitor-text',
      about: 'Leave out titles, UTM values and properties, and other texts that a single visitor may have sent.',
    },
    { flag: '--allow-annotations', about: 'Add a tool that adds annotations, the only one that changes something.' },
  ],
  run: async call => {
    const { flags, env, clock, warn } = call
    const url = urlOf(call)
    if (flags.printConfig === true) {
      printConfig(call, url)
      return 0
    }
    const { logLevel, logFormat } = readOptions(['logLevel', 'logFormat'], flags, env)
    const log = createLog({ level: logLevel, format: logFormat, write: line => warn(line.trimEnd()), clock })
    const onError = (where: string, error: unknown): void =>
      log.error('a request could not be answered', { where, reason: errorText(error) })
    const send =
      url === null ? createLocal({ flags, env, clock, onError }) : createRemote(url, servicePassword(env, url))
    await serveLines(call, send, onError)
    return 0
  },
}
