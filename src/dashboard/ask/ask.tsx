import { useState } from 'preact/hooks'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { DatePicker } from '../parts/date-picker.tsx'
import { Unfiltered } from '../parts/filters.tsx'
import { Empty, Pending, PendingCard } from '../parts/status.tsx'
import { type Inventory, type Question, useAnswers, usePreferences } from './advisor.ts'
import { AnswerBody } from './answer.tsx'
import { AskedAnswers } from './asked.tsx'
import { Pinned } from './pins.tsx'

/** Fields for the parameters of a question, such as a page or an event. */
const Parameters = ({
  names,
  onApply,
}: {
  names: readonly string[]
  onApply: (values: Record<string, string>) => void
}) => {
  const { t } = useApp()
  const [values, setValues] = useState<Record<string, string>>({})
  return (
    <form
      class="tools"
      onSubmit={event => {
        event.preventDefault()
        onApply(values)
      }}
    >
      {names.map(name => (
        <label key={name}>
          {t.maybe(`filter_${name}`, name)}{' '}
          <input
            value={values[name] ?? ''}
            onInput={event => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      <button type="submit">{t('apply')}</button>
    </form>
  )
}

const OpenQuestion = ({ question }: { question: Question }) => {
  const [params, setParams] = useState<Record<string, string>>({})
  const filled = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''))
  const { value, error, retry } = useAnswers(
    [question.id],
    Object.keys(filled).length === 0 ? {} : { params: { [question.id]: filled } },
  )
  return (
    <div class="answer-open">
      {question.params !== undefined && question.params.length > 0 && (
        <Parameters names={question.params} onApply={setParams} />
      )}
      {error !== null || value?.[0] === undefined ? (
        <Pending error={error} retry={retry} />
      ) : (
        <AnswerBody answer={value[0]} />
      )}
    </div>
  )
}

type ListProps = {
  questions: readonly Question[]
  pins: readonly string[]
  maxPins: number
  save: (pins: readonly string[]) => void
}

const Questions = ({ questions, pins, maxPins, save }: ListProps) => {
  const { t, state, go } = useApp()
  return (
    <ul class="questions">
      {questions.map(question => {
        const open = state.ask === question.id
        const pinned = pins.includes(question.id)
        return (
          <li key={question.id}>
            <div class="question">
              <button
                type="button"
                class="question-text"
                aria-expanded={open}
                onClick={() => go({ ask: open ? null : question.id }, true)}
              >
                {question.question}
              </button>
              <button
                type="button"
                class="link"
                aria-pressed={pinned}
                disabled={!pinned && pins.length >= maxPins}
                onClick={() => save(pinned ? pins.filter(id => id !== question.id) : [...pins, question.id])}
              >
                {t(pinned ? 'unpin' : 'pin')}
                <span class="visually-hidden">: {question.question}</span>
              </button>
            </div>
            {open && <OpenQuestion key={question.id} question={question} />}
          </li>
        )
      })}
    </ul>
  )
}

const maxText = 300

/** The field for a question; it is asked when it is sent, not while it is written. */
const AskForm = () => {
  const { t, state, go } = useApp()
  const [text, setText] = useState(state.search)
  return (
    <form
      class="ask-search"
      onSubmit={event => {
        event.preventDefault()
        go({ search: text.trim(), ask: null })
      }}
    >
      <label class="visually-hidden" for="search">
        {t('ask_search')}
      </label>
      <input
        id="search"
        type="search"
        placeholder={t('ask_search')}
        value={text}
        maxLength={maxText}
        autoComplete="off"
        onInput={event => {
          setText(event.currentTarget.value)
          if (event.currentTarget.value === '') go({ search: '', ask: null }, true)
        }}
      />
      <button type="submit" class="primary">
        {t('ask_send')}
      </button>
    </form>
  )
}

/** Questions in words: the pinned ones with their answers, and all others in one's own words or by category. */
export const Ask = () => {
  const { t, state, language, span } = useApp()
  const inventory = useResource(`questions ${language} ${span.from} ${span.to}`, () =>
    resource<Inventory>('/advisor/questions', { params: { lang: language, ...span } }),
  )
  const { value: preferences, save } = usePreferences()
  if (inventory.missing)
    return (
      <section class="card">
        <h2>{t('view_ask')}</h2>
        <Empty why={t('no_advisor')} />
      </section>
    )
  if (inventory.error !== null || inventory.value === null || preferences === null)
    return <PendingCard error={inventory.error} retry={inventory.retry} />
  const { categories, questions } = inventory.value
  const pins = preferences.pinned_questions
  const list = { pins, maxPins: preferences.max_pins, save }
  const searching = state.search.trim() !== ''
  const selected = questions.find(({ id }) => id === state.ask)
  return (
    <div class="stack">
      <div class="bar">
        <DatePicker />
      </div>
      <Unfiltered why="filters_not_view" />
      <section class="card" aria-labelledby="ask">
        <h2 id="ask">{t('ask_title')}</h2>
        <AskForm key={state.search} />
        {searching && <AskedAnswers key={state.search} text={state.search} questions={questions} />}
        {!searching && selected !== undefined && <Questions questions={[selected]} {...list} />}
      </section>
      {!searching && (
        <>
          {pins.length > 0 && <h2>{t('pinned')}</h2>}
          <Pinned pins={pins} save={save} />
          <h2>{t('all_questions')}</h2>
          <div class="card categories">
            {categories.map(({ id, label }) => {
              const own = questions.filter(({ category_id }) => category_id === id)
              return (
                <details key={id}>
                  <summary>
                    {label} <span class="faint">{own.length}</span>
                  </summary>
                  <Questions questions={own} {...list} />
                </details>
              )
            })}
          </div>
        </>
      )}
    </div>
  )
}
