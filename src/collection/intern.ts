import { lru } from 'tiny-lru'
import * as v from 'valibot'
import { get, query, type Db, type Query, type Shape } from '../database/query.ts'
import addCampaign from '../sql/campaign.add.sql'
import findCampaign from '../sql/campaign.find.sql'
import addClient from '../sql/client.add.sql'
import findClient from '../sql/client.find.sql'
import addLabel from '../sql/label.add.sql'
import findLabel from '../sql/label.find.sql'
import addOrigin from '../sql/origin.add.sql'
import findOrigin from '../sql/origin.find.sql'
import addPage from '../sql/page.add.sql'
import findPage from '../sql/page.find.sql'
import addPlace from '../sql/place.add.sql'
import findPlace from '../sql/place.find.sql'

const text = v.nullable(v.string())
const label = v.object({ text: v.string() })
const page = v.object({ path: v.string() })
const origin = v.object({ channel: v.string(), source: v.string(), domain: text })
const campaign = v.object({ source: text, medium: text, campaign: text, term: text, content: text })
const place = v.object({ continent: text, country: text, region: text, city: text })
const client = v.object({ device: v.string(), browser: text, browser_version: text, os: text, os_version: text })

const id = v.object({ id: v.number() })

/** The two statements of a dictionary table: find a value's number, and give it one. */
const dictionary = <S extends Shape>(find: string, add: string, schema: S) =>
  ({ find: query(find, schema, id), add: query(add, schema, id) })

const dictionaries = {
  label: dictionary(findLabel, addLabel, label),
  page: dictionary(findPage, addPage, page),
  origin: dictionary(findOrigin, addOrigin, origin),
  campaign: dictionary(findCampaign, addCampaign, campaign),
  place: dictionary(findPlace, addPlace, place),
  client: dictionary(findClient, addClient, client),
}

const cacheSize = 20_000

const interner = <S extends Shape>(db: Db, { find, add }: { find: Query<S, typeof id>, add: Query<S, typeof id> }) => {
  const cache = lru<number>(cacheSize)
  const intern = (value: v.InferInput<S>): number => {
    const key = Object.values(value).join('\n')
    const known = cache.get(key)
    if (known !== undefined) return known
    const found = get(db, find, value) ?? get(db, add, value)
    if (found === undefined) throw new Error('a dictionary gave no number')
    cache.set(key, found.id)
    return found.id
  }
  return { intern, reset: () => cache.clear() }
}

/**
 * Texts that come again and again are kept once and known by their number.
 * The numbers are remembered in memory; `reset` after a rollback, which may have taken some back.
 */
export const createInterner = (db: Db) => {
  const labels = interner(db, dictionaries.label)
  const pages = interner(db, dictionaries.page)
  const origins = interner(db, dictionaries.origin)
  const campaigns = interner(db, dictionaries.campaign)
  const places = interner(db, dictionaries.place)
  const clients = interner(db, dictionaries.client)
  return {
    label: (value: string | null) => value === null ? null : labels.intern({ text: value }),
    page: (path: string) => pages.intern({ path }),
    origin: origins.intern,
    campaign: campaigns.intern,
    place: places.intern,
    client: clients.intern,
    reset: () => [labels, pages, origins, campaigns, places, clients].forEach(one => one.reset()),
  }
}

export type Interner = ReturnType<typeof createInterner>
