import { existsSync, readFileSync, statSync } from 'node:fs'
import { errorText } from '../lib/errors.ts'
import { readAsset } from '../runtime/assets.ts'
import { attributionOf, type Attribution } from './attribution.ts'
import { openGeo, type GeoReader } from './reader.ts'

/** Whose database is in use: the owner's file, one that was fetched, or the program's own; in the order of precedence. */
export type Origin = 'file' | 'licensed' | 'fallback' | 'built-in'

/** What is known of the places' database; times in seconds since 1970, `error` what is wrong with a file. */
export type GeoipFacts = {
  source: 'none' | 'country' | 'city' | 'fallback_city'
  builtAt: number | null
  error: string | null
  updatedAt: number | null
  /** What has to be said where places are shown. */
  attribution: Attribution | null
}

export type Opened = { origin: Origin; geo: GeoReader; updatedAt: number | null }

/** Where the databases lie that the service fetches by itself. */
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
 * Opens the places: the owner's file and nothing else where it is named; else the licensed database, the free one, or the
 * built-in one of countries. A broken one costs the places, not the hits.
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

/** The same, and what there is to tell about it. */
export const describeGeoip = (
  cityFile: string | null,
  path: string,
): { geo: GeoReader | null; origin: Origin | null; facts: GeoipFacts } => {
  const { opened, error } = openGeoipFiles(cityFile, path)
  return { geo: opened?.geo ?? null, origin: opened?.origin ?? null, facts: factsOf(opened, error) }
}
