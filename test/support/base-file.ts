// The file that version 0.1.0 wrote, and what it answered: test/fixtures/base-0.1.0.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { parseConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { startService } from '../../src/service/service.ts'
import { type BaseRequest, send } from './base-request.ts'

const fixture = 'test/fixtures/base-0.1.0'
const unpack = (name: string, folder = fixture): Buffer => gunzipSync(readFileSync(join(folder, name)))

/** Writes the file of version 0.1.0 to a path: that of the repository, or one that make.mjs wrote into another folder. */
export const writeBaseFile = (path: string, folder?: string): void =>
  writeFileSync(path, unpack('footfall.db.gz', folder), { mode: 0o600 })

type Recorded = BaseRequest & {
  /** When it was answered, in milliseconds. */
  at: number
  /** What a request that is no report shows. */
  about?: string
  status: number
  answer: unknown
}

export const recorded = (folder?: string): Recorded[] =>
  JSON.parse(unpack('answers.json.gz', folder).toString()) as Recorded[]

/** Sentences of the program, which may be worded better, and its own number. */
const isWording = (path: string): boolean =>
  /^\/answer\/(?:alerts\/\d+\/title|meta\/definitions\/\w+\/text|version)$/.test(path)

/** Means count only hours and days that are over since: the second version of these metrics. */
const isCountedAnew = (path: string): boolean =>
  /^\/answer\/meta\/definitions\/(?:days|sessions_per_day)\/version$/.test(path)

/** The capability to read reports has had a prefix since: other programs may use the plain name. */
const renamed = (expected: unknown): unknown => (expected === 'view_reports' ? 'footfall_view_reports' : expected)

/**
 * What visits have kept less of since: their time zones are gone, and of languages and screens the rows are other ones;
 * that these are the sums of the old ones is held by the file itself.
 */
export const today = (path: string, { status, answer }: { status: number; answer: unknown }): unknown => {
  if (path.startsWith('/dimensions/timezone')) return { status: 400, answer: { code: 'rest_invalid_param' } }
  if (!/^\/dimensions\/(?:language|screen)/.test(path)) return { status, answer }
  return { status, answer: { meta: { ...(answer as any).meta, pagination: undefined } } }
}

/** What was recorded, where it is not in the answer. A later version may answer more. */
export const differences = (found: any, expected: any, path = ''): string[] => {
  if (isWording(path)) return []
  if (isCountedAnew(path) && found === 2) return []
  if (typeof expected !== 'object' || expected === null)
    return Object.is(found, renamed(expected))
      ? []
      : [`${path} is ${JSON.stringify(found)}, was ${JSON.stringify(expected)}`]
  if (typeof found !== 'object' || found === null || Array.isArray(expected) !== Array.isArray(found))
    return [`${path} is ${JSON.stringify(found)}`]
  if (Array.isArray(expected) && expected.length !== found.length)
    return [`${path} has ${found.length} rows, had ${expected.length}`]
  return Object.keys(expected).flatMap(key => differences(found[key], expected[key], `${path}/${key}`))
}

/**
 * Serves a file that was that of version 0.1.0, sends every recorded request at the moment of the recording, and
 * compares the answers.
 */
export const holdAnswers = async (file: string, requests = recorded()): Promise<void> => {
  let now = requests[0]?.at ?? 0
  const clock = (): number => now
  const log = createLog({ level: 'error', format: 'text', write: () => {}, clock })
  const service = await startService(parseConfig({ port: '0', data: file }, {}), { clock, log, scheduled: [] })
  const problems: string[] = []
  try {
    for (const { at, about, status, answer, ...request } of requests) {
      now = at
      const given = await send(service.url, request)
      const found = differences({ status: given.status, answer: given.answer }, today(request.path, { status, answer }))
      problems.push(
        ...found.slice(0, 3).map(problem => `${about ?? `${request.method ?? 'GET'} ${request.path}`}: ${problem}`),
      )
    }
  } finally {
    await service.close()
  }
  assert.equal(problems, [], problems.join('\n'))
}
