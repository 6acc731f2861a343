/** The time zones that the browser knows, with one that it may not. */
export const zonesWith = (current: string): string[] =>
  [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])].filter(zone => zone !== '').sort()

export const zoneLabel = (zone: string): string => zone.replaceAll('_', ' ')
