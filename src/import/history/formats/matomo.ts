import type { Format } from '../format.ts'
import type { Hit } from '../hits.ts'
import { languageOf, screenOf } from '../names.ts'
import { cellText, numberOr, type Row, RowProblem, secondIn } from '../row.ts'
import type { Sink } from '../sink.ts'

type Action = { [name: string]: unknown }

const isAction = (value: unknown): value is Action =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const actionsOf = (row: Row): Action[] => {
  const actions: unknown = row.raw('actiondetails')
  if (!Array.isArray(actions)) throw new RowProblem('actionDetails is not a list')
  return actions.filter(isAction)
}

const textOf = (action: Action, name: string): string => cellText(action[name])
const numberOf = (action: Action, name: string): number | undefined => numberOr(textOf(action, name))

/** Their names for sources: search engines and networks have one, other sites their address. */
const sourceOf = (row: Row): Hit['source'] => {
  const type = row.get('referrertype')
  const utm = {
    source: row.get('campaignsource'),
    medium: row.get('campaignmedium'),
    campaign: row.get('campaignname') || (type === 'campaign' ? row.get('referrername') : ''),
  }
  const referrer = row.get('referrerurl')
  return { utm, referrer, source: referrer === '' && type !== 'campaign' ? row.get('referrername') : '' }
}

const visitOf = (row: Row): Omit<Hit, 'at'> => {
  const country = row.get('countrycode')
  return {
    visit: row.get('idvisit'),
    visitor: row.get('visitorid') || row.get('idvisit'),
    source: sourceOf(row),
    place: {
      country: country === 'xx' ? '' : country,
      region: row.get('region') || row.get('regioncode'),
      city: row.get('city'),
    },
    device: row.get('devicetype'),
    browser: [row.get('browsername'), row.get('browserversion')],
    os: [row.get('operatingsystemname'), row.get('operatingsystemversion')],
    screen: screenOf(row.get('resolution')),
    language: languageOf(row.get('languagecode')),
  }
}

/** What an action is in our terms; null for one that is not a visitor's. */
const partOf = (action: Action): Partial<Hit> | null => {
  const url = textOf(action, 'url')
  switch (textOf(action, 'type')) {
    case 'action':
      return { page: url, title: textOf(action, 'pageTitle'), seconds: numberOf(action, 'timeSpent') }
    case 'event': {
      const properties = { category: textOf(action, 'eventCategory'), name: textOf(action, 'eventName') }
      const given = Object.entries(properties).filter(([, value]) => value !== '')
      const value = numberOf(action, 'eventValue')
      return { page: url, event: textOf(action, 'eventAction'), properties: Object.fromEntries(given), value }
    }
    case 'outlink':
      return { event: 'outbound_link', properties: { url } }
    case 'download':
      return { event: 'file_download', properties: { url } }
    case 'search':
      return {
        event: 'site_search',
        properties: { term: textOf(action, 'siteSearchKeyword') || textOf(action, 'pageTitle') },
      }
    default:
      return null
  }
}

/** Actions have the site's local time as if it were UTC; the visit's own times are right. */
const shiftOf = (row: Row, actions: readonly Action[], to: Sink): number => {
  const last = Math.max(...actions.map(action => numberOf(action, 'timestamp') ?? 0))
  return row.get('lastactiontimestamp') === '' ? 0 : last - secondIn(row, 'lastactiontimestamp', to.sourceZone)
}

const read = (row: Row, to: Sink): void => {
  const actions = actionsOf(row)
  const shift = shiftOf(row, actions, to)
  const visit = visitOf(row)
  for (const action of actions) {
    const part = partOf(action)
    const at = numberOf(action, 'timestamp')
    if (part === null) to.skip('actions that are not a page view or an event')
    else if (at === undefined) throw new RowProblem('an action has no timestamp')
    else to.hit({ ...visit, ...part, at: at - shift })
  }
}

export const matomo: Format = {
  name: 'matomo',
  grain: 'visits',
  tables: [{ name: 'visits', key: ['idvisit', 'actiondetails'], once: ['idvisit'], read }],
  totals: ['visits'],
  zone: 'UTC',
  site: 'idsite',
  lacks: [],
  advice: 'Take the answers of the method Live.getLastVisitsDetails as JSON.',
  remarks: ['Goals and orders of Matomo are not imported.'],
}
