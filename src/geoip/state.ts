import { existsSync } from 'node:fs'
import type { Db } from '../database/query.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import type { Settings } from '../settings/settings.ts'
import { fallbackPath, licensedPath, type Opened, openGeoipFiles } from './open.ts'
import { type GeoipTries, isDue, isHeldOff, keyMark, readTries, type Tries, type Which, writeTries } from './tries.ts'

export type GeoipOptions = {
  db: Db
  path: string
  settings: () => Settings
  clock: Clock
  cityFile: string | null
  fallbackUrl: string
  licensedUrl: string | null
  edition: string
  /** Milliseconds that a server may take to send something. */
  timeout?: number
}

type Running = { which: Which; mark: string; control: AbortController; ended: Promise<unknown> }

/** The state of a service's GeoIP databases and of their downloads. */
export type State = GeoipOptions & {
  now: () => number
  paths: Readonly<Record<Which, string>>
  tries: GeoipTries
  opened: Opened | null
  problem: string | null
  /** The current download. */
  running: Running | null
  stopped: boolean
}

/** The mark of the free database if it is enabled. */
export const enabled = 'enabled'

const both = ['licensed', 'fallback'] as const

export const createState = (options: GeoipOptions): State => ({
  ...options,
  now: () => toSeconds(options.clock()),
  paths: { licensed: licensedPath(options.path), fallback: fallbackPath(options.path) },
  tries: readTries(options.db),
  opened: null,
  problem: null,
  running: null,
  stopped: false,
})

/** Opens the best available database. A downloaded one that has been damaged is downloaded again. */
export const openBest = (state: State): void => {
  const { opened, error, broken } = openGeoipFiles(state.cityFile, state.path)
  Object.assign(state, { opened, problem: error })
  for (const which of both.filter(origin => broken.includes(origin))) {
    const { retryAt } = state.tries[which]
    state.tries[which] = { ...state.tries[which], retryAt: retryAt ?? 0, version: null }
  }
}

export const isPresent = ({ paths }: State, which: Which): boolean => existsSync(paths[which])

/** The mark of a database; if it changes, attempts start over. '' if it is not to be downloaded. */
export const markFor = (state: State, which: Which): string => {
  const { geoip_enabled: isOn, geoip_license_key: key } = state.settings()
  if (!isOn || state.cityFile !== null || state.stopped) return ''
  if (which === 'licensed') return keyMark(key)
  // The free database is not needed while the licensed one is in use.
  const isWanted = state.tries.fallback.mark === enabled || isPresent(state, 'fallback')
  return state.opened?.origin !== 'licensed' && isWanted ? enabled : ''
}

export const wanted = (state: State): Which[] => both.filter(which => markFor(state, which) !== '')

export const due = (state: State): Which[] =>
  wanted(state).filter(which => {
    const [tries, mark, now] = [state.tries[which], markFor(state, which), state.now()]
    return isDue(tries, mark, isPresent(state, which), now) && !isHeldOff(tries, mark, now)
  })

export const saveTries = ({ db, tries }: State, which: Which, next: Tries): void => {
  tries[which] = next
  writeTries(db, tries)
}
