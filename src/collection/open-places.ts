import { readFileSync } from 'node:fs'
import { readAsset } from '../assets.ts'
import { openGeo, type GeoReader } from './geo.ts'

/** The owner's city database, or the built-in one of countries; a broken one costs the places, not the hits. */
export const openPlaces = (cityFile: string | null, failed: (error: unknown) => void): GeoReader | null => {
  try {
    return openGeo(cityFile === null ? readAsset('country.mmdb') : readFileSync(cityFile))
  } catch (error) {
    failed(error)
    return null
  }
}
