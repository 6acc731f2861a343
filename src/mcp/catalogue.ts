// Tools and resources as the protocol's methods list, call and read them.
import { failureText } from '../commands/failure.ts'
import { isPlain } from '../commands/report-tables.ts'
import { UsageError } from '../config/config.ts'
import { isStorageError } from '../database/errors.ts'
import { createCheck } from '../http/check.ts'
import { ApiError, sentencesOf } from '../http/errors.ts'
import { toJsonSchema } from '../http/json-schema.ts'
import { ExpectedError } from '../lib/errors.ts'
import { type Api, type ApiCall, readAnswer, type Send } from './api.ts'
import { codes, RpcError } from './json-rpc.ts'
import { plainSentence } from './plain-text.ts'
import type { Catalogue, Listed } from './protocol.ts'
import { resources } from './resources.ts'
import type { Tool } from './tool.ts'
import { toolsFor } from './tools.ts'
import { maskVisitors, plainAnswer } from './visitor-text.ts'

export type CatalogueOptions = {
  send: Send
  /** Whether titles, UTM values and properties are part of answers. */
  visitorText: boolean
  allowAnnotations: boolean
}

const listed = ({ name, title, description, input, writes = false }: Tool): Listed => ({
  name,
  title,
  description,
  inputSchema: toJsonSchema(input),
  annotations: {
    title,
    readOnlyHint: !writes,
    ...(writes && { destructiveHint: false, idempotentHint: false }),
    openWorldHint: false,
  },
})

/** Arguments that the API refuses, or that name something unknown, are errors of the protocol. */
const asRpcError = (error: unknown): unknown =>
  error instanceof UsageError
    ? new RpcError(codes.invalidParams, plainSentence(error.message))
    : error instanceof ApiError && (error.status === 400 || error.status === 404)
      ? new RpcError(codes.invalidParams, plainSentence(sentencesOf(error)))
      : error

const isExpected = (error: unknown): boolean => error instanceof ExpectedError || isStorageError(error)

/** What went wrong, apart from the arguments, as a result that the model sees. @throws any other error */
const asToolError = (error: unknown): Listed => {
  if (!isExpected(error)) throw error
  return { content: [{ type: 'text', text: plainSentence(failureText(error, false)) }], isError: true }
}

export const createCatalogue = ({ send, visitorText, allowAnnotations }: CatalogueOptions): Catalogue => {
  const tools = toolsFor(allowAnnotations).map(tool => ({ tool, check: createCheck({ body: tool.input }) }))

  const apiFor =
    (signal: AbortSignal): Api =>
    async (call: ApiCall) => {
      const { body, total } = await readAnswer(await send(call, signal))
      const plain = plainAnswer(visitorText ? body : maskVisitors(call, body))
      return { body: isPlain(plain) ? plain : {}, total }
    }

  const callTool: Catalogue['callTool'] = async (name, args, signal) => {
    const found = tools.find(({ tool }) => tool.name === name)
    if (found === undefined)
      throw new RpcError(
        codes.invalidParams,
        `There is no tool ${name.slice(0, 100)}. Tools: ${tools.map(({ tool }) => tool.name).join(', ')}.`,
      )
    if (!isPlain(args)) throw new RpcError(codes.invalidParams, 'arguments must be an object.')
    try {
      const { body } = found.check({ query: {}, body: args, path: {} })
      const answer = await found.tool.run(body, apiFor(signal))
      return { content: [{ type: 'text', text: answer.text }], structuredContent: answer.body, isError: false }
    } catch (error) {
      const failure = asRpcError(error)
      if (failure instanceof RpcError) throw failure
      return asToolError(failure)
    }
  }

  const readResource: Catalogue['readResource'] = async (uri, signal) => {
    const found = resources.find(resource => resource.uri === uri)
    if (found === undefined) throw new RpcError(codes.unknownResource, `There is no resource ${uri.slice(0, 100)}.`)
    try {
      const content = await found.read(apiFor(signal))
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(content, null, 2) }] }
    } catch (error) {
      if (isExpected(error)) throw new RpcError(codes.internalError, plainSentence(failureText(error, false)))
      throw error
    }
  }

  return {
    tools: tools.map(({ tool }) => listed(tool)),
    resources: resources.map(({ read: _, ...shown }) => ({ ...shown, mimeType: 'application/json' })),
    callTool,
    readResource,
  }
}
