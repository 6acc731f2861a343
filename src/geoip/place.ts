import continentsText from '../../data/continents.txt'

/**
 * The location of a visitor: country as ISO 3166-1 alpha-2, region and city by their English names ('DE-BY' for a
 * region without a name), continent as one of AF AN AS EU NA OC SA. `null` is unknown.
 */
export type Place = Readonly<{
  country: string | null
  region: string | null
  city: string | null
  continent: string | null
}>

export const noPlace: Place = Object.freeze({ country: null, region: null, city: null, continent: null })

const maxNameLength = 100

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

/** The continent of an ISO 3166-1 alpha-2 code; `null` if it is not a country ('EU', 'ZZ'). */
export const continentOf = (country: string): string | null => continentByCountry.get(country) ?? null

/** A nested property of a record, whose shape is not validated. */
const field = (record: unknown, ...path: string[]): unknown => {
  let value = record
  for (const key of path)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
  return value
}

const nameIn = (value: unknown): string | null => {
  const text = typeof value === 'string' ? value.trim().slice(0, maxNameLength) : ''
  return text === '' ? null : text
}

const codeIn = (value: unknown, isKnown: (code: string) => boolean): string | null => {
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
  const country = codeIn(
    field(record, 'country', 'iso_code') ?? field(record, 'country_code') ?? field(record, 'country'),
    isCountry,
  )
  const city = field(record, 'city')
  return {
    country,
    region: regionOf(record, country),
    city: nameIn(field(city, 'names', 'en')) ?? nameIn(city),
    continent:
      codeIn(
        field(record, 'continent', 'code') ?? field(record, 'continent_code') ?? field(record, 'continent'),
        isContinent,
      ) ?? (country === null ? null : continentOf(country)),
  }
}

const places = new WeakMap<object, Place>()

/**
 * Reads a record: the nested ones of MaxMind and DB-IP, and flat ones (`country_code`, `state1`, `city`).
 * Codes that are not countries (EU, AP, ZZ) are unknown; a missing continent is taken from the country.
 * The place of a record is cached, so neither may be modified.
 */
export const placeOf = (record: unknown): Place => {
  if (typeof record !== 'object' || record === null) return noPlace
  let place = places.get(record)
  if (place === undefined) places.set(record, (place = readPlace(record)))
  return place
}
