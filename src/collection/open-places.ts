import { readFileSync } from 'node:fs'
import { readAsset } from '../assets.ts'
import { openGeo, type GeoReader } from './geo.ts'

/** What is known of the places' database; `builtAt` in seconds since 1970, `error` why there is none. */
export type PlacesFacts = { source: 'none' | 'country' | 'city' | 'fallback_city', builtAt: number | null, error: string | null }

/** The owner's city database, or the built-in one of countries; a broken one costs the places, not the hits. */
export const openPlaces = (cityFile: string | null, failed: (error: unknown) => void): GeoReader | null => {
  try {
    return openGeo(cityFile === null ? readAsset('country.mmdb') : readFileSync(cityFile))
  } catch (error) {
    failed(error)
    return null
  }
}

/** Opens the places and tells about them. */
export const describePlaces = (cityFile: string | null): { geo: GeoReader | null, facts: PlacesFacts } => {
  let reason: string | null = null
  const geo = openPlaces(cityFile, error => { reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error) })
  return { geo, facts: { source: geo?.kind ?? 'none', builtAt: geo === null ? null : Math.floor(geo.buildDate.getTime() / 1000), error: reason } }
}
