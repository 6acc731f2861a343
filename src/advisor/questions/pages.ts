import { change } from '../../reports/numbers.ts'
import { losers, withComparison } from '../compare.ts'
import type { Category, Head, QuestionContext } from '../question.ts'
import type { RowOf } from '../reports.ts'
import { figure, largestFirst, list, sum } from '../shapes.ts'
import { nameOf, newestPost, oldPosts, stalePosts, topPosts } from './content.ts'

type Page = RowOf<'pages'>
type Reader = Pick<QuestionContext, 'get'>

/** The maximum length of the `search` parameter of /pages; its results are compared in full. */
const maxSearchLength = 200

export const pages = ({ get }: Reader) => get('pages', { limit: 200 })
export const entries = ({ get }: Reader) => get('entryPages', { limit: 200 })
export const exits = ({ get }: Reader) => get('exitPages', { limit: 200 })

/** The rows of /pages that contain the path, if it has views. "/" is part of every page. */
const candidates = (context: QuestionContext, path: string) =>
  withComparison(context, query =>
    context.all('pages', { ...(path !== '/' && { search: path.slice(0, maxSearchLength) }), ...query }),
  )

/** Views of the pages that match a path, which the parameter `page` overrides. */
const pathTile = (head: Head, defaultPath: string, matches: (page: string, path: string) => boolean) =>
  figure(head, {
    unit: 'count',
    label: 'views',
    load: async context => {
      const path = context.params.page ?? defaultPath
      const { data, earlier, source } = await candidates(context, path)
      const viewsIn = (rows: readonly Page[]): number =>
        sum(
          rows.filter(({ page }) => matches(page, path)),
          ({ views }) => views,
        )
      const [value, previous] = [viewsIn(data), earlier === null ? undefined : viewsIn(earlier)]
      return {
        value,
        source,
        previous,
        change: previous === undefined ? undefined : change(value, previous),
        values: { page: path },
      }
    },
  })

const isSame = (page: string, path: string): boolean => page === path
const isBelow = (page: string, path: string): boolean => page.startsWith(path)

/** Views by title. */
const titles = (data: readonly Page[]) => {
  const byTitle = new Map<string, { title: string; views: number; pages: number }>()
  for (const { page, title: given, views } of data) {
    const title = given ?? page
    const known = byTitle.get(title) ?? { title, views: 0, pages: 0 }
    byTitle.set(title, { title, views: known.views + views, pages: known.pages + 1 })
  }
  return largestFirst([...byTitle.values()], ({ views }) => views)
}

const visitorLosers = async (context: QuestionContext) => {
  const now = await context.all('pages', { compare: context.compare })
  const data = losers<Page>(
    now,
    row => row.page,
    row => row.visitors,
  )
  return { data, source: now.source }
}

export const pagesAndContent: Category = {
  id: 'pages_and_content',
  questions: [
    list(['q23', 'free', 'direct'], {
      load: pages,
      rows: data => data,
      columns: ['page', 'title', 'views', 'visitors', 'share'],
      empty: 'visits',
      values: (first, rows) => ({
        page: nameOf(first),
        n: first.views,
        share: { percent: first.share },
        pages: rows.length,
      }),
    }),
    topPosts,
    list(['q26', 'free', 'direct'], {
      load: pages,
      rows: data => data,
      maxRows: 1,
      columns: ['page', 'title', 'views', 'visitors', 'avg_time_on_page', 'share'],
      empty: 'visits',
      values: first => ({ page: first.page, n: first.views, visitors: first.visitors }),
    }),
    list(['q27', 'free', 'direct'], {
      load: entries,
      rows: data => data,
      columns: ['page', 'title', 'sessions', 'bounce_rate', 'share'],
      empty: 'visits',
      values: first => ({ page: nameOf(first), n: first.sessions, rate: { percent: first.bounce_rate } }),
    }),
    list(['q28', 'free', 'direct'], {
      load: entries,
      rows: data => data,
      columns: ['page', 'title', 'sessions', 'visitors', 'bounces', 'share'],
      empty: 'visits',
      values: (first, rows) => ({ pages: rows.length, page: first.page, share: { percent: first.share } }),
    }),
    list(['q29', 'free', 'direct'], {
      load: exits,
      rows: data => data,
      columns: ['page', 'title', 'sessions', 'visitors', 'share'],
      empty: 'visits',
      values: (first, rows) => ({ pages: rows.length, page: first.page, share: { percent: first.share } }),
    }),
    list(['q30', 'free', 'direct'], {
      load: exits,
      rows: data => data,
      columns: ['page', 'title', 'sessions', 'exit_rate'],
      empty: 'visits',
      values: first => ({ page: nameOf(first), n: first.sessions, rate: { percent: first.exit_rate } }),
    }),
    list(['q31', 'free', 'direct'], {
      load: pages,
      rows: titles,
      columns: ['title', 'views', 'pages'],
      empty: 'visits',
      values: first => ({ title: first.title, n: first.views }),
    }),
    newestPost,
    pathTile(['q33', 'free', 'direct', 'page'], '/', isSame),
    pathTile(['q34', 'free', 'direct', 'page'], '/contact', isBelow),
    pathTile(['q35', 'free', 'direct', 'page'], '/about', isBelow),
    pathTile(['q36', 'free', 'direct', 'page'], '/pricing', isBelow),
    oldPosts,
    list(['q38', 'paid', 'calculated'], {
      load: visitorLosers,
      rows: data =>
        data.map(({ row: { page, title }, current, previous, difference, change, chance }) => ({
          chance: String(chance),
          page,
          title,
          visitors: current,
          previous_visitors: previous,
          difference,
          change,
        })),
      columns: ['page', 'title', 'visitors', 'previous_visitors', 'difference', 'change'],
      empty: 'losers',
      compares: true,
      values: first => ({
        page: nameOf(first),
        n: first.visitors,
        previous: first.previous_visitors,
        chance: first.chance,
      }),
    }),
    stalePosts,
    list(['q40', 'paid', 'calculated'], {
      load: pages,
      rows: data =>
        largestFirst(
          data.filter(({ avg_time_on_page }) => avg_time_on_page !== null),
          row => row.avg_time_on_page,
        ),
      columns: ['page', 'title', 'avg_time_on_page', 'views'],
      empty: 'time',
      values: first => ({ page: nameOf(first), time: { seconds: first.avg_time_on_page } }),
    }),
  ],
}
