// Generated visitors: their place, language and browser.
import bots from '../../data/demo/bots.json'
import machines from '../../data/demo/machines.json'
import placesData from '../../data/demo/places.json'
import { continentOf, noPlace, type Place } from '../geoip/place.ts'
import type { GeoReader } from '../geoip/reader.ts'
import { createZone, type Zone } from '../lib/time.ts'
import { between, chance, createPicker, type Picker, pickOne, type Random } from './random.ts'

type Headers = ReadonlyMap<string, string>
export type Person = {
  /** Unique per person. */
  number: number
  address: string
  country: string
  zone: Zone
  language: string
  agent: string
  headers: Headers
  screen: readonly [width: number, height: number]
  mobile: boolean
}

const homeShare = 0.36
/** Share of visitors whose city a GeoIP database would know, in countries with cities. */
const locatedShare = 0.8

type Country = {
  country: string
  zone: string
  weight: number
  languages: Readonly<Record<string, number | undefined>>
  cities: readonly { name: string; region: string | null; weight: number }[]
}
const places: readonly Country[] = placesData

/** Countries, each followed by its cities, by the number encoded in a generated address. */
const placeList: readonly Place[] = places.flatMap(({ country, cities }) => {
  const continent = continentOf(country)
  return [
    { country, region: null, city: null, continent },
    ...cities.map(({ name, region }) => ({ country, region, city: name, continent })),
  ]
})

const numberOf = (country: string, city: string | null): number =>
  placeList.findIndex(place => place.country === country && place.city === city)

/**
 * Places of generated addresses. These lie in 240.0.0.0/4, which is reserved (RFC 1112), and encode the number of their
 * place, so that no GeoIP database is needed.
 */
export const demoPlaces: GeoReader = {
  kind: 'city',
  type: 'demo',
  buildDate: new Date(0),
  lookup: address => placeList[Number(address.split('.')[3])] ?? noPlace,
  failures: () => 0,
  sample: () => [],
}

/** Visitors are distinguished by the first 24 bits of their address. */
const addressOf = (visitor: number, place: number): string =>
  `${240 + ((visitor >> 16) % 15)}.${(visitor >> 8) & 255}.${visitor & 255}.${place}`

const day = 86_400
const releases = (at: number, first: number, since: string): number =>
  first + Math.floor((at - Date.parse(since) / 1000) / (28 * day))

/** Safari and iOS are released in September; since version 26 the user agent no longer contains the system version. */
const appleVersion = (at: number): { version: string; system: string } => {
  const days = (at - Date.parse('2025-09-15') / 1000) / day
  if (days < 0) return { version: '18.6', system: '18_6' }
  return { version: `${26 + Math.floor(days / 364)}.${Math.floor((days % 364) / 75)}`, system: '18_6' }
}

type Machine = (typeof machines)[number]

/** Fills in current versions; `late` is the number of releases that the browser lags behind. */
const browserOf = (
  { agent, brand, platform, kind }: Machine,
  at: number,
  late: number,
): { agent: string; headers: Headers } => {
  const chrome = releases(at, 131, '2024-11-12') - late
  const { version, system } = appleVersion(at - late * 120 * day)
  const text = agent
    .replaceAll('{chrome}', String(chrome))
    .replaceAll('{firefox}', String(releases(at, 132, '2024-10-29') - late))
    .replaceAll('{iosDashed}', system)
    .replaceAll('{ios}', version)
  if (brand === undefined || platform === undefined) return { agent: text, headers: new Map() }
  const hints = new Map([
    ['sec-ch-ua', `"Chromium";v="${chrome}", "Not_A Brand";v="24", "${brand}";v="${chrome}"`],
    ['sec-ch-ua-mobile', kind === 'mobile' ? '?1' : '?0'],
    ['sec-ch-ua-platform', `"${platform}"`],
  ])
  return { agent: text, headers: hints }
}

const screenOf = (text: string): [number, number] => {
  const [width = 0, height = 0] = text.split('x').map(Number)
  return [width, height]
}

const optOutHeaders = (random: Random): Headers => {
  const kind = random()
  return new Map(kind < 0.03 ? [['sec-gpc', '1']] : kind < 0.043 ? [['dnt', '1']] : [])
}

/** Most visitors come from the site's own country, if that is known. */
const countryPicker = (home: string | null): Picker<Country> => {
  const others = places.reduce((sum, { country, weight }) => (country === home ? sum : sum + weight), 0)
  const own = (others * homeShare) / (1 - homeShare)
  return createPicker(places, ({ country, weight }) => (country === home ? Math.max(weight, own) : weight))
}

export type People = {
  /** Generates a visitor at a time in seconds; `mobile` if the link was opened from an app. */
  generate: (random: Random, at: number, mobile: boolean) => Person
  bot: (random: Random) => string
}

export const createPeople = (home: string | null): People => {
  const pickCountry = countryPicker(home)
  const pickMachine = createPicker(machines, ({ weight }) => weight)
  const pickPhone = createPicker(
    machines.filter(({ kind }) => kind === 'mobile'),
    ({ weight }) => weight,
  )
  const pickBot = createPicker(bots, ({ weight }) => weight)
  const zones = new Map(places.map(({ zone }) => [zone, createZone(zone)]))
  const languages = new Map(
    places.map(place => [place, createPicker(Object.entries(place.languages), ([, weight]) => weight ?? 0)]),
  )
  const cities = new Map(places.map(place => [place, createPicker(place.cities, ({ weight }) => weight)]))
  let count = 0

  const cityOf = (random: Random, place: Country): string | null =>
    place.cities.length > 0 && chance(random, locatedShare) ? (cities.get(place)?.(random).name ?? null) : null

  return {
    bot: random => pickBot(random).agent,
    generate: (random, at, mobile) => {
      const place = pickCountry(random)
      const machine = mobile && chance(random, 0.82) ? pickPhone(random) : pickMachine(random)
      const { agent, headers } = browserOf(machine, at, chance(random, 0.3) ? between(random, 1, 2) : 0)
      return {
        number: count,
        address: addressOf(count++, numberOf(place.country, cityOf(random, place))),
        country: place.country,
        zone: zones.get(place.zone) ?? createZone(place.zone),
        language: languages.get(place)?.(random)[0] ?? 'en',
        agent,
        headers: new Map([...headers, ...optOutHeaders(random)]),
        screen: screenOf(pickOne(random, machine.screens)),
        mobile: machine.kind === 'mobile',
      }
    },
  }
}
