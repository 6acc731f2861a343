import { statSync } from 'node:fs'
import { timeText, toSeconds } from '../lib/time.ts'
import { asFailure } from './failure.ts'
import { factsOf, openGeoipFiles, reasonOf } from './open.ts'
import type { GeoReader } from './reader.ts'
import { removeDatabase, renew } from './renew.ts'
import { fallbackSource, licensedSource, type Source } from './sources.ts'
import {
  createState,
  due,
  enabled,
  type GeoipOptions,
  isPresent,
  markFor,
  openBest,
  type State,
  saveTries,
  wanted,
} from './state.ts'
import { type GeoipStatus, troubleOf, withUpdate } from './status.ts'
import { failed, isHeldOff, started, succeeded, untried, type Which } from './tries.ts'

/** In seconds; the free database is published monthly. */
const month = 31 * 86_400
const defaultTimeout = 30_000

const names: Readonly<Record<Which, string>> = {
  licensed: 'The licensed city database',
  fallback: 'The free city database',
}

const sourceOf = ({ settings, edition, licensedUrl, fallbackUrl, clock }: State, which: Which): Source =>
  which === 'licensed'
    ? licensedSource(settings().geoip_license_key, edition, licensedUrl)
    : fallbackSource(fallbackUrl, clock())

const download = async (state: State, which: Which, control: AbortController): Promise<string> => {
  const { tries, now, clock, paths, timeout = defaultTimeout } = state
  saveTries(state, which, started(tries[which], markFor(state, which), now()))
  try {
    const requestOptions = { signal: control.signal, timeout, clock }
    const renewed = await renew(sourceOf(state, which), paths[which], tries[which].version, requestOptions)
    saveTries(state, which, succeeded(tries[which], now(), renewed?.version ?? null))
    if (renewed === null) return `${names[which]} is up to date.`
    Object.assign(state, { opened: { origin: which, geo: renewed.geo, updatedAt: now() }, problem: null })
    return `${names[which]} was downloaded.`
  } catch (error) {
    if (control.signal.aborted) {
      if (state.settings().geoip_license_key === '') removeDatabase(paths.licensed)
      return `${names[which]} was not downloaded: ${reasonOf(control.signal.reason)}.`
    }
    const failure = asFailure(error)
    saveTries(state, which, failed(tries[which], failure, now()))
    const kept = state.opened?.origin === which ? 'The current one stays in use. ' : ''
    const retryAt = timeText(tries[which].retryAt ?? now())
    throw new Error(`${names[which]} could not be downloaded: ${failure.message}. ${kept}It is retried at ${retryAt}.`)
  }
}

const fetchOne = async (state: State, which: Which): Promise<string> => {
  const [mark, { notBefore, error }] = [markFor(state, which), state.tries[which]]
  if (isHeldOff(state.tries[which], mark, state.now()) && notBefore !== null)
    throw new Error(
      `${names[which]} could not be downloaded: ${error ?? 'the server is limiting requests'}. ` +
        `The server asks for no requests before ${timeText(notBefore)}.`,
    )
  const control = new AbortController()
  const downloading = download(state, which, control).finally(() => {
    state.running = null
  })
  state.running = { which, mark, control, ended: downloading.catch(() => {}) }
  return await downloading
}

/** The free database is published monthly and not requested before. */
const isYoung = ({ opened, now }: State, which: Which): boolean =>
  which === 'fallback' && opened?.origin === 'fallback' && now() - toSeconds(opened.geo.buildDate.getTime()) < month

/** Downloads, one after the other, the databases that are due, or else checks those in use. */
const fetchAll = async (state: State): Promise<string> => {
  const [urgent, all] = [due(state), wanted(state)]
  const messages: string[] = []
  const errors: string[] = []
  for (const which of urgent.length > 0 ? urgent : all) {
    // The licensed database may have been downloaded just now, so that the free one is no longer needed.
    if (!wanted(state).includes(which)) continue
    if (urgent.length === 0 && isYoung(state, which)) {
      messages.push('The free city database is less than a month old.')
      continue
    }
    try {
      messages.push(await fetchOne(state, which))
    } catch (error) {
      errors.push(reasonOf(error))
    }
  }
  if (errors.length > 0) throw new Error(errors.join('. '))
  return messages.length > 0
    ? messages.join(' ')
    : 'The built-in country database is in use; it is updated with the program.'
}

/** The city database of --geoip-city. */
type CityFile = {
  /** Whether it has changed since it was read, but not since the last call: it may still be being written. */
  hasChanged: () => boolean
  /** Reads it again if it has changed. */
  reread: () => string
}

const watchCityFile = (state: State): CityFile => {
  const { cityFile, path } = state
  const modifiedAt = (): number =>
    cityFile === null ? 0 : (statSync(cityFile, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  let readAt = modifiedAt()
  let checkedAt = readAt
  return {
    hasChanged: () => {
      const [before, at] = [checkedAt, modifiedAt()]
      checkedAt = at
      return at !== readAt && at === before
    },
    reread: () => {
      if (modifiedAt() === readAt) return 'The file of --geoip-city has not changed; no other database is downloaded.'
      readAt = modifiedAt()
      const { opened, error } = openGeoipFiles(cityFile, path)
      state.problem = error
      if (opened === null)
        throw new Error(
          `The file of --geoip-city cannot be used: ${error}.` +
            (state.opened === null ? '' : ' The previous version stays in use.'),
        )
      state.opened = opened
      return 'The file of --geoip-city was read again.'
    },
  }
}

export type FallbackState = {
  status: 'pending' | 'ready' | 'failed'
  database_present: boolean
  build_date: string | null
  last_error: string | null
}

/** The GeoIP database in use, which may be replaced while the service runs. */
export type Geoip = {
  geo: () => GeoReader | null
  facts: () => GeoipStatus
  /** Enables the free city database, unless a city database is present; `refreshGeoip` downloads it. */
  enableFallback: () => FallbackState
  /** Applies changed settings: cancels an obsolete download, and removes the licensed database with its key. */
  applySettings: () => void
  /** Whether `refreshGeoip` should run before its schedule: a new key, a missing database, a retry. */
  isDue: () => boolean
  /** Downloads what is due, or else checks for newer versions; reloads the file of --geoip-city if it has changed. */
  refreshGeoip: () => Promise<string>
  /** Cancels a running download; the next start resumes it. */
  stop: () => Promise<void>
}

const hasCities = ({ opened }: State): boolean => opened !== null && opened.geo.kind === 'city'

const fallbackState = (state: State): FallbackState => {
  const { opened, running, tries, settings } = state
  const { builtAt } = factsOf(opened, null)
  const isPending = running?.which === 'fallback' || due(state).includes('fallback')
  return {
    status: isPending ? 'pending' : hasCities(state) ? 'ready' : 'failed',
    database_present: hasCities(state),
    build_date: hasCities(state) && builtAt !== null ? timeText(builtAt).slice(0, 10) : null,
    last_error: settings().geoip_enabled ? tries.fallback.error : 'GeoIP is disabled (geoip_enabled).',
  }
}

const statusOf = (state: State): GeoipStatus => {
  const { opened, problem, tries } = state
  const facts = factsOf(opened, problem)
  const origin = opened?.origin
  return {
    ...(origin === 'licensed' || origin === 'fallback' ? withUpdate(facts, tries[origin]) : facts),
    trouble: troubleOf(tries, wanted(state)),
  }
}

const applySettings = (state: State): void => {
  const { running, tries, settings, paths, cityFile } = state
  // The partial file stays, so that the download can be resumed later.
  const isOutdated =
    running !== null &&
    (markFor(state, running.which) !== running.mark ||
      (running.which === 'fallback' && due(state).includes('licensed')))
  if (isOutdated) running.control.abort(new Error('the settings have changed'))
  if (settings().geoip_license_key !== '' || (!isPresent(state, 'licensed') && tries.licensed.mark === '')) return
  // The database may not be used without a license key.
  removeDatabase(paths.licensed)
  saveTries(state, 'licensed', untried())
  if (cityFile === null) openBest(state)
}

export const createGeoip = (options: GeoipOptions): Geoip => {
  const state = createState(options)
  if (state.settings().geoip_license_key === '') removeDatabase(state.paths.licensed)
  if (isPresent(state, 'fallback')) state.tries.fallback.mark = enabled
  openBest(state)
  const cityFile = watchCityFile(state)
  return {
    geo: () => state.opened?.geo ?? null,
    facts: () => statusOf(state),
    enableFallback: () => {
      if (!hasCities(state) && state.running?.which !== 'fallback')
        saveTries(state, 'fallback', { ...state.tries.fallback, mark: enabled, retryAt: null })
      return fallbackState(state)
    },
    applySettings: () => applySettings(state),
    isDue: () => state.running === null && (cityFile.hasChanged() || due(state).length > 0),
    refreshGeoip: async () => (state.cityFile === null ? await fetchAll(state) : cityFile.reread()),
    stop: async () => {
      state.stopped = true
      state.running?.control.abort(new Error('the service is stopping'))
      await state.running?.ended
    },
  }
}
