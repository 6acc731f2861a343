import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'
import { versionSchema } from './download.ts'
import { type FetchFailure, failureKinds } from './failure.ts'

const time = v.nullable(v.number())

const triesSchema = v.object({
  /** Identifies what is downloaded: a hash of the key, or 'enabled'. With another mark, attempts start over. */
  mark: v.string(),
  /** Consecutive failures. */
  failures: v.number(),
  error: v.nullable(v.string()),
  kind: v.nullable(v.picklist(failureKinds)),
  /** Time of the next attempt, in seconds since 1970; null if none is needed before the job's schedule. */
  retryAt: time,
  /** The server asked for no requests before this time. */
  notBefore: time,
  /** When the server last confirmed that this version is the newest. */
  updatedAt: time,
  /** The version that is in use. */
  version: v.nullable(versionSchema),
})

/** The attempts to download a database. Saved, so that a restart loop does not flood a server. */
export type Tries = v.InferOutput<typeof triesSchema>

export type Which = 'licensed' | 'fallback'

const bothSchema = v.object({ licensed: triesSchema, fallback: triesSchema })
export type GeoipTries = v.InferOutput<typeof bothSchema>

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

export const readTries = (db: Db): GeoipTries =>
  loadState(db, 'geoip', bothSchema) ?? { licensed: untried(), fallback: untried() }

export const writeTries = (db: Db, tries: GeoipTries): void => saveState(db, 'geoip', tries)

/** Distinguishes keys without revealing them: eight hex digits are far too few to guess a key of 40 letters. */
export const keyMark = (key: string): string =>
  key === '' ? '' : createHash('sha256').update(`footfall geoip ${key}`).digest('hex').slice(0, 8)

const day = 86_400
const firstDelay = 300
const maxDelay = day
/** Limits the wait that a server asks for. */
const maxRetryAfter = 7 * day

/** In seconds; failures that need manual action are retried rarely. */
const delayAfter = (failures: number, { kind }: FetchFailure): number =>
  kind === 'refused'
    ? maxRetryAfter
    : kind === 'missing'
      ? maxDelay
      : Math.min(firstDelay * 2 ** (failures - 1), maxDelay)

/** An attempt has started. If the process ends, the next start continues. */
export const started = (tries: Tries, mark: string, now: number): Tries => ({
  ...(tries.mark === mark ? tries : untried(mark)),
  retryAt: now,
})

export const failed = (tries: Tries, failure: FetchFailure, now: number): Tries => {
  const failures = tries.failures + 1
  const notBefore = failure.after === null ? null : now + Math.min(failure.after, maxRetryAfter)
  return {
    ...tries,
    failures,
    error: failure.message,
    kind: failure.kind,
    notBefore,
    retryAt: Math.max(now + delayAfter(failures, failure), notBefore ?? 0),
  }
}

export const succeeded = ({ mark, version: old }: Tries, now: number, version: Tries['version']): Tries => ({
  ...untried(mark),
  updatedAt: now,
  version: version ?? old,
})

/** Ignores times so far ahead that they were set by a wrong clock. */
const isAhead = (at: number | null, now: number): boolean => at !== null && at > now && at <= now + maxRetryAfter

/** Whether an attempt is due. @param present whether the database exists */
export const isDue = (tries: Tries, mark: string, present: boolean, now: number): boolean =>
  tries.mark !== mark || (tries.retryAt === null ? !present : !isAhead(tries.retryAt, now))

/** Whether the server asked to wait longer. */
export const isHeldOff = (tries: Tries, mark: string, now: number): boolean =>
  tries.mark === mark && isAhead(tries.notBefore, now)
