import { statSync } from 'node:fs'
import { describePlaces, fallbackPath, type PlacesFacts } from '../collection/open-places.ts'
import type { GeoReader } from '../collection/geo.ts'
import { writeNote } from '../database/notes.ts'
import type { Db } from '../database/query.ts'
import { toSeconds, type Clock } from '../time.ts'
import { fetchFallback } from './fallback.ts'

export type FallbackState = { status: 'pending' | 'ready' | 'failed', database_present: boolean, build_date: string | null, last_error: string | null }

/** The places' database in use; it may be exchanged while the service runs. */
export type Places = {
  geo: () => GeoReader | null
  facts: () => PlacesFacts
  /** Begins to fetch the free city database, unless that is under way or a city database is there. */
  enableFallback: () => FallbackState
  /** Fetches a newer one once a month, and reads the owner's file again if it has changed; gives a sentence on it. */
  keepUp: () => Promise<string>
}

export type PlacesOptions = { db: Db, path: string, cityFile: string | null, template: string, clock: Clock, failed: (error: unknown) => void }

/** In seconds; the free database comes monthly. */
const month = 31 * 86_400

const reason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

export const createPlaces = ({ db, path, cityFile, template, clock, failed }: PlacesOptions): Places => {
  let { geo, facts } = describePlaces(cityFile, path)
  let running: Promise<void> | null = null
  let problem: string | null = null

  const fetchIt = async (): Promise<void> => {
    try {
      geo = await fetchFallback(template, fallbackPath(path), clock())
      facts = { source: 'fallback_city', builtAt: toSeconds(geo.buildDate.getTime()), error: null, updatedAt: toSeconds(clock()) }
      problem = null
    } catch (error) {
      problem = reason(error)
      throw error
    } finally {
      running = null
      writeNote(db, 'places', { updatedAt: facts.updatedAt, error: problem })
    }
  }
  const renew = (): Promise<void> => running ??= fetchIt()

  const changedAt = (): number => cityFile === null ? 0 : statSync(cityFile, { throwIfNoEntry: false })?.mtimeMs ?? 0
  let readAt = changedAt()

  const keepUp = async (): Promise<string> => {
    if (facts.source === 'fallback_city') {
      if (facts.builtAt !== null && toSeconds(clock()) - facts.builtAt < month) return 'The free database of cities is not a month old.'
      await renew()
      return 'The free database of cities was fetched again.'
    }
    if (changedAt() === readAt) return cityFile === null ? 'The built-in database of countries is used; it comes with the program.' : 'The file of cities has not changed.'
    readAt = changedAt()
    const found = describePlaces(cityFile, path)
    if (found.geo === null) throw new Error(`${cityFile} cannot be read: ${found.facts.error}. The one read before stays in use.`)
    geo = found.geo
    facts = found.facts
    return 'The file of cities was read again.'
  }

  const hasCities = (): boolean => facts.source === 'city' || facts.source === 'fallback_city'
  const state = (): FallbackState => ({
    status: running !== null ? 'pending' : hasCities() ? 'ready' : 'failed',
    database_present: hasCities(),
    build_date: hasCities() && facts.builtAt !== null ? new Date(facts.builtAt * 1000).toISOString().slice(0, 10) : null,
    last_error: problem,
  })

  return {
    geo: () => geo,
    facts: () => ({ ...facts, error: facts.error ?? problem }),
    enableFallback: () => {
      if (!hasCities()) renew().catch(failed)
      return state()
    },
    keepUp,
  }
}
