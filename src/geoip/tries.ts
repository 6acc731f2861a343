import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { loadState, saveState } from '../database/saved-state.ts'
import type { Db } from '../database/query.ts'
import { versionSchema } from './download.ts'
import { failureKinds, type FetchFailure } from './failure.ts'

const second = v.nullable(v.number())

const triesSchema = v.object({
  /** For whom: the mark of a key, or 'enabled'; with another one everything begins anew. */
  mark: v.string(),
  /** In a row, since the last success. */
  failures: v.number(),
  error: v.nullable(v.string()),
  kind: v.nullable(v.picklist(failureKinds)),
  /** When it is tried by itself; null if nothing has to be fetched before the job's time. Seconds since 1970, as all here. */
  retryAt: second,
  /** Before that the server wants to hear nothing. */
  notBefore: second,
  /** When the server was last heard to have nothing newer than what is here. */
  updatedAt: second,
  /** The version that is in use. */
  version: v.nullable(versionSchema),
})

/** How fetching one of the two databases has gone: kept over restarts, so that a service that starts again and again hammers nobody. */
export type Tries = v.InferOutput<typeof triesSchema>

export type Which = 'licensed' | 'fallback'

const noteSchema = v.object({ licensed: triesSchema, fallback: triesSchema })
export type PlacesNote = v.InferOutput<typeof noteSchema>

export const untried = (mark = ''): Tries => ({
  mark,
  failures: 0,
  error: null,
  kind: null,
  retryAt: null,
  notBefore: null,
  updatedAt: null,
  version: null,
})

export const readTries = (db: Db): PlacesNote =>
  loadState(db, 'geoip', noteSchema) ?? { licensed: untried(), fallback: untried() }

export const writeTries = (db: Db, note: PlacesNote): void => saveState(db, 'geoip', note)

/** Tells one key from another, and gives none of it away: eight digits are far too few to guess 40 letters by. */
export const markOf = (key: string): string =>
  key === '' ? '' : createHash('sha256').update(`footfall geoip ${key}`).digest('hex').slice(0, 8)

const day = 86_400
const firstPause = 300
const longestPause = day
/** A server that asks for more is asked again after this all the same. */
const longestAsked = 7 * day

/** Seconds; what only a person can mend is tried seldom. */
const pauseAfter = (failures: number, { kind }: FetchFailure): number =>
  kind === 'refused'
    ? longestAsked
    : kind === 'missing'
      ? longestPause
      : Math.min(firstPause * 2 ** (failures - 1), longestPause)

/** A try begins. Whatever ends the process from here on, the next start goes on. */
export const begun = (tries: Tries, mark: string, now: number): Tries => ({
  ...(tries.mark === mark ? tries : untried(mark)),
  retryAt: now,
})

export const failed = (tries: Tries, failure: FetchFailure, now: number): Tries => {
  const failures = tries.failures + 1
  const notBefore = failure.after === null ? null : now + Math.min(failure.after, longestAsked)
  return {
    ...tries,
    failures,
    error: failure.message,
    kind: failure.kind,
    notBefore,
    retryAt: Math.max(now + pauseAfter(failures, failure), notBefore ?? 0),
  }
}

export const succeeded = ({ mark, version: old }: Tries, now: number, version: Tries['version']): Tries => ({
  ...untried(mark),
  updatedAt: now,
  version: version ?? old,
})

/** A time that a clock has set which was wrong then counts no longer. */
const isAhead = (at: number | null, now: number): boolean => at !== null && at > now && at <= now + longestAsked

/** Whether it is time to try by itself; `present`: the database is there. */
export const isDue = (tries: Tries, mark: string, present: boolean, now: number): boolean =>
  tries.mark !== mark || (tries.retryAt === null ? !present : !isAhead(tries.retryAt, now))

/** Whether the server has asked to be left alone. */
export const isHeldOff = (tries: Tries, mark: string, now: number): boolean =>
  tries.mark === mark && isAhead(tries.notBefore, now)
