import { useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'
import { useFigures } from '../parts/figures.tsx'
import { type Answer, type Preferences, type Unit, useAnswers, usePreferences, type Viz } from './advisor.ts'
import { AnswerBody } from './answer.tsx'

type Items = readonly { label: string; value: number | null; share: number | null }[]

const largest = (items: Items): Items[number] | undefined =>
  [...items].sort((a, b) => (b.value ?? 0) - (a.value ?? 0))[0]

/** The first line of an answer: its figure, or its largest item. Nothing where the summary says it all. */
const Headline = ({ viz }: { viz: Viz }) => {
  const { t, f } = useApp()
  const write = useFigures(viz.currency)
  const line = (words: string | null, beside = ''): preact.ComponentChildren =>
    words !== null && (
      <span class="headline">
        <b>{words}</b> <span class="faint">{beside}</span>
      </span>
    )
  const changed = (change: number | null | undefined): string =>
    change == null || change === 0 ? '' : `${change > 0 ? '▲' : '▼'} ${f.percent(Math.abs(change))}`
  switch (viz.type) {
    case 'kpi_tile':
      return line(write(viz.value, viz.unit))
    case 'delta':
      return line(write(viz.current, viz.unit), changed(viz.change))
    case 'live':
      return line(write(viz.value, viz.unit))
    case 'donut':
    case 'bar':
    case 'map': {
      const first = largest(viz.items)
      return first === undefined || (first.value ?? 0) <= 0
        ? null
        : line(first.label, first.share === null ? write(first.value, viz.unit) : f.percent(first.share))
    }
    case 'table':
    case 'live_table': {
      const [row] = viz.rows
      const find = (named: boolean): { key: string; unit: Unit } | undefined =>
        viz.columns.find(({ unit }) => (unit === 'text' || unit === 'date') === named)
      const [name, figure] = [find(true), find(false)]
      return row === undefined || name === undefined
        ? null
        : line(
            write(row[name.key] ?? t('unknown'), name.unit),
            figure === undefined ? '' : write(row[figure.key] ?? null, figure.unit),
          )
    }
    case 'funnel':
      return viz.overall_conversion === null ? null : line(f.percent(viz.overall_conversion))
    case 'recommendation':
      return line(t.maybe(`verdict_${viz.verdict}`, '') || null)
    default:
      return null
  }
}

/** The pins that somebody has set; the usual ones are for the page of questions. */
const ownPins = (preferences: Preferences | null): readonly string[] =>
  preferences === null || preferences.pinned_questions.join() === preferences.defaults.join()
    ? []
    : preferences.pinned_questions

/** The pinned answers on the overview, each as a sentence that opens the full answer. */
export const PinnedTiles = () => {
  const { t, state, go } = useApp()
  const preferences = usePreferences()
  // Answers ignore filters: next to filtered figures they would mislead.
  const pins = state.filters.length > 0 ? [] : ownPins(preferences.value)
  const { value: answers } = useAnswers(pins)
  if (pins.length === 0 || answers === null || answers.length === 0) return null
  return (
    <section class="pinned-tiles" aria-label={t('pinned')}>
      {answers.map(answer => (
        <button
          type="button"
          key={answer.id}
          class="card pinned-tile"
          title={answer.status === 'ok' ? answer.summary : undefined}
          onClick={() => go({ view: 'ask', ask: answer.id })}
        >
          <span class="visually-hidden">{answer.question}</span>
          {answer.status === 'ok' && <Headline viz={answer.viz} />}
          <span class="pinned-summary">{answer.status === 'ok' ? answer.summary : answer.question}</span>
        </button>
      ))}
    </section>
  )
}

type PinnedProps = { pins: readonly string[]; save: (pins: readonly string[]) => void }

const moved = (pins: readonly string[], from: number, to: number): string[] => {
  const rest = pins.filter((_, index) => index !== from)
  const pin = pins[from]
  return pin === undefined ? [...pins] : [...rest.slice(0, to), pin, ...rest.slice(to)]
}

/** The pinned answers in full, to be moved by dragging or by buttons. */
export const Pinned = ({ pins, save }: PinnedProps) => {
  const { t } = useApp()
  const { value: answers } = useAnswers(pins)
  const [dragged, setDragged] = useState<number | null>(null)
  const shown = pins.flatMap((id, index) => {
    const answer = answers?.find(one => one.id === id)
    return answer === undefined ? [] : [{ answer, index }]
  })
  const head = (answer: Answer, index: number) => (
    <header>
      <h3>{answer.question}</h3>
      <span class="pin-tools">
        <button
          type="button"
          class="plain"
          disabled={index === 0}
          aria-label={`${t('move_forward')}: ${answer.question}`}
          onClick={() => save(moved(pins, index, index - 1))}
        >
          ←
        </button>
        <button
          type="button"
          class="plain"
          disabled={index === pins.length - 1}
          aria-label={`${t('move_back')}: ${answer.question}`}
          onClick={() => save(moved(pins, index, index + 1))}
        >
          →
        </button>
        <button
          type="button"
          class="plain"
          aria-label={`${t('unpin')}: ${answer.question}`}
          onClick={() => save(pins.filter(id => id !== answer.id))}
        >
          ✕
        </button>
      </span>
    </header>
  )
  if (answers === null && pins.length > 0)
    return (
      <div class="loading" role="status">
        <span class="visually-hidden">{t('loading')}</span>
      </div>
    )
  return (
    <div class="grid">
      {shown.map(({ answer, index }) => (
        <section
          key={answer.id}
          class={dragged === index ? 'card answer dragged' : 'card answer'}
          draggable
          onDragStart={event => {
            event.dataTransfer?.setData('text/plain', answer.id)
            setDragged(index)
          }}
          onDragEnd={() => setDragged(null)}
          onDragOver={event => {
            if (dragged !== null) event.preventDefault()
          }}
          onDrop={event => {
            event.preventDefault()
            if (dragged !== null && dragged !== index) save(moved(pins, dragged, index))
            setDragged(null)
          }}
        >
          {head(answer, index)}
          <AnswerBody answer={answer} />
        </section>
      ))}
    </div>
  )
}
