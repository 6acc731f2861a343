// Stages sums: what formats say of a day, in the terms of the rollups.
import type { Utm } from '../../channel/channel.ts'
import { eventName } from '../../collection/ingest/event-fields.ts'
import { labelText, noUtm, pageUtm } from '../../collection/ingest/page.ts'
import type { Day } from '../../lib/time.ts'
import { utmKeys } from '../../rollup/statements.ts'
import { utmGroupings } from '../../rollup/tables.ts'
import { arrivalOf, type Context, type Rules } from './context.ts'
import { browserOf, deviceOf, type Named, osOf, type PlaceNames, placeNamed } from './names.ts'
import { RowProblem } from './row.ts'

/** Figures that a source has; those it does not know are absent, and are completed from the day's totals. */
export type Figures = {
  visitors?: number | undefined
  sessions?: number | undefined
  views?: number | undefined
  bounces?: number | undefined
}

export type PageFigures = Figures & {
  entries?: number
  entry_visitors?: number
  exits?: number
  exit_visitors?: number
  seconds?: number
  timed_views?: number
  scroll_sum?: number
  scroll_views?: number
}

/** A staged row: a table of an archive's rollups, its keys, and the figures that are known. */
export type SumRow = { table: string } & Record<string, string | number | undefined>

/** `medium` says only what kind of source it is: no campaign. */
export type SourceNames = {
  source?: string
  referrer?: string
  medium?: string
  utm?: Partial<Record<keyof Utm, string>>
}

const maxValue = 200

const utmOf = (given: SourceNames['utm'] = {}): Utm =>
  pageUtm(name => {
    const key = utmKeys.find(one => name === `utm_${one}`)
    const value = key === undefined ? '' : (given[key] ?? '')
    return /^\(.*\)$/.test(value.trim()) ? null : value
  })

const versionText = ({ name, version }: Named): string =>
  name === null ? '' : `${name}${version === null ? '' : ` ${version}`}`

export type Sums = ReturnType<typeof createSums>

export const createSums = ({ stage, tally, takes }: Context, rules: Rules) => {
  const put = (day: Day, row: SumRow): void => {
    if (takes(day)) stage.addSum(day, JSON.stringify(row))
  }

  /** A page by its path; null for what names none. */
  const keyOf = (address: string): { path: string; host: string } | null => {
    const page = rules.page(address)
    return page === null ? null : { path: page.page, host: rules.host(null) }
  }

  const nameOf = (given: string): string => {
    const name = eventName(given.trim())
    if (name === null) throw new RowProblem('its event has no name, or one of more than 100 characters')
    if (name !== given.trim()) tally.renamed('event', given.trim(), name)
    return name
  }

  const dimension = (day: Day, name: string, value: string, figures: Figures, within = ''): void =>
    put(day, { table: 'dimension', dimension: name, value: value.slice(0, maxValue), within, ...figures })

  const versioned = (day: Day, name: string, named: Named, figures: Figures): void => {
    dimension(day, name, named.name ?? '', figures)
    dimension(day, `${name}_version`, versionText(named), figures)
  }

  return {
    site: (day: Day, figures: Figures & { seconds?: number }): void => {
      if (!takes(day)) return
      const { visitors = 0, sessions = visitors, views = 0 } = figures
      tally.add(day, { visitors: figures.visitors ?? sessions, visits: sessions, views })
      put(day, { table: 'site', ...figures })
    },
    /** @param hour its number in the day */
    hour: (day: Day, hour: number, figures: Figures & { seconds: number }): void =>
      put(day, { table: 'hour', hour, ...figures }),
    page: (day: Day, address: string, figures: PageFigures): void => {
      const key = keyOf(address)
      if (key !== null) put(day, { table: 'page', ...key, ...figures })
    },
    source: (day: Day, { source = '', referrer = '', medium, utm: given }: SourceNames, figures: Figures): void => {
      const utm = given === undefined ? noUtm : utmOf(given)
      const arrival = arrivalOf(source, referrer, { ...utm, medium: utm.medium ?? medium ?? null })
      if (arrival.referrer !== null && rules.isSpam(arrival.referrer)) return tally.skip('visits from referrer spam')
      const { channel, source: name, domain } = rules.origin(arrival)
      put(day, { table: 'source', channel, source: name, domain: domain ?? '', ...figures })
      for (const grouping of utmGroupings) {
        const keys = grouping.split(',')
        const values = Object.fromEntries(utmKeys.map(key => [key, keys.includes(key) ? (utm[key] ?? '') : '']))
        if (Object.values(values).every(value => value === '')) continue
        put(day, { table: 'utm', grouping, ...values, ...figures })
      }
    },
    place: (day: Day, names: PlaceNames, figures: Figures): void => {
      const { country, region, city } = placeNamed(names)
      if (country === null) return
      dimension(day, 'country', country, figures)
      if (region !== null) dimension(day, 'region', region, figures, country)
      if (city !== null) dimension(day, 'city', city, figures, country)
    },
    device: (day: Day, name: string, figures: Figures): void => dimension(day, 'device', deviceOf(name), figures),
    browser: (day: Day, name: string, version: string, figures: Figures): void =>
      versioned(day, 'browser', browserOf(name, version), figures),
    os: (day: Day, name: string, version: string, figures: Figures): void =>
      versioned(day, 'os', osOf(name, version), figures),
    event: (
      day: Day,
      given: string,
      figures: { total: number; visitors?: number | undefined },
      { page = '', properties = {} }: { page?: string; properties?: Readonly<Record<string, string>> } = {},
    ): void => {
      const name = nameOf(given)
      put(day, { table: 'event', name, ...figures })
      const key = page === '' ? null : keyOf(page)
      if (key !== null) put(day, { table: 'event_page', name, ...key, total: figures.total })
      for (const [property, text] of Object.entries(properties)) {
        const value = labelText(text, maxValue)
        if (value !== null) put(day, { table: 'event_property', name, key: property, value, total: figures.total })
      }
    },
  }
}
