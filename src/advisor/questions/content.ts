// Questions about posts: they need page metadata from the tracker or the CMS.
import { addDays, dayText } from '../../lib/time.ts'
import { losers } from '../compare.ts'
import { Missing, type QuestionContext } from '../question.ts'
import type { RowOf } from '../reports.ts'
import { figure, list } from '../shapes.ts'

type Content = RowOf<'content'>

/** How a summary names a page. */
export const nameOf = ({ page, title }: { page: string; title: string | null }): string =>
  title === null || title === '' ? page : title

export const dayOf = (publishedAt: string | null): string | null => publishedAt?.slice(0, 10) ?? null

const withDay = (row: Content) => ({ ...row, published_at: dayOf(row.published_at) })

/** Pages whose publication date is known. */
const published = async ({ get }: Pick<QuestionContext, 'get'>, query: Parameters<typeof get<'content'>>[1] = {}) => {
  const [any, pages] = await Promise.all([
    get('content', { dated: true, limit: 1 }),
    get('content', { dated: true, limit: 200, ...query }),
  ])
  if (any.total === 0) throw new Missing('needs_content_meta')
  return pages
}

const oldAfterDays = 90
const staleAfterDays = 180

const publishedBefore = ({ range }: Pick<QuestionContext, 'range'>, days: number) => ({
  published_before: dayText(addDays(range.to, -days)),
})

export const topPosts = list(['q24', 'free', 'direct'], {
  load: async ({ get }) => {
    const [any, posts] = await Promise.all([get('content', { limit: 1 }), get('content', { resource_type: 'post' })])
    if (any.total === 0) throw new Missing('needs_content_meta')
    // A CMS with other post types still reports publication dates.
    return posts.total > 0 ? posts : get('content', { dated: true })
  },
  rows: data => data.filter(({ views }) => views > 0).map(withDay),
  columns: ['page', 'title', 'views', 'visitors', 'published_at'],
  empty: 'posts',
  values: first => ({ page: nameOf(first), n: first.views }),
})

export const newestPost = figure(['q32', 'free', 'direct'], {
  unit: 'count',
  label: 'views',
  load: async context => {
    const { data, source } = await published(context, { orderby: 'newest' })
    const newest =
      data.find(({ resource_type }) => resource_type === 'post') ??
      data.find(({ resource_type }) => resource_type !== 'page') ??
      data[0]
    if (newest === undefined) throw new Missing('needs_content_meta')
    const name = nameOf(newest)
    const date = { date: dayOf(newest.published_at) ?? '' }
    return { value: newest.views, source, label: name, values: { page: name, date, visitors: newest.visitors } }
  },
})

export const oldPosts = list(['q37', 'free', 'proxy'], {
  load: context => published(context, publishedBefore(context, oldAfterDays)),
  rows: data => data.filter(({ views }) => views > 0).map(withDay),
  columns: ['page', 'title', 'published_at', 'views', 'visitors'],
  empty: 'old_posts',
  values: (first, rows) => ({
    page: nameOf(first),
    n: first.views,
    posts: rows.length,
    date: { date: first.published_at ?? '' },
  }),
})

export const stalePosts = list(['q39', 'paid', 'proxy'], {
  load: async context => {
    const [now] = await Promise.all([
      context.all('content', { dated: true, ...publishedBefore(context, staleAfterDays), compare: context.compare }),
      published(context),
    ])
    const data = losers<Content>(
      now,
      row => row.page,
      row => row.views,
    )
    return { data, source: now.source }
  },
  rows: data =>
    data.map(({ row, current, previous, change, chance }) => ({
      ...withDay(row),
      views: current,
      previous_views: previous,
      change,
      chance: String(chance),
    })),
  columns: ['page', 'title', 'published_at', 'views', 'previous_views', 'change'],
  empty: 'stale',
  compares: true,
  values: first => ({
    page: nameOf(first),
    n: first.views,
    previous: first.previous_views,
    chance: first.chance,
    date: { date: first.published_at ?? '' },
  }),
})
