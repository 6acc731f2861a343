// JSON-RPC 2.0: one message a line. See https://www.jsonrpc.org/specification.
import { isPlain, type Plain } from '../commands/report-tables.ts'

export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The protocol's own. */
  unknownResource: -32002,
} as const

/** Of a list; as many as the service takes in a batch. */
const maxMessages = 25

type Id = string | number
type Reply = { jsonrpc: '2.0'; id: Id | null } & ({ result: unknown } | { error: { code: number; message: string } })

/** A failure that the client gets as an error of the protocol; any other error is a bug. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export type Methods = {
  /** The result of a request. */
  answer: (method: string, params: Plain, signal: AbortSignal) => Promise<unknown>
  /** Whether the client may send several messages as a list. */
  takesBatches: () => boolean
}

type Output = {
  print: (line: string) => void
  /** Called with bugs. */
  onError: (method: string, error: unknown) => void
}

const isId = (id: unknown): id is Id => typeof id === 'string' || typeof id === 'number'

const failed = (id: Id | null, code: number, message: string): Reply => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Answers the messages of one client. */
export const createPeer = ({ answer, takesBatches }: Methods, { print, onError }: Output) => {
  const running = new Map<Id, AbortController>()

  const answerRequest = async (id: Id, method: string, params: Plain): Promise<Reply | null> => {
    const controller = new AbortController()
    running.set(id, controller)
    try {
      const result = await answer(method, params, controller.signal)
      return controller.signal.aborted ? null : { jsonrpc: '2.0', id, result }
    } catch (error) {
      if (controller.signal.aborted) return null
      if (error instanceof RpcError) return failed(id, error.code, error.message)
      onError(method, error)
      return failed(id, codes.internalError, 'Something went wrong here. Standard error says more.')
    } finally {
      if (running.get(id) === controller) running.delete(id)
    }
  }

  /** Null if a message gets no answer: a notification, or an answer to a request that was never sent. */
  const reply = async (message: unknown): Promise<Reply | null> => {
    if (!isPlain(message)) return failed(null, codes.invalidRequest, 'A message must be an object.')
    const { id, method, params = {}, jsonrpc } = message
    const known = isId(id) ? id : null
    if (method === undefined && ('result' in message || 'error' in message)) return null
    if (jsonrpc !== '2.0') return failed(known, codes.invalidRequest, 'jsonrpc must be "2.0".')
    if (typeof method !== 'string') return failed(known, codes.invalidRequest, 'method must be a string.')
    if (!('id' in message)) {
      if (method === 'notifications/cancelled' && isPlain(params) && isId(params.requestId))
        running.get(params.requestId)?.abort()
      return null
    }
    if (known === null) return failed(null, codes.invalidRequest, 'id must be a string or a number.')
    if (running.has(known)) return failed(known, codes.invalidRequest, `The id ${known} is in use.`)
    if (!isPlain(params)) return failed(known, codes.invalidParams, 'params must be an object.')
    return answerRequest(known, method, params)
  }

  const replyToAll = async (message: unknown): Promise<Reply | Reply[] | null> => {
    if (!Array.isArray(message)) return reply(message)
    if (!takesBatches() || message.length === 0)
      return failed(null, codes.invalidRequest, 'This version of the protocol takes one message a line, not a list.')
    if (message.length > maxMessages)
      return failed(null, codes.invalidRequest, `A list has at most ${maxMessages} messages.`)
    const replies: Reply[] = []
    // One after the other, as if they had come on lines of their own whose answers the client waits for.
    for (const one of message) replies.push(...[await reply(one)].filter(answered => answered !== null))
    return replies.length === 0 ? null : replies
  }

  /** Handles a line; null stands for one that is longer than the limit. */
  const handle = async (line: string | null): Promise<void> => {
    if (line?.trim() === '') return
    const message = line === null ? undefined : parse(line)
    const replies =
      message === undefined
        ? failed(null, codes.parseError, line === null ? 'The line is too long.' : 'The line is not JSON.')
        : await replyToAll(message)
    if (replies !== null) print(JSON.stringify(replies))
  }

  const stop = (): void => {
    for (const controller of running.values()) controller.abort()
  }

  return { handle, stop }
}
