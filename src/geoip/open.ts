import { existsSync, readFileSync, statSync } from 'node:fs'
import { errorText } from '../lib/errors.ts'
import { readAsset } from '../runtime/assets.ts'
import { attributionOf, type Attribution } from './attribution.ts'
import { openGeo, type GeoReader } from './reader.ts'

/** The database in use: the owner's file, a downloaded one, or the built-in one; in order of precedence. */
export type Origin = 'file' | 'licensed' | 'fallback' | 'built-in'

/** Facts about the GeoIP database; times in seconds since 1970, `error`: what is wrong with a file. */
export type GeoipFacts = {
  source: 'none' | 'country' | 'city' | 'fallback_city'
  builtAt: number | null
  error: string | null
  updatedAt: number | null
  /** Required attribution wherever places are shown. */
  attribution: Attribution | null
}

export type Opened = { origin: Origin; geo: GeoReader; updatedAt: number | null }

/** Paths of the databases that the service downloads. */
export const fallbackPath = (path: string): string => `${path}.city.mmdb`
export const licensedPath = (path: string): string => `${path}.licensed-city.mmdb`

export const reasonOf = (error: unknown): string => errorText(error).replace(/\.$/, '')

const inSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)

export const factsOf = (opened: Opened | null, error: string | null): GeoipFacts => ({
  source: opened === null ? 'none' : opened.origin === 'fallback' ? 'fallback_city' : opened.geo.kind,
  builtAt: opened === null ? null : inSeconds(opened.geo.buildDate),
  error,
  updatedAt: opened?.updatedAt ?? null,
  attribution: opened === null ? null : attributionOf(opened.geo.type),
})

/**
 * Opens a GeoIP database: only the owner's file where one is given; else the licensed database, the free one, or the
 * built-in country database. With a broken one places are unknown, and hits are still counted.
 */
export const openGeoipFiles = (
  cityFile: string | null,
  path: string,
): { opened: Opened | null; error: string | null; broken: Origin[] } => {
  const fetched: [Origin, string][] = [
    ['licensed', licensedPath(path)],
    ['fallback', fallbackPath(path)],
  ]
  const files: [Origin, string][] =
    cityFile === null ? fetched.filter(([, file]) => existsSync(file)) : [['file', cityFile]]
  const broken: Origin[] = []
  let error: string | null = null
  for (const [origin, file] of files) {
    try {
      const updatedAt = origin === 'file' ? null : inSeconds(statSync(file).mtime)
      return { opened: { origin, geo: openGeo(readFileSync(file)), updatedAt }, error, broken }
    } catch (problem) {
      error ??= reasonOf(problem)
      broken.push(origin)
    }
  }
  if (cityFile !== null) return { opened: null, error, broken }
  return { opened: { origin: 'built-in', geo: openGeo(readAsset('country.mmdb')), updatedAt: null }, error, broken }
}

/** The same, with its facts. */
export const describeGeoip = (
  cityFile: string | null,
  path: string,
): { geo: GeoReader | null; origin: Origin | null; facts: GeoipFacts } => {
  const { opened, error } = openGeoipFiles(cityFile, path)
  return { geo: opened?.geo ?? null, origin: opened?.origin ?? null, facts: factsOf(opened, error) }
}
