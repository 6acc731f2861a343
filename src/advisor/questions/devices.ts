import { ratio } from '../../reports/numbers.ts'
import { sameCounts, sameShares } from '../chance.ts'
import { type Category, type QuestionContext, question } from '../question.ts'
import { rawQuery, sinceOf } from '../raw.ts'
import { figure, largestFirst, list, sum } from '../shapes.ts'
import { bounceRate, bouncesOf, type Device, devices, kinds, mobileDesign, of } from './phones.ts'
import { counted, refused, suspectsOf } from './tracking.ts'

const nameOf = (context: QuestionContext, key: string | null): string =>
  context.label(kinds.find(kind => kind === key) ?? 'other')

const pair = (context: QuestionContext, rows: readonly Device[]) =>
  (['mobile', 'desktop'] as const).map(key => {
    const row = of(rows, key)
    return { key, label: context.label(key), value: row?.sessions ?? 0, share: row?.share ?? 0 }
  })

const mobileAndDesktop = async (context: QuestionContext) => {
  const { data, source } = await devices(context)
  const items = pair(context, data)
  const [mobile, desktop] = [of(data, 'mobile'), of(data, 'desktop')]
  const [m, d] = [mobile?.sessions ?? 0, desktop?.sessions ?? 0]
  const values = {
    mobile: { percent: mobile?.share ?? 0 },
    desktop: { percent: desktop?.share ?? 0 },
    m,
    d,
    ahead: sameCounts(m, d) ? 'same' : m > d ? 'mobile' : 'desktop',
  }
  return {
    viz: { unit: 'count' as const, items },
    source,
    values,
    empty: data.length === 0 ? ('visits' as const) : undefined,
  }
}

/** A rate per device type. */
const rates = async (context: QuestionContext, rate: (row: Device) => number | null) => {
  const { data, source } = await devices(context)
  const items = data.map(row => ({
    key: row.key ?? 'other',
    label: nameOf(context, row.key),
    value: rate(row),
    share: row.share,
  }))
  return { data, items, source, empty: data.length === 0 ? ('visits' as const) : undefined }
}

/** Pages with the majority of their views on phones. */
const mobilePages = async (context: QuestionContext) => {
  const range = await context.rawRange()
  const query = rawQuery(context, range)
  const [mobile, every] = await Promise.all([
    context.get('pages', { ...query, limit: 200, ...(range !== null && { device: 'mobile' }) }),
    context.all('pages', query),
  ])
  const viewsOf = new Map(every.data.map(row => [row.page, row.views]))
  const rows = (range === null ? [] : mobile.data).flatMap(({ page, title, views: mobile_views }) => {
    const views = viewsOf.get(page) ?? 0
    const mobile_share = ratio(mobile_views, views)
    return mobile_share !== null && mobile_share > 0.5 ? [{ page, title, mobile_views, views, mobile_share }] : []
  })
  return { data: { rows, since: sinceOf(context, range) }, source: mobile.source }
}

export const devicesAndBrowsers: Category = {
  id: 'devices_and_browsers',
  questions: [
    question(['q81', 'free', 'direct'], 'bar', mobileAndDesktop),
    figure(['q82', 'free', 'direct'], {
      unit: 'count',
      label: 'sessions',
      load: async context => {
        const { data, source } = await devices(context)
        const [first] = data
        if (first === undefined) return { value: 0, source, empty: 'visits' }
        return {
          value: first.sessions,
          source,
          label: nameOf(context, first.key),
          values: { device: first.key ?? 'other', share: { percent: first.share }, rows: data.length },
        }
      },
    }),
    figure(['q83', 'free', 'direct'], {
      unit: 'percent',
      label: 'tablet',
      load: async context => {
        const { data, source } = await devices(context)
        const tablet = of(data, 'tablet')
        return {
          value: data.length === 0 ? null : (tablet?.share ?? 0),
          source,
          values: { sessions: tablet?.sessions ?? 0 },
          empty: data.length === 0 ? 'visits' : undefined,
        }
      },
    }),
    list(['q84', 'free', 'direct'], {
      load: ({ all }) => all('dimensions', {}, { type: 'browser' }),
      rows: (data, context) => data.map(({ key, ...row }) => ({ ...row, browser: key ?? context.label('unknown') })),
      columns: ['browser', 'visitors', 'sessions', 'share'],
      empty: 'visits',
      values: first => ({ name: first.browser, n: first.sessions, share: { percent: first.share } }),
    }),
    list(['q85', 'free', 'direct'], {
      load: ({ all }) => all('dimensions', {}, { type: 'os' }),
      rows: (data, context) => data.map(({ key, ...row }) => ({ ...row, os: key ?? context.label('unknown') })),
      columns: ['os', 'visitors', 'sessions', 'share'],
      empty: 'visits',
      values: first => ({ name: first.os, n: first.sessions, share: { percent: first.share } }),
    }),
    question(['q86', 'free', 'calculated'], 'bar', mobileAndDesktop),
    question(['q87', 'free', 'proxy'], 'recommendation', mobileDesign),
    list(['q88', 'paid', 'direct'], {
      load: mobilePages,
      rows: data => data.rows,
      columns: ['page', 'title', 'mobile_views', 'views', 'mobile_share'],
      empty: 'mobile_pages',
      values: (first, _, { data }) => ({
        page: first.page,
        share: { percent: first.mobile_share },
        n: first.mobile_views,
        ...data.since,
      }),
    }),
    list(['q89', 'paid', 'direct'], {
      load: ({ get }) => get('systemBrowsers', { limit: 200 }),
      rows: (data, context) =>
        data.map(({ os, browser, ...row }) => ({
          ...row,
          os: os ?? context.label('unknown'),
          browser: browser ?? context.label('unknown'),
        })),
      columns: ['os', 'browser', 'sessions', 'bounce_rate', 'share'],
      empty: 'visits',
      values: first => ({ os: first.os, browser: first.browser, n: first.sessions, share: { percent: first.share } }),
    }),
    question(['q90', 'paid', 'calculated'], 'bar', async context => {
      const { data, items, source, empty } = await rates(context, bounceRate)
      const { mobile, desktop, order } = bouncesOf(data)
      return {
        viz: { unit: 'percent', items },
        source,
        values: { mobile: { percent: mobile }, desktop: { percent: desktop }, order },
        empty,
      }
    }),
    question(['q91', 'paid', 'calculated'], 'bar', async context => {
      // Every session has exactly one exit, so sessions equal exits.
      const { data, items, source, empty } = await rates(context, ({ sessions, views }) => ratio(sessions, views))
      const [sessions, views] = [sum(data, row => row.sessions), sum(data, row => row.views)]
      const clear = data.filter(row => !sameShares(row.sessions, row.views, sessions - row.sessions, views - row.views))
      const candidates =
        data.length === 1 ? data : clear.filter(row => (ratio(row.sessions, row.views) ?? 0) > sessions / views)
      const [first] = largestFirst(
        items.filter(({ key }) => candidates.some(row => (row.key ?? 'other') === key)),
        ({ value }) => value,
      )
      return {
        viz: { unit: 'percent', items },
        source,
        values: {
          device: first?.key ?? 'other',
          rate: { percent: first?.value ?? 0 },
          rows: items.length,
          chance: String(first === undefined),
          overall: { percent: ratio(sessions, views) },
        },
        empty,
      }
    }),
    figure(['q92', 'paid', 'direct'], {
      unit: 'percent',
      label: 'bots_refused',
      load: async context => {
        const { data, source } = await context.get('refusals', {})
        const bots = refused(data, 'bot')
        const all = bots + refused(data, ...counted)
        const values = { bots, all, suspects: await suspectsOf(context) }
        return { value: ratio(bots, all), source, values, empty: all === 0 ? 'visits' : undefined }
      },
    }),
  ],
}
