// The writers of formats that have sums of days.
import type { HistoryFormat } from '../../../src/lib/histories.ts'
import type { Figures, SaidDay, SumsDay } from '../history-sums.ts'
import { createCalendar } from '../rules.ts'
import { csv } from './file.ts'

export type SumsFormat = {
  name: HistoryFormat
  title: string
  /** The files, and what they say. */
  write: (
    days: readonly SumsDay[],
    zone: string,
  ) => { files: Record<string, string>; said: SaidDay[]; notImported: number }
}

const dates = ['2026-03-27', '2026-03-28', '2026-03-29']
const dateOf = (index: number): string => dates[index] ?? ''

const only =
  <Name extends keyof Figures>(...names: Name[]) =>
  (row: { name: string } & Record<Name, number>): Figures & { name: string } => ({
    name: row.name,
    ...Object.fromEntries(names.map(name => [name, row[name]])),
  })

const nothing = (day: string, totals: SaidDay['totals']): SaidDay => ({
  day,
  totals,
  dimensions: {},
  sources: [],
  pages: [],
  events: [],
  hours: new Map(),
})

const spams = (days: readonly SumsDay[]): number =>
  days.reduce((sum, { rows }) => sum + rows.source.filter(({ name }) => name === 'semalt.com').length, 0)

/** Without sources of visits that nobody names. */
const namedSources = ({ rows }: SumsDay) => rows.source.filter(({ name }) => name !== '')

const table = (rows: readonly Record<string, string | number | null>[]): string | null =>
  rows.length === 0 ? null : csv(rows)

const present = (files: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).flatMap(([name, text]) => (text === null ? [] : [[name, text]])))

export const plausible = (isOld: boolean): SumsFormat => ({
  name: 'plausible',
  title: `Plausible${isOld ? ' of before' : ''}`,
  write: days => {
    const cells = (row: { visitors: number; sessions: number; views: number; bounces: number }) => ({
      visitors: row.visitors,
      visits: row.sessions,
      ...(!isOld && { pageviews: row.views, bounces: row.bounces }),
    })
    const figures = isOld ? only('visitors', 'sessions') : only('visitors', 'sessions', 'views', 'bounces')
    const each = <T>(work: (day: SumsDay, date: string) => T[]): T[] =>
      days.flatMap((day, index) => work(day, dateOf(index)))
    return {
      files: present({
        'visitors.csv': table(
          each(({ totals }, date) => [
            {
              date,
              visitors: totals.visitors,
              pageviews: totals.views,
              bounces: totals.bounces,
              visits: totals.sessions,
              visit_duration: totals.seconds,
            },
          ]),
        ),
        'sources.csv': table(
          each(({ rows }, date) => rows.source.map(row => ({ date, source: row.name, ...cells(row) }))),
        ),
        'countries.csv': table(
          each(({ rows }, date) =>
            rows.country.map(row => ({ date, country: row.name, region: '', city: 0, ...cells(row) })),
          ),
        ),
        'devices.csv': table(
          each(({ rows }, date) => rows.device.map(row => ({ date, device: row.name, ...cells(row) }))),
        ),
        'browsers.csv': table(
          each(({ rows }, date) => rows.browser.map(row => ({ date, browser: row.name, ...cells(row) }))),
        ),
        'systems.csv': table(
          each(({ rows }, date) => rows.os.map(row => ({ date, operating_system: row.name, ...cells(row) }))),
        ),
        'pages.csv': table(
          each(({ rows }, date) =>
            rows.page.map(row => ({
              date,
              hostname: 'example.org',
              page: row.name,
              visitors: row.visitors,
              pageviews: row.views,
              ...(!isOld && { visits: row.sessions, total_time_on_page: row.views * 7 }),
            })),
          ),
        ),
        'entry.csv': table(
          each(({ edges }, date) =>
            edges.entry.map(row => ({
              date,
              entry_page: row.name,
              visitors: row.visitors,
              entrances: row.sessions,
              bounces: row.bounces,
            })),
          ),
        ),
        'exit.csv': table(
          each(({ edges }, date) =>
            edges.exit.map(row => ({ date, exit_page: row.name, visitors: row.visitors, exits: row.sessions })),
          ),
        ),
        'events.csv': table(
          each(({ events }, date) =>
            events.map(row => ({
              date,
              name: row.name,
              link_url: '',
              path: '',
              visitors: row.visitors,
              events: row.views,
            })),
          ),
        ),
      }),
      said: days.map(({ totals, rows, edges, events }, index) => ({
        ...nothing(dateOf(index), totals),
        dimensions: {
          country: rows.country.map(figures),
          device: rows.device.map(figures),
          browser: rows.browser.map(figures),
          os: rows.os.map(figures),
        },
        sources: rows.source.map(figures),
        pages: [
          ...rows.page.map(row => ({
            name: row.name,
            visitors: row.visitors,
            sessions: isOld ? row.visitors : row.sessions,
            views: row.views,
            ...(!isOld && { seconds: row.views * 7 }),
          })),
          ...edges.entry.map(row => ({
            name: row.name,
            entries: row.sessions,
            entry_visitors: row.visitors,
            bounces: row.bounces,
          })),
          ...edges.exit.map(row => ({ name: row.name, exits: row.sessions, exit_visitors: row.visitors })),
        ],
        events: events.map(row => ({ name: row.name, total: row.views, visitors: row.visitors })),
      })),
      notImported: spams(days),
    }
  },
})

const rate = ({ bounces, sessions }: { bounces: number; sessions: number }): number => bounces / Math.max(sessions, 1)

export const ga4: SumsFormat = {
  name: 'ga4',
  title: 'Google Analytics 4',
  write: days => {
    const cells = (row: { visitors: number; sessions: number; views: number; bounces: number }) => ({
      Views: row.views,
      'Active users': row.visitors,
      Sessions: row.sessions,
      // More than all where its figures are estimated.
      'Bounce rate': row.bounces >= row.sessions ? '1.25' : rate(row).toFixed(10),
    })
    const each = (
      column: string,
      rowsOf: (
        day: SumsDay,
      ) => readonly { name: string; visitors: number; sessions: number; views: number; bounces: number }[],
    ) =>
      table(
        days.flatMap((day, index) =>
          rowsOf(day).map(row => ({ Date: dateOf(index).replaceAll('-', ''), [column]: row.name, ...cells(row) })),
        ),
      )
    const named = only('visitors', 'sessions', 'views', 'bounces')
    const figures = (row: Parameters<typeof named>[0]) =>
      named({ ...row, bounces: Math.min(row.bounces, row.sessions) })
    const sources = days.flatMap((day, index) =>
      day.rows.source.map(row => ({
        Date: dateOf(index),
        'Session source': row.name === '' ? '(direct)' : row.name,
        'Session medium': row.name === '' ? '(none)' : row.name === 'Google' ? 'organic' : 'referral',
        'Session campaign': row.name === 'Google' ? '(organic)' : row.name === '' ? '(direct)' : '(not set)',
        ...cells(row),
      })),
    )
    const landing = days.flatMap((day, index) =>
      day.edges.entry.map(row => ({
        Date: dateOf(index),
        'Landing page': row.name,
        Sessions: row.sessions,
        'Bounce rate': rate(row).toFixed(10),
      })),
    )
    const events = days.flatMap((day, index) =>
      day.events.map(row => ({ Date: dateOf(index), 'Event name': row.name, 'Event count': row.views })),
    )
    return {
      files: present({
        'totals.csv': table(
          days.map(({ totals }, index) => ({
            Date: dateOf(index),
            ...cells(totals),
            'Average engagement time per session': '2.6',
          })),
        ),
        'pages.csv': each('Page path and screen class', ({ rows }) => rows.page),
        'countries.csv': each('Country', ({ rows }) => rows.country),
        'devices.csv': each('Device category', ({ rows }) => rows.device),
        'browsers.csv': each('Browser', ({ rows }) => rows.browser),
        'systems.csv': each('Operating system', ({ rows }) => rows.os),
        'sources.csv': table(sources),
        'landing.csv': table(landing),
        'events.csv': table(events),
      }),
      said: days.map(({ totals, rows, edges, events }, index) => ({
        ...nothing(dateOf(index), { ...totals, seconds: Math.round(totals.sessions * 2.6) }),
        dimensions: {
          country: rows.country.map(figures),
          device: rows.device.map(figures),
          browser: rows.browser.map(figures),
          os: rows.os.map(figures),
        },
        sources: rows.source.map(figures),
        pages: [
          ...rows.page.map(figures),
          ...edges.entry.map(row => ({
            name: row.name,
            entries: row.sessions,
            entry_visitors: row.sessions,
            bounces: Math.min(row.bounces, row.sessions),
          })),
        ],
        events: events.map(row => ({ name: row.name, total: row.views })),
      })),
      notImported: spams(days),
    }
  },
}

const start = Date.parse('2026-03-27T00:00:00Z') / 1000

export const fathom = (hasUniques: boolean): SumsFormat => ({
  name: 'fathom',
  title: `Fathom${hasUniques ? '' : ' without uniques'}`,
  write: (days, zone) => {
    const { dayOf, midnightAfter } = createCalendar(zone)
    const said = new Map<string, SaidDay>()
    /** Each day's figures are those of an hour, in UTC. */
    const momentOf = (index: number): number => start + index * 86_400 + ((index * 7 + 18) % 24) * 3600
    const stamp = (index: number): string =>
      new Date(momentOf(index) * 1000).toISOString().slice(0, 19).replace('T', ' ')
    const views = only('views')
    for (const [index, { totals, rows, events }] of days.entries()) {
      const at = momentOf(index)
      const day = dayOf(at)
      const known = said.get(day) ?? nothing(day, { visitors: 0, sessions: 0, views: 0, bounces: 0, seconds: 0 })
      const seconds = Math.round(totals.sessions * 2.6)
      const visitors = hasUniques ? Math.min(totals.visitors + 2, totals.sessions) : totals.sessions
      const sums = {
        visitors,
        sessions: totals.sessions,
        views: totals.views,
        bounces: Math.min(totals.bounces, totals.sessions),
        seconds,
      }
      const hour = Math.floor((at - midnightAfter(at - 86_400)) / 3600)
      said.set(day, {
        ...known,
        totals: Object.fromEntries(
          Object.entries(sums).map(([name, value]) => [
            name,
            value + ((known.totals as Record<string, number>)[name] ?? 0),
          ]),
        ),
        dimensions: {
          country: [...(known.dimensions.country ?? []), ...rows.country.map(views)],
          device: [...(known.dimensions.device ?? []), ...rows.device.map(views)],
          browser: [...(known.dimensions.browser ?? []), ...rows.browser.map(views)],
        },
        sources: [...known.sources, ...namedSources({ rows } as SumsDay).map(views)],
        pages: [...known.pages, ...rows.page.map(views)],
        events: [...known.events, ...events.map(row => ({ name: row.name, total: row.views }))],
        hours: new Map([...known.hours, [hour, sums]]),
      })
    }
    const each = (
      rowsOf: (day: SumsDay) => readonly { name: string; views: number }[],
      cellsOf: (row: { name: string; views: number }) => Record<string, string | number>,
    ) => table(days.flatMap((day, index) => rowsOf(day).map(row => ({ Timestamp: stamp(index), ...cellsOf(row) }))))
    return {
      files: present({
        'Site.csv': table(
          days.map(({ totals }, index) => ({
            Timestamp: stamp(index),
            Pageviews: totals.views,
            Visits: totals.sessions,
            ...(hasUniques && { Uniques: totals.visitors + 2 }),
            'Bounce Rate': rate(totals).toFixed(10),
            'Avg Duration': '2.6',
          })),
        ),
        'Pages.csv': each(
          ({ rows }) => rows.page,
          row => ({ Hostname: 'https://example.org', Pathname: row.name, Views: row.views }),
        ),
        'Referrers.csv': each(namedSources, row => ({ 'Referrer Hostname': row.name, Views: row.views })),
        'Browsers.csv': each(
          ({ rows }) => rows.browser,
          row => ({ Browser: row.name, Pageviews: row.views }),
        ),
        'Countries.csv': each(
          ({ rows }) => rows.country,
          row => ({ Country: row.name, Pageviews: row.views }),
        ),
        'DeviceTypes.csv': each(
          ({ rows }) => rows.device,
          row => ({ 'Device Type': row.name, Pageviews: row.views }),
        ),
        'Events.csv': each(
          ({ events }) => events,
          row => ({ 'Event Name': row.name, Completions: row.views }),
        ),
      }),
      said: [...said.values()],
      notImported: spams(days),
    }
  },
})

export const koko: SumsFormat = {
  name: 'koko',
  title: 'Koko Analytics',
  write: days => {
    const paths = [...new Set(days.flatMap(({ rows }) => rows.page.map(({ name }) => name)))]
    const labels = [...new Set(days.flatMap(day => namedSources(day).map(({ name }) => name)))]
    const part = (name: string, columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
      rows.length === 0
        ? ''
        : `${JSON.stringify({ table: `koko_analytics_${name}`, columns })}\n${JSON.stringify(rows.map(row => row.map(String)))}\n`
    return {
      files: {
        'koko.ndjson': [
          part(
            'site_stats',
            ['date', 'visitors', 'pageviews'],
            days.map(({ totals }, index) => [dateOf(index), totals.visitors, totals.views]),
          ),
          part(
            'paths',
            ['id', 'path'],
            paths.map((path, index) => [index + 1, path]),
          ),
          part(
            'post_stats',
            ['date', 'path_id', 'post_id', 'visitors', 'pageviews'],
            days.flatMap(({ rows }, index) =>
              rows.page.map(row => [dateOf(index), paths.indexOf(row.name) + 1, 0, row.visitors, row.views]),
            ),
          ),
          part(
            'referrer_labels',
            ['id', 'value'],
            labels.map((label, index) => [index + 1, label]),
          ),
          part(
            'referrer_stats',
            ['date', 'id', 'unique_hits', 'hits'],
            days.flatMap((day, index) =>
              namedSources(day).map(row => [dateOf(index), labels.indexOf(row.name) + 1, row.sessions, row.views]),
            ),
          ),
        ].join(''),
      },
      said: days.map((day, index) => ({
        ...nothing(dateOf(index), { visitors: day.totals.visitors, views: day.totals.views }),
        sources: namedSources(day).map(only('sessions', 'views')),
        pages: day.rows.page.map(row => ({
          name: row.name,
          visitors: row.visitors,
          sessions: row.visitors,
          views: row.views,
        })),
      })),
      notImported: spams(days),
    }
  },
}

const addressOf = (source: string): string =>
  source === '' ? '' : source === 'Google' ? 'https://www.google.com/' : `https://${source}/x`

export const statify: SumsFormat = {
  name: 'statify',
  title: 'Statify',
  write: days => {
    const views = days.flatMap(({ rows }, index) =>
      rows.page.flatMap(page =>
        Array.from({ length: page.views }, (_, view) => ({
          index,
          page: page.name,
          source: rows.source[view % 4]?.name ?? '',
        })),
      ),
    )
    const one = { visitors: 1, sessions: 1, views: 1 }
    return {
      files: {
        'statify.csv': csv([
          // Neither the view nor its page counts.
          { id: 'bad', created: '2026-03-27', referrer: '', target: 'https://' },
          ...views.map((view, id) => ({
            id,
            created: dateOf(view.index),
            referrer: addressOf(view.source),
            target: view.page,
          })),
        ]),
      },
      said: [...Map.groupBy(views, ({ index }) => index)].map(([index, of]) => ({
        ...nothing(dateOf(index), { visitors: of.length, sessions: of.length, views: of.length }),
        sources: of
          .filter(({ source }) => source !== '')
          .map(({ source }) => ({ name: source === 'Google' ? 'google.com' : source, ...one })),
        pages: of.map(({ page }) => ({ name: page, ...one })),
      })),
      notImported: views.filter(({ source }) => source === 'semalt.com').length,
    }
  },
}

export const wpStatisticsSums: SumsFormat = {
  name: 'wp-statistics',
  title: 'WP Statistics without single views',
  write: days => {
    const visitors = days.flatMap(({ rows }, index) =>
      rows.country.map((row, number) => ({
        index,
        country: row.name,
        device: rows.device[number]?.name ?? 'Mobile',
        browser: rows.browser[number]?.name ?? 'Chrome',
        os: rows.os[number]?.name ?? 'Windows',
        source: rows.source[number]?.name ?? '',
        views: row.views,
        isBot: row.bounces % 4 === 3,
      })),
    )
    const people = visitors.filter(({ isBot }) => !isBot)
    return {
      files: present({
        'summary.csv': table(
          days.map(({ totals }, id) => ({ ID: id, date: dateOf(id), visitors: totals.visitors, views: totals.views })),
        ),
        'pages.csv': table(
          days.flatMap(({ rows }, index) =>
            rows.page.map((row, number) => ({
              page_id: `${index} ${number}`,
              uri: row.name,
              type: 'page',
              date: dateOf(index),
              count: row.views,
            })),
          ),
        ),
        'visitor.csv': table(
          visitors.map((row, id) => ({
            ID: id,
            last_counter: dateOf(row.index),
            referred: addressOf(row.source),
            agent: row.browser,
            platform: row.os,
            version: '145.0',
            device: row.device,
            location: row.country === 'ZZ' ? '000' : row.country,
            region: '',
            city: '',
            hits: row.views,
            honeypot: Number(row.isBot),
          })),
        ),
      }),
      said: days.map(({ totals, rows }, index) => {
        const of = people.filter(one => one.index === index)
        const by = (key: 'country' | 'device' | 'browser' | 'os') =>
          of.map(one => ({ name: one[key], visitors: 1, sessions: 1, views: one.views }))
        return {
          ...nothing(dateOf(index), { visitors: totals.visitors, views: totals.views }),
          dimensions: { country: by('country'), device: by('device'), browser: by('browser'), os: by('os') },
          sources: of.map(({ source, views }) => ({
            name: source === 'Google' ? 'google.com' : source,
            visitors: 1,
            sessions: 1,
            views,
          })),
          pages: rows.page.map(({ name, views }) => ({ name, views })),
        }
      }),
      notImported: visitors.length - people.length + people.filter(({ source }) => source === 'semalt.com').length,
    }
  },
}
