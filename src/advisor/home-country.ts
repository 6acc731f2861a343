const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

const zonesOf = (country: string): readonly string[] => {
  const locale: Intl.Locale & { getTimeZones?: () => string[] | undefined } = new Intl.Locale('und', { region: country })
  return locale.getTimeZones?.() ?? []
}

/** The country in which a time zone is, as ISO 3166-1 alpha-2; null for UTC and the like. */
export const countryOfZone = (zone: string): string | null => {
  for (const first of letters) {
    for (const second of letters) {
      if (zonesOf(first + second).includes(zone)) return first + second
    }
  }
  return null
}
