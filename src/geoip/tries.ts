import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { loadState, saveState } from '../database/saved-state.ts'
import type { Db } from '../database/query.ts'
import { versionSchema } from './download.ts'
import { failureKinds, type FetchFailure } from './failure.ts'

const second = v.nullable(v.number())

const triesSchema = v.object({
  /** What the tries are for: the mark of a key, or 'enabled'; with another mark they start over. */
  mark: v.string(),
  /** In a row, since the last success. */
  failures: v.number(),
  error: v.nullable(v.string()),
  kind: v.nullable(v.picklist(failureKinds)),
  /** Time of the next try, in seconds since 1970; null if nothing has to be downloaded before the job's time. */
  retryAt: second,
  /** The server asks not to be contacted before. */
  notBefore: second,
  /** When the server last confirmed that this version is the newest. */
  updatedAt: second,
  /** The version that is in use. */
  version: v.nullable(versionSchema),
})

/** How downloads of one of the two databases have gone; kept across restarts, so that a restart loop does not flood a server. */
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

/** Tells one key from another without revealing any: eight digits are far too few to guess 40 letters from. */
export const keyMark = (key: string): string =>
  key === '' ? '' : createHash('sha256').update(`footfall geoip ${key}`).digest('hex').slice(0, 8)

const day = 86_400
const firstDelay = 300
const maxDelay = day
/** Longer waits that a server asks for are cut to this. */
const maxAsked = 7 * day

/** In seconds; what only a person can fix is tried rarely. */
const delayAfter = (failures: number, { kind }: FetchFailure): number =>
  kind === 'refused' ? maxAsked : kind === 'missing' ? maxDelay : Math.min(firstDelay * 2 ** (failures - 1), maxDelay)

/** A try begins. Whatever ends the process from here on, the next start continues. */
export const begun = (tries: Tries, mark: string, now: number): Tries => ({
  ...(tries.mark === mark ? tries : untried(mark)),
  retryAt: now,
})

export const failed = (tries: Tries, failure: FetchFailure, now: number): Tries => {
  const failures = tries.failures + 1
  const notBefore = failure.after === null ? null : now + Math.min(failure.after, maxAsked)
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

/** Ignores a time so far ahead that it was set by a wrong clock. */
const isAhead = (at: number | null, now: number): boolean => at !== null && at > now && at <= now + maxAsked

/** Whether a try is due; `present`: the database exists. */
export const isDue = (tries: Tries, mark: string, present: boolean, now: number): boolean =>
  tries.mark !== mark || (tries.retryAt === null ? !present : !isAhead(tries.retryAt, now))

/** Whether the server has asked not to be contacted yet. */
export const isHeldOff = (tries: Tries, mark: string, now: number): boolean =>
  tries.mark === mark && isAhead(tries.notBefore, now)
