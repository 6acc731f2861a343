import { existsSync, readFileSync, statSync } from 'node:fs'
import { readAsset } from '../assets.ts'
import { openGeo, type GeoReader } from './geo.ts'

/** What is known of the places' database; times in seconds since 1970, `error` what is wrong with it or its renewal. */
export type PlacesFacts = { source: 'none' | 'country' | 'city' | 'fallback_city', builtAt: number | null, error: string | null, updatedAt: number | null }

/** The owner's city database, or the built-in one of countries; a broken one costs the places, not the hits. */
export const openPlaces = (cityFile: string | null, failed: (error: unknown) => void): GeoReader | null => {
  try {
    return openGeo(cityFile === null ? readAsset('country.mmdb') : readFileSync(cityFile))
  } catch (error) {
    failed(error)
    return null
  }
}

/** Where the free city database lies that the service fetches by itself. */
export const fallbackPath = (path: string): string => `${path}.city.mmdb`

const inSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** Opens the places and tells about them: the owner's file, else the one that was fetched for a database, else the built-in one. */
export const describePlaces = (cityFile: string | null, path: string | null = null): { geo: GeoReader | null, facts: PlacesFacts } => {
  let reason: string | null = null
  const failed = (error: unknown): void => { reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error) }
  const fetched = cityFile === null && path !== null && existsSync(fallbackPath(path)) ? fallbackPath(path) : null
  const city = fetched === null ? null : openPlaces(fetched, failed)
  const geo = city ?? openPlaces(cityFile, failed)
  return {
    geo,
    facts: {
      source: city !== null ? 'fallback_city' : geo?.kind ?? 'none', builtAt: geo === null ? null : inSeconds(geo.buildDate), error: reason,
      updatedAt: fetched === null ? null : inSeconds(statSync(fetched).mtime),
    },
  }
}
