import { addDays, dayText } from '../../lib/time.ts'
import { before, compared } from '../compare.ts'
import { Missing, question, tableOf, type QuestionContext, type Category, type Head } from '../question.ts'
import type { RowOf } from '../reports.ts'
import { figure, list, most, sum } from '../shapes.ts'

type Page = RowOf<'pages'>
type Content = RowOf<'content'>

/** The longest text that /pages searches for; what it finds is compared in full. */
const searchLength = 200

const pages = ({ get }: Pick<QuestionContext, 'get'>) => get('pages', { limit: 200 })
const entries = ({ get }: Pick<QuestionContext, 'get'>) => get('entryPages', { limit: 200 })
const exits = ({ get }: Pick<QuestionContext, 'get'>) => get('exitPages', { limit: 200 })

/** The name by which a sentence calls a page. */
export const nameOf = ({ page, title }: { page: string; title: string | null }): string =>
  title === null || title === '' ? page : title

/** Views of one page, or of all whose path begins so; the parameter `page` names another one. */
const pathTile = (head: Head, path: string, fits: (page: string, path: string) => boolean) =>
  figure(head, {
    unit: 'count',
    label: 'views',
    tile: async ask => {
      const wanted = ask.params.page ?? path
      const find = async (window: { from?: string; to?: string }) => {
        const first = await ask.get('pages', {
          limit: 200,
          ...(wanted !== '/' && { search: wanted.slice(0, searchLength) }),
          ...window,
        })
        // Every page has the home page's path in it; it is nearly always among the most viewed.
        const whole =
          wanted === '/' && first.data.some(({ page }) => page === '/')
            ? first
            : await ask.all('pages', { ...(wanted !== '/' && { search: wanted.slice(0, searchLength) }), ...window })
        const { data, ...said } = whole
        return {
          ...said,
          views: sum(
            data.filter(({ page }) => fits(page, wanted)),
            ({ views }) => views,
          ),
        }
      }
      const [now, then] = await Promise.all([find({}), find(before(ask))])
      const change = then.views === 0 ? null : Math.round(((now.views - then.views) / then.views) * 10_000) / 10_000
      return { value: now.views, source: now.source, previous: then.views, change, values: { page: wanted } }
    },
  })

const same = (page: string, path: string): boolean => page === path
const within = (page: string, path: string): boolean => page.startsWith(path)

const titles = (data: readonly Page[]) => {
  const found = new Map<string, { title: string; views: number; pages: number }>()
  for (const { page, title, views } of data) {
    const name = title ?? page
    const known = found.get(name) ?? { title: name, views: 0, pages: 0 }
    found.set(name, { ...known, views: known.views + views, pages: known.pages + 1 })
  }
  return most([...found.values()], ({ views }) => views)
}

const dated = (row: Content) => ({ ...row, published_at: row.published_at?.slice(0, 10) ?? null })

/** Pages of which the CMS has said when they were published. */
const published = async ({ get }: Pick<QuestionContext, 'get'>, query: Parameters<typeof get<'content'>>[1] = {}) => {
  const [any, found] = await Promise.all([
    get('content', { dated: true, limit: 1 }),
    get('content', { dated: true, limit: 200, ...query }),
  ])
  if (any.total === 0) throw new Missing('needs_content_meta')
  return found
}

const oldAge = 90
const staleAge = 180

const older = ({ range }: Pick<QuestionContext, 'range'>, days: number): string => dayText(addDays(range.to, -days))

export const declining = async (ask: QuestionContext) => {
  const [now, then] = await Promise.all([ask.all('pages', {}), ask.all('pages', before(ask))])
  const rows = compared<Page>(
    now,
    then,
    row => row.page,
    row => row.visitors,
  )
    .filter(({ difference }) => difference < 0)
    .flatMap(({ now, then, current, previous, difference, change }) => {
      const known = now ?? then
      return known === null
        ? []
        : [{ page: known.page, title: known.title, visitors: current, previous_visitors: previous, difference, change }]
    })
  return { source: now.source, rows: most(rows, ({ difference }) => -difference) }
}

export const pagesAndContent: Category = {
  id: 'pages_and_content',
  questions: [
    list(['q23', 'free', 'direct'], {
      ask: pages,
      rows: data => data,
      columns: ['page', 'title', 'views', 'visitors', 'share'],
      empty: 'visits',
      say: (first, rows) => ({
        page: nameOf(first),
        n: first.views,
        share: { percent: first.share },
        pages: rows.length,
      }),
    }),
    list(['q24', 'free', 'direct'], {
      ask: async ({ get }) => {
        const [any, posts] = await Promise.all([
          get('content', { limit: 1 }),
          get('content', { resource_type: 'post' }),
        ])
        if (any.total === 0) throw new Missing('needs_content_meta')
        // Where the CMS calls its posts by another name, they are what has a day of publication.
        return posts.total > 0 ? posts : get('content', { dated: true })
      },
      rows: data => data.filter(({ views }) => views > 0).map(dated),
      columns: ['page', 'title', 'views', 'visitors', 'published_at'],
      empty: 'posts',
      say: first => ({ page: nameOf(first), n: first.views }),
    }),
    list(['q26', 'free', 'direct'], {
      ask: pages,
      rows: data => data,
      most: 1,
      columns: ['page', 'title', 'views', 'visitors', 'avg_time_on_page', 'share'],
      empty: 'visits',
      say: first => ({ page: first.page, n: first.views, visitors: first.visitors }),
    }),
    list(['q27', 'free', 'direct'], {
      ask: entries,
      rows: data => data,
      columns: ['page', 'title', 'sessions', 'bounce_rate', 'share'],
      empty: 'visits',
      say: first => ({ page: nameOf(first), n: first.sessions, rate: { percent: first.bounce_rate } }),
    }),
    list(['q28', 'free', 'direct'], {
      ask: entries,
      rows: data => data,
      columns: ['page', 'title', 'sessions', 'visitors', 'bounces', 'share'],
      empty: 'visits',
      say: (first, rows) => ({ pages: rows.length, page: first.page, share: { percent: first.share } }),
    }),
    list(['q29', 'free', 'direct'], {
      ask: exits,
      rows: data => data,
      columns: ['page', 'title', 'sessions', 'visitors', 'share'],
      empty: 'visits',
      say: (first, rows) => ({ pages: rows.length, page: first.page, share: { percent: first.share } }),
    }),
    list(['q30', 'free', 'direct'], {
      ask: exits,
      rows: data => data,
      columns: ['page', 'title', 'sessions', 'exit_rate'],
      empty: 'visits',
      say: first => ({ page: nameOf(first), n: first.sessions, rate: { percent: first.exit_rate } }),
    }),
    list(['q31', 'free', 'direct'], {
      ask: pages,
      rows: titles,
      columns: ['title', 'views', 'pages'],
      empty: 'visits',
      say: first => ({ title: first.title, n: first.views }),
    }),
    figure(['q32', 'free', 'direct'], {
      unit: 'count',
      label: 'views',
      tile: async ask => {
        const { data, source } = await published(ask, { orderby: 'newest' })
        const newest =
          data.find(({ resource_type }) => resource_type === 'post') ??
          data.find(({ resource_type }) => resource_type !== 'page') ??
          data[0]
        if (newest === undefined) throw new Missing('needs_content_meta')
        return {
          value: newest.views,
          source,
          label: nameOf(newest),
          values: {
            page: nameOf(newest),
            date: { date: newest.published_at?.slice(0, 10) ?? '' },
            visitors: newest.visitors,
          },
        }
      },
    }),
    pathTile(['q33', 'free', 'direct', 'page'], '/', same),
    pathTile(['q34', 'free', 'direct', 'page'], '/contact', within),
    pathTile(['q35', 'free', 'direct', 'page'], '/about', within),
    pathTile(['q36', 'free', 'direct', 'page'], '/pricing', within),
    list(['q37', 'free', 'proxy'], {
      ask: ask => published(ask, { published_before: older(ask, oldAge) }),
      rows: data => data.filter(({ views }) => views > 0).map(dated),
      columns: ['page', 'title', 'published_at', 'views', 'visitors'],
      empty: 'old_posts',
      say: (first, rows) => ({
        page: nameOf(first),
        n: first.views,
        posts: rows.length,
        date: { date: first.published_at ?? '' },
      }),
    }),
    question(['q38', 'paid', 'calculated'], 'table', async ask => {
      const { rows, source } = await declining(ask)
      const [first] = rows
      const viz = tableOf(ask, rows.slice(0, 10), [
        'page',
        'title',
        'visitors',
        'previous_visitors',
        'difference',
        'change',
      ])
      return {
        viz,
        source,
        ...(first === undefined
          ? { values: {}, empty: 'losers' as const }
          : { values: { page: nameOf(first), n: first.visitors, previous: first.previous_visitors } }),
      }
    }),
    question(['q39', 'paid', 'proxy'], 'table', async ask => {
      const stale = { published_before: older(ask, staleAge) }
      const [now, then] = await Promise.all([published(ask, stale), published(ask, { ...stale, ...before(ask) })])
      const rows = compared<Content>(
        now,
        then,
        row => row.page,
        row => row.views,
      )
        .filter(({ difference }) => difference < 0)
        .flatMap(({ now, then, current, previous, difference, change }) => {
          const known = now ?? then
          return known === null
            ? []
            : [{ ...dated(known), views: current, previous_views: previous, difference, change }]
        })
      const ordered = most(rows, ({ difference }) => -difference)
      const [first] = ordered
      const viz = tableOf(ask, ordered.slice(0, 10), [
        'page',
        'title',
        'published_at',
        'views',
        'previous_views',
        'change',
      ])
      const values =
        first === undefined
          ? {}
          : {
              page: nameOf(first),
              n: first.views,
              previous: first.previous_views,
              date: { date: first.published_at ?? '' },
            }
      return { viz, source: now.source, values, empty: first === undefined ? ('stale' as const) : undefined }
    }),
    list(['q40', 'paid', 'calculated'], {
      ask: pages,
      rows: data =>
        most(
          data.filter(({ avg_time_on_page }) => avg_time_on_page !== null),
          row => row.avg_time_on_page,
        ),
      columns: ['page', 'title', 'avg_time_on_page', 'views'],
      empty: 'time',
      say: first => ({ page: nameOf(first), time: { seconds: first.avg_time_on_page } }),
    }),
  ],
}
