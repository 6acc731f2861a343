// Tools and resources as the protocol's methods list, call and read them.

import { failureText } from '../commands/failure.ts'
import { isPlain, type Plain } from '../commands/report-tables.ts'
import { isStorageError } from '../database/errors.ts'
import { createCheck } from '../http/check.ts'
import { ApiError, sentencesOf } from '../http/errors.ts'
import { toJsonSchema } from '../http/json-schema.ts'
import { ExpectedError } from '../lib/errors.ts'
import { addDays, dateOf, dayText } from '../lib/time.ts'
import { definitionsIn } from '../reports/definitions.ts'
import { maxDays } from '../reports/range.ts'
import { type Api, type ApiCall, readAnswer, type Send } from './api.ts'
import { codes, RpcError } from './json-rpc.ts'
import { askKnownTexts } from './known-texts.ts'
import { plainSentence } from './plain-text.ts'
import type { Catalogue, Listed } from './protocol.ts'
import type { Tool } from './tool.ts'
import { toolsFor } from './tools.ts'
import { maskVisitors, plainAnswer } from './visitor-text.ts'

type Resource = {
  uri: string
  name: string
  title: string
  description: string
  read: (api: Api) => Promise<unknown>
}

const seriesOf = (body: Plain): Plain[] =>
  isPlain(body.data) && Array.isArray(body.data.series) ? body.data.series.filter(isPlain) : []

const summary = async (api: Api, from: string, to: string, interval: string): Promise<Plain> =>
  (await api({ method: 'GET', path: '/summary', query: { from, to, interval } })).body

/** The first day with a view among the last ten years; null for a file without any. */
const firstDayOf = async (api: Api, months: Plain): Promise<string | null> => {
  const first = seriesOf(months).find(({ views }) => Number(views) > 0)?.date
  const day = dateOf(String(first))
  if (day === null) return null
  const days = await summary(api, dayText(day), dayText(addDays(day, 31)), 'day')
  const date = seriesOf(days).find(({ views }) => Number(views) > 0)?.date
  return typeof date === 'string' ? date : null
}

/** The days for which single visits are kept; null for a password that may not see the settings. */
const retentionOf = async (api: Api): Promise<unknown> => {
  try {
    const { body } = await api({ method: 'GET', path: '/diagnostics' })
    return isPlain(body.privacy) ? (body.privacy.retention_days ?? null) : null
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

const readSite = async (api: Api): Promise<unknown> => {
  const { body: recent } = await api({ method: 'GET', path: '/annotations', query: { automatic: '0' } })
  const meta = isPlain(recent.meta) ? recent.meta : {}
  const today = dateOf(String(meta.to)) ?? 0
  const months = await summary(api, dayText(addDays(today, 1 - maxDays)), dayText(today), 'month')
  return {
    timezone: meta.timezone,
    today: meta.to,
    first_day: await firstDayOf(api, months),
    retention_days: await retentionOf(api),
    imported: isPlain(months.meta) ? (months.meta.imported ?? []) : [],
    ...(meta.demo !== undefined && { demo: meta.demo }),
  }
}

const resources: readonly Resource[] = [
  {
    uri: 'footfall://definitions',
    name: 'definitions',
    title: 'What each figure means',
    description: 'The definition of every figure of the reports, as in their meta.definitions.',
    read: async () => definitionsIn('en'),
  },
  {
    uri: 'footfall://questions',
    name: 'questions',
    title: 'The questions that can be answered',
    description: 'All questions with their ids, as the tool questions lists them.',
    read: async api => (await api({ method: 'GET', path: '/advisor/questions' })).body,
  },
  {
    uri: 'footfall://site',
    name: 'site',
    title: 'The site and its days',
    description: "The site's time zone, its first day, for how many days single visits are kept, and imported days.",
    read: readSite,
  },
]

export type CatalogueOptions = {
  send: Send
  /** Whether titles, UTM values, properties, and texts that the site does not know are part of answers. */
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

const isExpected = (error: unknown): boolean => error instanceof ExpectedError || isStorageError(error)

/** What went wrong, wrong arguments as well, as a result: errors of the protocol may never reach the model. @throws a bug */
const asToolError = (error: unknown): Listed => {
  if (!isExpected(error)) throw error
  const text = error instanceof ApiError ? sentencesOf(error) : failureText(error, false)
  return { content: [{ type: 'text', text: plainSentence(text) }], isError: true }
}

export const createCatalogue = ({ send, visitorText, allowAnnotations }: CatalogueOptions): Catalogue => {
  const tools = toolsFor(allowAnnotations).map(tool => ({ tool, check: createCheck({ body: tool.input }) }))

  const apiFor =
    (signal: AbortSignal): Api =>
    async (call: ApiCall) => {
      const ask: Api = async asked => readAnswer(await send(asked, signal))
      const { body, total } = await ask(call)
      const plain = plainAnswer(visitorText ? body : await maskVisitors(call, body, askKnownTexts(ask)))
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
      return asToolError(error)
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
