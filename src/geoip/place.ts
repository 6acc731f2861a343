import continentsText from '../../data/continents.txt'

/**
 * Where a visitor is: country as ISO 3166-1 alpha-2, region and city by their English names ('DE-BY' for a region without a name),
 * continent as one of AF AN AS EU NA OC SA. `null` is unknown.
 */
export type Place = Readonly<{
  country: string | null
  region: string | null
  city: string | null
  continent: string | null
}>

export const noPlace: Place = Object.freeze({ country: null, region: null, city: null, continent: null })

const longestName = 100

const continentLines = continentsText
  .split('\n')
  .filter(line => /^[A-Z]{2} /.test(line))
  .map(line => line.trim().split(' '))
const continents = new Set(continentLines.map(([continent = '']) => continent))
const continentByCountry = new Map(
  continentLines.flatMap(([continent = '', ...countries]) => countries.map(country => [country, continent] as const)),
)

/** Every country's ISO 3166-1 alpha-2 code. */
export const countryCodes: readonly string[] = [...continentByCountry.keys()]

/** The continent's code of an ISO 3166-1 alpha-2 code; `null` for what is no country ('EU', 'ZZ'). */
export const continentOf = (country: string): string | null => continentByCountry.get(country) ?? null

/** A property of something read from a file, whose shape nobody vouches for. */
const field = (value: unknown, ...path: string[]): unknown => {
  let found = value
  for (const key of path)
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined
  return found
}

const nameIn = (value: unknown): string | null => {
  const text = typeof value === 'string' ? value.trim().slice(0, longestName) : ''
  return text === '' ? null : text
}

const known = (value: unknown, isKnown: (code: string) => boolean): string | null => {
  const code = nameIn(value)?.toUpperCase()
  return code !== undefined && isKnown(code) ? code : null
}

const isCountry = (code: string): boolean => continentByCountry.has(code)
const isContinent = (code: string): boolean => continents.has(code)

const regionOf = (record: unknown, country: string | null): string | null => {
  const subdivision = field(record, 'subdivisions', '0')
  const code = nameIn(field(subdivision, 'iso_code'))
  return (
    nameIn(field(subdivision, 'names', 'en')) ??
    nameIn(field(record, 'state1')) ??
    (code !== null && country !== null ? `${country}-${code}` : null)
  )
}

const readPlace = (record: object): Place => {
  const country = known(
    field(record, 'country', 'iso_code') ?? field(record, 'country_code') ?? field(record, 'country'),
    isCountry,
  )
  const city = field(record, 'city')
  return {
    country,
    region: regionOf(record, country),
    city: nameIn(field(city, 'names', 'en')) ?? nameIn(city),
    continent:
      known(
        field(record, 'continent', 'code') ?? field(record, 'continent_code') ?? field(record, 'continent'),
        isContinent,
      ) ?? (country === null ? null : continentOf(country)),
  }
}

const places = new WeakMap<object, Place>()

/**
 * Reads one record of a database: MaxMind's and DB-IP's nested ones, and the flat ones (`country_code`, `state1`, `city`).
 * Codes that are no countries (EU, AP, ZZ) are unknown, and a continent the database lacks is taken from the country.
 * All who ask for the same record are given the same place, so nobody may change either.
 */
export const placeOf = (record: unknown): Place => {
  if (typeof record !== 'object' || record === null) return noPlace
  let place = places.get(record)
  if (place === undefined) places.set(record, (place = readPlace(record)))
  return place
}
