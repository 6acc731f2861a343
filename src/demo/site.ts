// The generated site: its pages, and their popularity on a day of the year.
import site from '../../data/demo/site.json'
import { addDays, type Day, daysBetween, dayText } from '../lib/time.ts'
import { createPicker, type Picker } from './random.ts'

export type Kind = 'home' | 'list' | 'page' | 'post' | 'product' | 'search' | 'cart' | 'checkout' | 'thanks' | 'missing'
export type Product = (typeof site.products)[number]
export type Page = {
  path: string
  title: string
  kind: Kind
  weight: number
  resource: { type: string; id: number }
  author: string | null
  /** The day of publication; null if it is older than the year. */
  published: Day | null
  /** Whether its popularity decreases over the year. */
  fading: boolean
  product: Product | null
}

const plain = { author: null, published: null, fading: false, product: null }

export const siteHost = site.host
export const siteUrl = `https://${site.host}`
export const { searches, outbound, downloads, foreignHosts } = site

const pages: readonly Page[] = site.pages.map((page, index) => ({
  ...plain,
  ...page,
  kind: page.kind as Kind,
  title: page.kind === 'home' ? page.title : `${page.title} - ${site.name}`,
  resource: { type: 'page', id: index + 2 },
}))

/** Popularity follows Zipf's law: the n-th post is read about 1/n times as often as the first. */
const postsOf = (to: Day): Page[] =>
  site.posts.map(({ path, title, author, ago, fading }, index) => ({
    path,
    title,
    author,
    kind: 'post',
    weight: 1 / ((index % 14) + 1) ** 0.85,
    resource: { type: 'post', id: index + 200 },
    published: addDays(to, -ago),
    fading: fading === true,
    product: null,
  }))

const products: readonly Page[] = site.products.map(product => ({
  ...plain,
  path: product.path,
  title: `${product.name} - ${site.name}`,
  kind: 'product',
  weight: product.weight,
  resource: { type: 'product', id: product.id },
  product,
}))

export const missingPages: readonly Page[] = site.missing.map(path => ({
  ...plain,
  path,
  title: `Page not found - ${site.name}`,
  kind: 'missing',
  weight: 1,
  resource: { type: '404', id: 0 },
}))

/** Popularity on a day: zero before publication, highest right after it. */
const interest = ({ weight, published, fading }: Page, day: Day, progress: number): number => {
  if (published === null) return weight
  const age = daysBetween(published, day) - 1
  if (age < 0) return 0
  return weight * (1 + 4 * Math.exp(-age / 6)) * (fading ? 1 - 0.75 * progress : 1)
}

/** Pages of the CMS without any views. */
export const unseenPages = (to: Day) =>
  site.unseen.map(({ path, title, author, ago }) => ({
    page: path,
    title,
    author,
    resource_type: 'post',
    published_at: `${dayText(addDays(to, -ago))}T07:00:00.000Z`,
  }))

export type Site = {
  /** Picks a page of a kind by its popularity on a day; `progress` is the position in the year, 0..1. */
  on: (day: Day, progress: number) => (kind: Kind) => Picker<Page>
  find: (path: string) => Page
}

export const createSite = (to: Day): Site => {
  const all = [...pages, ...postsOf(to), ...products]
  const byPath = new Map([...all, ...missingPages].map(page => [page.path, page]))
  const kinds = new Map<Kind, Page[]>()
  for (const page of [...all, ...missingPages]) kinds.set(page.kind, [...(kinds.get(page.kind) ?? []), page])
  return {
    on: (day, progress) => {
      const pickers = new Map(
        [...kinds].map(([kind, members]) => {
          const read = members.filter(page => page.kind === 'missing' || interest(page, day, progress) > 0)
          // Kinds that are never picked at random (the cart) have one page.
          return [
            kind,
            createPicker(read.length > 0 ? read : members, page => Math.max(interest(page, day, progress), 1e-9)),
          ]
        }),
      )
      return kind =>
        pickers.get(kind) ??
        (() => {
          throw new Error(`no page is a ${kind}`)
        })
    },
    find: path =>
      byPath.get(path) ??
      (() => {
        throw new Error(`no page is ${path}`)
      })(),
  }
}
