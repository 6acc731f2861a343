// Records of visitors whom a back end names, in a batch (src/endpoints/batch.ts).
import { setImmediate as yieldOnce } from 'node:timers/promises'
import * as v from 'valibot'
import { isStorageError } from '../database/errors.ts'
import type { Call } from '../http/endpoint.ts'
import { ApiError, clientGone, storageUnavailable, tooLarge } from '../http/errors.ts'
import type { Intake } from './http.ts'
import { errorOf, maxBodyBytes } from './http.ts'
import { kinds, type Outcome } from './record.ts'

export const maxRecords = 500
/** Committed together; hits of others are committed between these. */
const chunkSize = 50

/** Of the visitor's own request: what the gates and the devices are told by. */
const readHeaders = /^(?:accept-language|dnt|origin|sec-gpc|sec-ch-ua[a-z-]*)$/

export const recordSchema = v.looseObject({
  type: v.pipe(v.picklist(kinds), v.description('The route that the record would be sent to by itself.')),
  address: v.nullish(v.pipe(v.string(), v.description('IP address of the visitor.'))),
  user_agent: v.nullish(v.pipe(v.string(), v.description('The User-Agent header of the visitor.'))),
  headers: v.optional(
    v.pipe(
      v.record(v.string(), v.string()),
      v.description('Of the other headers of the visitor: Accept-Language, DNT, Origin, Sec-GPC and Sec-CH-UA….'),
    ),
  ),
})

type SentRecord = v.InferOutput<typeof recordSchema>
type Caller = Pick<Call<unknown, unknown, unknown>, 'address' | 'request' | 'signal'>

const headersIn = ({ headers = {} }: SentRecord) =>
  new Map(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => readHeaders.test(name)),
  )

/** What a record's own route would have answered: its outcome, and why if that is not 204. */
export type Taken = { outcome: Outcome; error: ApiError | null }

const refusalOf = (error: unknown): Taken => {
  if (isStorageError(error)) return { outcome: 'storage', error: storageUnavailable() }
  if (!(error instanceof ApiError)) throw error
  return { outcome: error.status === 429 ? 'throttled' : 'invalid', error }
}

const take = async (intake: Intake, record: SentRecord, { address, request }: Caller): Promise<Taken> => {
  try {
    intake.countInvalid(() => {
      if (Buffer.byteLength(JSON.stringify(record)) > maxBodyBytes) throw tooLarge(maxBodyBytes)
    })
    const sender = { address, userAgent: request.headers.get('user-agent') ?? '' }
    const visitor = intake.visitorIn(record, sender)
    intake.throttle(record.type, visitor.address)
    const sent = { kind: record.type, visitor, headers: headersIn(record), body: record, isForwarded: true }
    const { outcome, invalid } = await intake.collect(sent)
    return { outcome, error: errorOf(outcome, invalid) }
  } catch (error) {
    return refusalOf(error)
  }
}

/** Takes records in their order. */
export const takeAll = async (intake: Intake, records: readonly SentRecord[], caller: Caller): Promise<Taken[]> => {
  const taken: Taken[] = []
  for (let first = 0; first < records.length; first += chunkSize) {
    if (caller.signal.aborted) throw clientGone()
    const chunk = records.slice(first, first + chunkSize)
    taken.push(...(await Promise.all(chunk.map(record => take(intake, record, caller)))))
    await yieldOnce()
  }
  return taken
}
