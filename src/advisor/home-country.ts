import { countryCodes } from '../geoip/place.ts'

type Zoned = Intl.Locale & { getTimeZones?: () => string[] | undefined }

const zonesOf = (country: string): readonly string[] => {
  const locale: Zoned = new Intl.Locale('und', { region: country })
  return locale.getTimeZones?.() ?? []
}

/** The runtime's canonical name of a zone: Asia/Calcutta for Asia/Kolkata. */
const listedName = (zone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone

/** Zones of several countries. The runtime's canonical name for them is a city's: Europe/Brussels for CET. */
const sharedZones = new Set('CET EET MET WET EST MST HST EST5EDT CST6CDT MST7MDT PST8PDT'.split(' '))

/** The ISO 3166-1 alpha-2 country that a time zone belongs to; null for UTC, Etc/*, CET and so on. Takes about 100 ms. */
export const countryOfZone = (zone: string): string | null => {
  if (sharedZones.has(zone.toUpperCase())) return null
  const names = [zone, listedName(zone)]
  return countryCodes.find(country => zonesOf(country).some(name => names.includes(name))) ?? null
}
