import { existsSync, statSync } from 'node:fs'
import { factsOf, fallbackPath, licensedPath, openGeoipFiles, reasonOf, type Opened } from './open.ts'
import type { GeoReader } from './reader.ts'
import type { Db } from '../database/query.ts'
import type { Settings } from '../settings/settings.ts'
import { timeText, toSeconds, type Clock } from '../lib/time.ts'
import { asFailure } from './failure.ts'
import { forgetDatabase, renew } from './renew.ts'
import { fallbackSource, licensedSource, type Source } from './sources.ts'
import {
  begun,
  failed,
  isDue,
  isHeldOff,
  markOf,
  readTries,
  succeeded,
  untried,
  writeTries,
  type Which,
} from './tries.ts'
import { troubleOf, withUpdate, type PlacesState } from './trouble.ts'

export type FallbackState = {
  status: 'pending' | 'ready' | 'failed'
  database_present: boolean
  build_date: string | null
  last_error: string | null
}

/** The places' database in use; it may be exchanged while the service runs. */
export type Geoip = {
  geo: () => GeoReader | null
  facts: () => PlacesState
  /** Asks for the free city database, unless a city database is there; `refreshGeoip` fetches it. */
  enableFallback: () => FallbackState
  /** Follows the settings: stops what is no longer wanted, and removes the licensed database with its key. */
  follow: () => void
  /** Whether `refreshGeoip` has something to do before its time: a new key, a database that is missing, a pause that is over. */
  isDue: () => boolean
  /** Fetches what is due, or else looks whether there is something newer; reads the owner's file again if it has changed. */
  refreshGeoip: () => Promise<string>
  /** Ends a fetch under way; the next start goes on with it. */
  stop: () => Promise<void>
}

export type GeoipOptions = {
  db: Db
  path: string
  settings: () => Settings
  clock: Clock
  cityFile: string | null
  fallbackUrl: string
  licensedUrl: string | null
  edition: string
  /** Milliseconds in which a server must say something. */
  patience?: number
}

/** In seconds; the free database comes monthly. */
const month = 31 * 86_400
const usualPatience = 30_000
const enabled = 'enabled'

const names: Readonly<Record<Which, string>> = {
  licensed: 'The licensed city database',
  fallback: 'The free city database',
}

export const createGeoip = ({
  db,
  path,
  settings,
  clock,
  cityFile,
  fallbackUrl,
  licensedUrl,
  edition,
  patience = usualPatience,
}: GeoipOptions): Geoip => {
  const now = (): number => toSeconds(clock())
  const paths: Readonly<Record<Which, string>> = { licensed: licensedPath(path), fallback: fallbackPath(path) }
  const tries = readTries(db)
  let opened: Opened | null = null
  let problem: string | null = null
  let running: { which: Which; mark: string; control: AbortController; ended: Promise<unknown> } | null = null
  let stopped = false

  /** One that was fetched and has been damaged since is fetched anew. */
  const open = (): void => {
    const found = openGeoipFiles(cityFile, path)
    ;({ opened, error: problem } = found)
    for (const which of (['licensed', 'fallback'] as const).filter(one => found.broken.includes(one))) {
      tries[which] = { ...tries[which], retryAt: tries[which].retryAt ?? 0, version: null }
    }
  }

  /** With another mark a fetch begins anew; '' where nothing is to be fetched. */
  const markFor = (which: Which): string => {
    const { geoip_enabled: isOn, geoip_license_key: key } = settings()
    if (!isOn || cityFile !== null || stopped) return ''
    if (which === 'licensed') return markOf(key)
    // Where the licensed one is in use, nobody needs the other.
    return opened?.origin !== 'licensed' && (tries.fallback.mark === enabled || existsSync(paths.fallback))
      ? enabled
      : ''
  }
  const wanted = (): Which[] => (['licensed', 'fallback'] as const).filter(which => markFor(which) !== '')
  const isPresent = (which: Which): boolean => existsSync(paths[which])
  const due = (): Which[] =>
    wanted().filter(
      which =>
        isDue(tries[which], markFor(which), isPresent(which), now()) && !isHeldOff(tries[which], markFor(which), now()),
    )
  const sourceOf = (which: Which): Source =>
    which === 'licensed'
      ? licensedSource(settings().geoip_license_key, edition, licensedUrl)
      : fallbackSource(fallbackUrl, clock())

  const note = (which: Which, next: typeof tries.licensed): void => {
    tries[which] = next
    writeTries(db, tries)
  }

  const fetchNow = async (which: Which, control: AbortController): Promise<string> => {
    const mark = markFor(which)
    note(which, begun(tries[which], mark, now()))
    try {
      const found = await renew(sourceOf(which), paths[which], tries[which].version, {
        signal: control.signal,
        patience,
        clock,
      })
      note(which, succeeded(tries[which], now(), found?.version ?? null))
      if (found === null) return `${names[which]} is the newest.`
      opened = { origin: which, geo: found.geo, updatedAt: now() }
      problem = null
      return `${names[which]} was fetched.`
    } catch (error) {
      if (control.signal.aborted) {
        if (settings().geoip_license_key === '') forgetDatabase(paths.licensed)
        return `${names[which]} was not fetched: ${reasonOf(control.signal.reason)}.`
      }
      const failure = asFailure(error)
      note(which, failed(tries[which], failure, now()))
      throw new Error(
        `${names[which]} could not be had: ${failure.message}. ${opened?.origin === which ? 'The one there stays in use. ' : ''}It is tried again from ${timeText(tries[which].retryAt ?? now())} on.`,
      )
    }
  }

  const fetchOne = async (which: Which): Promise<string> => {
    const [mark, held] = [markFor(which), tries[which].notBefore]
    if (isHeldOff(tries[which], mark, now()) && held !== null)
      throw new Error(
        `${names[which]} could not be had: ${tries[which].error ?? 'the server asks to wait'}. The server wants to be left alone until ${timeText(held)}.`,
      )
    const control = new AbortController()
    const fetching = fetchNow(which, control).finally(() => {
      running = null
    })
    running = { which, mark, control, ended: fetching.catch(() => {}) }
    return await fetching
  }

  const changedAt = (): number =>
    cityFile === null ? 0 : (statSync(cityFile, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  let readAt = changedAt()
  let seenAt = readAt

  /** A file that is being written grows from look to look: it is read when it has come to rest. */
  const hasOtherFile = (): boolean => {
    const [before, at] = [seenAt, changedAt()]
    seenAt = at
    return at !== readAt && at === before
  }

  const readFileAgain = (): string => {
    if (changedAt() === readAt) return 'The file of --geoip-city has not changed; nothing is fetched beside it.'
    readAt = changedAt()
    const found = openGeoipFiles(cityFile, path)
    problem = found.error
    if (found.opened === null)
      throw new Error(
        `The file of --geoip-city cannot be used: ${found.error}.${opened === null ? '' : ' The one read before stays in use.'}`,
      )
    opened = found.opened
    return 'The file of --geoip-city was read again.'
  }

  /** One after the other: what is due, or else each that is in use. The free one comes monthly, and is not asked for before. */
  const renewAll = async (): Promise<string> => {
    const [urgent, all] = [due(), wanted()]
    const said: string[] = []
    const errors: string[] = []
    for (const which of urgent.length > 0 ? urgent : all) {
      // The licensed one may just have come.
      if (!wanted().includes(which)) continue
      const isYoung =
        urgent.length === 0 &&
        which === 'fallback' &&
        opened?.origin === 'fallback' &&
        now() - toSeconds(opened.geo.buildDate.getTime()) < month
      await (isYoung ? Promise.resolve('The free city database is not a month old.') : fetchOne(which)).then(
        text => said.push(text),
        error => errors.push(reasonOf(error)),
      )
    }
    if (errors.length > 0) throw new Error(errors.join('. '))
    return said.length > 0 ? said.join(' ') : 'The built-in database of countries is used; it comes with the program.'
  }

  const follow = (): void => {
    const { geoip_license_key: key } = settings()
    // What has come stays, so that the free one goes on later if it is still wanted then.
    const isOutdated =
      running !== null &&
      (markFor(running.which) !== running.mark || (running.which === 'fallback' && due().includes('licensed')))
    if (isOutdated) running?.control.abort(new Error('something else is wanted now'))
    if (key !== '' || (!isPresent('licensed') && tries.licensed.mark === '')) return
    // Its licence ends with the key.
    forgetDatabase(paths.licensed)
    note('licensed', untried())
    if (cityFile === null) open()
  }

  if (settings().geoip_license_key === '') forgetDatabase(paths.licensed)
  if (isPresent('fallback')) tries.fallback.mark = enabled
  open()

  const hasCities = (): boolean => opened !== null && opened.geo.kind === 'city'
  const state = (): FallbackState => {
    const builtAt = factsOf(opened, null).builtAt
    const isPending = running?.which === 'fallback' || due().includes('fallback')
    return {
      status: isPending ? 'pending' : hasCities() ? 'ready' : 'failed',
      database_present: hasCities(),
      build_date: hasCities() && builtAt !== null ? timeText(builtAt).slice(0, 10) : null,
      last_error: settings().geoip_enabled ? tries.fallback.error : 'Places are turned off (geoip_enabled).',
    }
  }

  return {
    geo: () => opened?.geo ?? null,
    facts: () => {
      const facts = factsOf(opened, problem)
      const fetched = opened?.origin === 'licensed' || opened?.origin === 'fallback' ? tries[opened.origin] : null
      return { ...(fetched === null ? facts : withUpdate(facts, fetched)), trouble: troubleOf(tries, wanted()) }
    },
    enableFallback: () => {
      if (!hasCities() && running?.which !== 'fallback')
        note('fallback', { ...tries.fallback, mark: enabled, retryAt: null })
      return state()
    },
    follow,
    isDue: () => running === null && (hasOtherFile() || due().length > 0),
    refreshGeoip: async () => (cityFile === null ? await renewAll() : readFileAgain()),
    stop: async () => {
      stopped = true
      running?.control.abort(new Error('the service stops'))
      await running?.ended
    },
  }
}
