import { countryCodes } from '../geoip/place.ts'

type Zoned = Intl.Locale & { getTimeZones?: () => string[] | undefined }

const zonesOf = (country: string): readonly string[] => {
  const locale: Zoned = new Intl.Locale('und', { region: country })
  return locale.getTimeZones?.() ?? []
}

/** The runtime's canonical name of a zone: Asia/Calcutta for Asia/Kolkata. */
const listedName = (zone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone

/** The ISO 3166-1 alpha-2 country of a time zone; null for zones such as UTC. Takes about 100 ms. */
export const countryOfZone = (zone: string): string | null => {
  const names = [zone, listedName(zone)]
  return countryCodes.find(country => zonesOf(country).some(name => names.includes(name))) ?? null
}
