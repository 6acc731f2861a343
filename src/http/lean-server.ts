import { createServer, ServerResponse, type Server, type ServerOptions } from 'node:http'
import { LeanRequest } from './lean-request.ts'

/** An answer whose head can be given as a whole. A class, since node makes answers by `new`. */
export class LeanResponse extends ServerResponse<LeanRequest> {
  /** Node keeps the head here from the time it is written until it is sent. */
  declare _header: string | null | undefined
  declare _hasBody: boolean
  /** Milliseconds that the answer tells, in `Keep-Alive`, that the connection stays open without a request. */
  declare _keepAliveTimeout: number
}

export type LeanServer = Server<typeof LeanRequest, typeof LeanResponse>

/**
 * A server as node makes it; its requests and answers are the same, sooner. Whoever looks at a request before it is handed
 * over (a listener for upgrades, say, or an agent that traces requests) finds no header but its host.
 */
export const createLeanServer = (
  options: ServerOptions,
  serve: (request: LeanRequest, response: LeanResponse) => void,
): LeanServer =>
  createServer({ ...options, IncomingMessage: LeanRequest, ServerResponse: LeanResponse }, (request, response) => {
    request.handedOver = true
    serve(request, response)
  })
