import { useApp } from '../app/app-context.ts'
import { filterBy } from '../app/url.ts'
import { AsTable } from '../parts/as-table.tsx'
import { Unfiltered } from '../parts/filters.tsx'
import { Flag } from '../parts/marks.tsx'
import { Empty } from '../parts/status.tsx'

/** Views of the last half hour by minute, as bars and as a table. */
const Minutes = () => {
  const { t, f, zone, live } = useApp()
  const { data, meta } = live
  const max = Math.max(1, ...data.minutes.map(({ views }) => views))
  const width = 100 / data.minutes.length
  return (
    <div class="minutes">
      <svg viewBox="0 0 100 30" preserveAspectRatio="none" role="img" aria-label={t('views_by_minute')}>
        {data.minutes.map(({ time, views }, index) => (
          <rect
            key={time}
            x={index * width + 0.3}
            width={width - 0.6}
            y={30 - Math.max(0.6, (views / max) * 29)}
            height={Math.max(0.6, (views / max) * 29)}
            class={views > 0 ? 'bar' : 'bar none'}
          >
            <title>
              {f.time(time, zone)}: {t('n_views', { n: views })}
            </title>
          </rect>
        ))}
      </svg>
      <p class="faint ends">
        <span>{t('minutes_ago', { n: 30 })}</span>
        <span>{t('views_by_minute')}</span>
        <span>{f.time(meta.generated_at, zone)}</span>
      </p>
      <AsTable
        label={t('views_by_minute')}
        head={[t('time'), t('views')]}
        rows={data.minutes.map(({ time, views }) => [f.time(time, zone), f.count(views)])}
      />
    </div>
  )
}

const ActivePages = () => {
  const { t, f, go, live } = useApp()
  const { active_pages: pages, active_visitors: visitorsNow } = live.data
  return (
    <section class="card" aria-labelledby="active">
      <h2 id="active">{t('active_pages')}</h2>
      {pages.length === 0 ? (
        <Empty why={t('nobody_now')} />
      ) : (
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">{t('page')}</th>
              <th scope="col">{t('visitors')}</th>
            </tr>
          </thead>
          <tbody>
            {pages.map(({ page, title, visitors }) => (
              <tr key={page}>
                <th scope="row" style={{ '--part': `${((visitors / Math.max(1, visitorsNow)) * 100).toFixed(1)}%` }}>
                  <button
                    type="button"
                    class="row-name"
                    title={t('filter_by', { name: page })}
                    onClick={() =>
                      go({
                        view: 'overview',
                        period: 'today',
                        from: null,
                        to: null,
                        filters: [filterBy('page', page)],
                      })
                    }
                  >
                    <span class="name">{page}</span>
                    {title !== null && <span class="faint note-text">{title}</span>}
                  </button>
                </th>
                <td>{f.count(visitors)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

const RecentViews = () => {
  const { t, f, zone, live } = useApp()
  const { recent } = live.data
  return (
    <section class="card" aria-labelledby="recent">
      <h2 id="recent">{t('recent_views')}</h2>
      {recent.length === 0 ? (
        <Empty why={t('nobody_today')} />
      ) : (
        <table class="rows recent">
          <thead>
            <tr>
              <th scope="col">{t('page')}</th>
              <th scope="col">{t('time')}</th>
            </tr>
          </thead>
          <tbody>
            {recent.map(({ page, title, country, device, browser, channel, time }, index) => (
              <tr key={`${time} ${index}`}>
                <th scope="row">
                  <span class="row-name">
                    {country !== null && <Flag country={country} />}
                    <span class="name" title={title ?? undefined}>
                      {page}
                    </span>
                    <span class="faint note-text">
                      {[
                        country === null ? null : f.country(country),
                        t.maybe(`device_${device}`, device),
                        browser,
                        t.maybe(`channel_${channel}`, channel),
                      ]
                        .filter(word => word !== null)
                        .join(' · ')}
                    </span>
                  </span>
                </th>
                <td>{f.time(time, zone)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** Who is on the site now: the last half hour by minute, the active pages, and the latest views. */
export const Realtime = () => {
  const { t, f, live } = useApp()
  const { active_visitors: visitors, window_seconds: seconds } = live.data
  return (
    <>
      <Unfiltered why="filters_not_view" />
      <section class="card" aria-labelledby="now">
        <h2 id="now">{t('view_realtime')}</h2>
        <div class="now">
          <p class="figure">
            <b>{f.count(visitors)}</b> {t('now_here', { n: visitors })}
            <span class="faint">{t('last_minutes', { n: seconds / 60 })}</span>
          </p>
          <Minutes />
        </div>
      </section>
      <div class="grid">
        <ActivePages />
        <RecentViews />
      </div>
    </>
  )
}
