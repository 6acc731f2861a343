import { useState } from 'preact/hooks'
import { comparisons } from '../../lib/earlier-range.ts'
import { useApp } from '../app/app-context.ts'
import { compared, type Span } from '../app/days.ts'
import { type Preset, presets, step } from '../app/periods.ts'
import { compares } from '../app/url.ts'
import { Menu } from './menu.tsx'

/** A form for a range of days; `name` is the prefix of its fields' ids. */
export const Days = ({ name, first, choose }: { name: string; first: Span; choose: (days: Span) => void }) => {
  const { t, today } = useApp()
  const [from, setFrom] = useState(first.from)
  const [to, setTo] = useState(first.to)
  const wrong = from > to
  const apply = (event: Event): void => {
    event.preventDefault()
    if (from !== '' && to !== '' && !wrong) choose({ from, to })
  }
  return (
    <form class="days-form" onSubmit={apply}>
      <label>
        {t('from')}
        <input
          type="date"
          id={`${name}-from`}
          value={from}
          max={today}
          required
          onInput={event => setFrom(event.currentTarget.value)}
        />
      </label>
      <label>
        {t('to')}
        <input
          type="date"
          id={`${name}-to`}
          value={to}
          max={today}
          required
          onInput={event => setTo(event.currentTarget.value)}
        />
      </label>
      {wrong && (
        <p class="bad" role="alert">
          {t('wrong_range')}
        </p>
      )}
      <button type="submit">{t('apply')}</button>
    </form>
  )
}

const presetName = (id: string): 'period_today' => `period_${id}` as 'period_today'

const Presets = ({ onChoose }: { onChoose: () => void }) => {
  const { t, f, state, go, today, weekStart, hour, firstDay } = useApp()
  const offered = presets.filter(({ id }) => id !== '24h' || state.view === 'overview' || state.view === 'page')
  const list = (shown: readonly Preset[]) => (
    <ul>
      {shown.map(({ id, key, span: spanOf }) => (
        <li key={id}>
          <button
            type="button"
            aria-current={state.period === id}
            onClick={() => {
              go({ period: id, from: null, to: null, interval: null })
              onChoose()
            }}
          >
            {t(presetName(id))}
            <span class="faint">
              {id === 'all' && firstDay === null
                ? ''
                : f.span(spanOf({ today, weekStart, hour, first: firstDay ?? today }))}
            </span>
            <kbd>{key?.toUpperCase()}</kbd>
          </button>
        </li>
      ))}
    </ul>
  )
  const others = offered.filter(({ usual }) => usual !== true)
  return (
    <div>
      {list(offered.filter(({ usual }) => usual === true))}
      <details open={others.some(({ id }) => id === state.period)}>
        <summary>{t('more_periods')}</summary>
        {list(others)}
      </details>
    </div>
  )
}

const ComparisonChoice = () => {
  const { t, state, go, span, today, weekStart } = useApp()
  const { compareFrom, compareTo } = state
  const chosen = compareFrom === null || compareTo === null ? null : { from: compareFrom, to: compareTo }
  const name = comparisons.find(one => one === state.compare) ?? 'previous'
  const other = chosen ?? compared(span, name, { today, weekStart })
  return (
    <fieldset>
      <legend>{t('compare')}</legend>
      {compares.map(one => (
        <label key={one} class="choice">
          <input
            type="radio"
            name="compare"
            checked={state.compare === one}
            onChange={() => go({ compare: one, compareFrom: other.from, compareTo: other.to })}
          />
          {t(`compare_${one}`)}
        </label>
      ))}
      {state.compare === 'custom' && (
        <Days name="compare" first={other} choose={days => go({ compareFrom: days.from, compareTo: days.to })} />
      )}
    </fieldset>
  )
}

/** Chooses the period (preset, step or range) and what it is compared with. */
export const DatePicker = () => {
  const { t, f, state, go, span, today, weekStart, zone } = useApp()
  const move = (direction: 1 | -1): void => {
    const next = step(span, direction, { today, weekStart })
    go({ from: next.from, to: next.to, period: null, interval: null })
  }
  const preset = presets.find(({ id }) => id === state.period)
  return (
    <div class="dates">
      <button
        type="button"
        class="icon"
        aria-label={t('earlier')}
        title={`${t('earlier')} (←)`}
        onClick={() => move(-1)}
      >
        ‹
      </button>
      <Menu
        id="period"
        name={t('choose_period')}
        wide
        label={
          <>
            <b>{preset ? t(presetName(preset.id)) : f.span(span)}</b>
            {preset && <span class="faint span-text">{f.span(span)}</span>}
          </>
        }
      >
        {close => (
          <div class="period-menu">
            <Presets onChoose={close} />
            <div>
              <Days
                name="date"
                first={span}
                choose={days => {
                  go({ ...days, period: null, interval: null })
                  close()
                }}
              />
              <ComparisonChoice />
            </div>
          </div>
        )}
      </Menu>
      <button
        type="button"
        class="icon"
        aria-label={t('later')}
        title={`${t('later')} (→)`}
        disabled={span.to >= today}
        onClick={() => move(1)}
      >
        ›
      </button>
      <span class="zone faint" title={t('zone_help')}>
        {zone}
      </span>
    </div>
  )
}
