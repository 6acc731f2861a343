// Visits that look automated: how many, why, what reports say without them, and whether they are counted.
import type { BotsData } from '../../reports/of/bots.ts'
import type { SummaryData } from '../../reports/of/summary.ts'
import { report, resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { usePolling, useResource } from '../app/use-report.ts'
import { useAction } from '../parts/action.tsx'
import { DatePicker } from '../parts/date-picker.tsx'
import { Facts } from '../parts/figures.tsx'
import { ErrorMessage, Loading } from '../parts/status.tsx'

const pollInterval = 2000
const shownCountries = 8

type Rule = BotsData['rules'][number]
type Change = (changes: Partial<Pick<BotsData, 'suspects' | 'ignored'>>) => void

/** The rules that fired, most visits first, and those that do not count, each with the way to change that. */
const Rules = ({ data: { rules, ignored }, busy, change }: { data: BotsData; busy: boolean; change: Change }) => {
  const { t, f, zone } = useApp()
  const shown = rules
    .filter(({ suspect, state }) => suspect > 0 || state !== 'on')
    .sort((one, other) => other.suspect - one.suspect)
  if (shown.length === 0) return null
  const stateOf = ({ state, off_since: since }: Rule): string => {
    if (state === 'on' || since === null) return state === 'ignored' ? ` · ${t('bots_ignored')}` : ''
    return ` · ${t('bots_off', { time: f.moment(since, zone) })}`
  }
  return (
    <>
      <h3>{t('bots_why')}</h3>
      <ul class="links">
        {shown.map(one => {
          const name = t(`rule_${one.rule}`)
          const isIgnored = one.state === 'ignored'
          const others = ignored.filter(rule => rule !== one.rule)
          return (
            <li key={one.rule}>
              <span>
                {name}{' '}
                <span class="faint">
                  {t('bots_rule', { all: one.visits, n: one.suspect })}
                  {stateOf(one)}
                </span>
              </span>
              <button
                type="button"
                disabled={busy}
                onClick={() => change({ ignored: isIgnored ? others : [...others, one.rule] })}
              >
                {t(isIgnored ? 'bots_use' : 'bots_ignore')}
                <span class="visually-hidden">: {name}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </>
  )
}

const figures = ['visitors', 'sessions', 'views', 'bounces'] as const

/** What reports say with and without these visits, and the switch. */
const Switch = ({
  data: { suspects, recalculating, people, suspect_figures: automated },
  totals,
  busy,
  change,
}: {
  data: BotsData
  totals: SummaryData['totals']
  busy: boolean
  change: Change
}) => {
  const { t, f } = useApp()
  const isOut = suspects === 'leave_out'
  return (
    <>
      <p>
        {t(isOut ? 'bots_left_out' : 'bots_counted')} {recalculating === 0 && t('bots_preview')}
      </p>
      {recalculating === 0 && (
        <Facts
          facts={figures.map(name => {
            // A visitor may have visits of both kinds, so as long as all count their number is that of the reports.
            const all = isOut ? people[name] + automated[name] : totals[name]
            return { label: t(name), value: `${f.count(all)} → ${f.count(people[name])}` }
          })}
        />
      )}
      <p class="tools">
        <button
          type="button"
          class="primary"
          disabled={busy}
          onClick={() => change({ suspects: isOut ? 'count' : 'leave_out' })}
        >
          {t(isOut ? 'bots_count' : 'bots_leave_out')}
        </button>
        <span class="faint">{t('bots_undone')}</span>
      </p>
    </>
  )
}

/** Where rented servers are; the licence of the list of their networks asks for the link. */
const Countries = ({ countries }: Pick<BotsData, 'countries'>) => {
  const { t, f } = useApp()
  if (countries.length === 0) return null
  const names = countries
    .slice(0, shownCountries)
    .map(({ country, share }) => `${country === null ? t('unknown') : f.country(country)} ${f.percent(share)}`)
  return (
    <p class="faint">
      {t('bots_countries', { names: names.join(', ') })} {t('bots_networks')}{' '}
      <a href="https://db-ip.com" target="_blank" rel="noreferrer">
        DB-IP
      </a>
    </p>
  )
}

export const Bots = () => {
  const { t, f, span, refreshTick } = useApp()
  const { busy, act, errorNote } = useAction()
  const { value, error, retry } = useResource(`bots ${span.from} ${span.to} ${refreshTick}`, async () => {
    const [bots, summary] = await Promise.all([
      report<BotsData>('/bots', { ...span }),
      report<SummaryData>('/summary', { ...span }),
    ])
    return { ...bots, totals: summary.data.totals }
  })
  const left = value?.data.recalculating ?? 0
  usePolling(left > 0, value, retry, pollInterval)
  const change: Change = changes =>
    act(async () => {
      await resource('/bots', { method: 'PUT', body: changes })
      retry()
    })
  const refused = value?.data.days.reduce((sum, day) => sum + day.refused, 0) ?? 0
  const sumsUntil = value?.meta.suspects?.complete_from ?? null
  return (
    <section class="card bots" aria-labelledby="bots">
      <h2 id="bots">{t('bots')}</h2>
      <p class="faint">{t('bots_about')}</p>
      <div class="bar">
        <DatePicker />
      </div>
      {value === null && error === null && <Loading />}
      {error !== null && <ErrorMessage error={error} retry={retry} />}
      {value !== null && (
        <>
          {value.data.suspect === 0 ? (
            <p>{t('bots_none')}</p>
          ) : (
            <p>
              <b>
                {t('bots_found', {
                  n: value.data.suspect,
                  share: f.percent(value.data.suspect / Math.max(value.data.visits, 1)),
                })}
              </b>
            </p>
          )}
          {(value.data.suspect > 0 || value.data.suspects === 'leave_out') && (
            <Switch data={value.data} totals={value.totals} busy={busy} change={change} />
          )}
          <p class="note" role="status" hidden={left === 0}>
            {left > 0 && t('bots_recalculating', { n: left })}
          </p>
          {errorNote}
          {sumsUntil !== null && <p class="note">{t('bots_sums', { day: f.day(sumsUntil) })}</p>}
          <Rules data={value.data} busy={busy} change={change} />
          {value.data.suspect > 0 && <Countries countries={value.data.countries} />}
          {value.data.suspect > 0 && refused > 0 && <p class="faint">{t('bots_refused', { n: refused })}</p>}
        </>
      )}
    </section>
  )
}
