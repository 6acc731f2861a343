import type { Dimension } from './statements.ts'

/** Every dimension of visits, in the order of derivation. */
export const dimensions = {
  country: { of: 'place', value: 'p.country' },
  region: { of: 'place', value: 'p.region', within: 'iif(p.region is null, null, p.country)' },
  city: { of: 'place', value: 'p.city', within: 'iif(p.city is null, null, p.country)' },
  continent: { of: 'place', value: 'p.continent' },
  language: { of: 'language', value: 'l.text' },
  screen: { of: 'screen', value: 'l.text' },
  device: { of: 'client', value: 'c.device' },
  browser: { of: 'client', value: 'c.browser' },
  browser_version: { of: 'client', value: "c.browser || ifnull(' ' || c.browser_version, '')" },
  os: { of: 'client', value: 'c.os' },
  os_version: { of: 'client', value: "c.os || ifnull(' ' || c.os_version, '')" },
  system: { of: 'client', value: 'c.os', within: 'c.browser' },
  channel: { of: 'origin', value: 'o.channel' },
  suspect: { of: 'suspect', value: "iif(v.id, 'suspect', 'people')" },
} as const satisfies Readonly<Record<string, Dimension>>
