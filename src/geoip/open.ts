import { existsSync, readFileSync, statSync } from 'node:fs'
import * as v from 'valibot'
import { errorText } from '../lib/errors.ts'
import { readAsset } from '../runtime/assets.ts'

import { type GeoReader, openGeo } from './reader.ts'

/** Where a database comes from, in order of precedence: --geoip-city, a download, or the program itself. */
export type Origin = 'file' | 'licensed' | 'fallback' | 'built-in'

/** Facts about the GeoIP database; times in seconds since 1970. `error` is the problem of an unusable file. */
export type GeoipFacts = {
  source: 'none' | 'country' | 'city' | 'fallback_city'
  builtAt: number | null
  error: string | null
  updatedAt: number | null
  /** Required attribution wherever places are shown. */
  attribution: Attribution | null
}

export type Opened = { origin: Origin; geo: GeoReader; updatedAt: number | null }

/** Attribution that a vendor requires wherever places are shown. */
export const attributionSchema = v.object({ text: v.string(), url: v.string() })
export type Attribution = v.InferOutput<typeof attributionSchema>

/** By the database type in the metadata. Commercial databases, such as GeoIP2-City, require none. */
const attributions: readonly (readonly [type: RegExp, attribution: Attribution])[] = [
  [
    /^GeoLite/i,
    {
      text: 'This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com.',
      url: 'https://www.maxmind.com',
    },
  ],
  [/^DBIP-.*Lite/i, { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com' }],
  [
    /^country ipvAll/,
    { text: 'Countries by data of the NRO (CC BY 4.0), in the edition of ip-location-db', url: 'https://www.nro.net' },
  ],
]

const attributionOf = (type: string): Attribution | null =>
  attributions.find(([pattern]) => pattern.test(type))?.[1] ?? null

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
 * Opens a GeoIP database: only the file of --geoip-city if it is set; else the licensed database, the free one, or the
 * built-in country database. Without a usable one, places are unknown, but hits are still counted.
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

/** As openGeoipFiles, with the facts of the database. */
export const describeGeoip = (
  cityFile: string | null,
  path: string,
): { geo: GeoReader | null; origin: Origin | null; facts: GeoipFacts } => {
  const { opened, error } = openGeoipFiles(cityFile, path)
  return { geo: opened?.geo ?? null, origin: opened?.origin ?? null, facts: factsOf(opened, error) }
}
