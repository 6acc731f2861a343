// A question in the visitor's own words: what was understood of it, the answers, and what to ask instead.
import { useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'
import type { Span } from '../app/days.ts'
import { filterKeys, readFilter } from '../app/url.ts'
import { useNames } from '../parts/filters.tsx'
import { Pending } from '../parts/status.tsx'
import { useAnswers, useAsked, type Answer, type Asked, type Filters, type Question } from './advisor.ts'
import { AnswerBody } from './answer.tsx'

type Understanding = { days: Span; filters: Filters }

const Pill = ({
  children,
  name,
  remove,
}: {
  children: preact.ComponentChildren
  name: string
  remove?: () => void
}) => {
  const { t } = useApp()
  return (
    <li class="pill">
      <span class="pill-text">{children}</span>
      {remove !== undefined && (
        <button type="button" class="pill-remove" aria-label={t('remove_filter', { name })} onClick={remove}>
          ✕
        </button>
      )}
    </li>
  )
}

const useFilterName = () => {
  const names = useNames()
  return (key: string, text: string) => {
    const known = filterKeys.find(one => one === key)
    if (known === undefined) return { label: key, value: text }
    const { values } = readFilter(known, text)
    return { label: names.key(known), value: values.map(value => names.value(known, value)).join(', ') }
  }
}

type PillsProps = {
  now: Understanding
  words: readonly string[]
  change: (now: Understanding) => void
}

/** The days, filters and words of a question; without its days those of the page count. */
const UnderstoodPills = ({ now, words, change }: PillsProps) => {
  const { t, f, span, state, go } = useApp()
  const nameOf = useFilterName()
  const isOfPage = now.days.from === span.from && now.days.to === span.to
  return (
    <div class="pills">
      <ul aria-label={t('ask_understood')}>
        <Pill name={f.span(now.days)} {...(!isOfPage && { remove: () => change({ ...now, days: span }) })}>
          {f.span(now.days)}
        </Pill>
        {Object.entries(now.filters).map(([key, text]) => {
          const { label, value } = nameOf(key, text)
          const { [key]: _, ...filters } = now.filters
          return (
            <Pill key={key} name={`${label} ${value}`} remove={() => change({ ...now, filters })}>
              {label} {t('is')} <b>{value}</b>
            </Pill>
          )
        })}
        {words.map(word => (
          <Pill
            key={`word ${word}`}
            name={word}
            remove={() => go({ search: state.search.replace(word, ' ').replace(/\s+/g, ' ').trim(), ask: null })}
          >
            {t('ask_unused')} <s>{word}</s>
          </Pill>
        ))}
      </ul>
    </div>
  )
}

/** Filters that a question takes as its parameters, and the rest. */
const split = (all: Filters, question: Question | undefined) => {
  const names: readonly string[] = question?.params ?? []
  const entries = Object.entries(all)
  return {
    params: Object.fromEntries(
      filterKeys.flatMap(key =>
        names.includes(key) && all[key] !== undefined ? [[key, readFilter(key, all[key]).values[0]]] : [],
      ),
    ),
    filters: Object.fromEntries(entries.filter(([key]) => !names.includes(key))),
  }
}

const AnswerCard = ({ answer }: { answer: Answer }) => (
  <article class="answer">
    <h3>{answer.question}</h3>
    <AnswerBody answer={answer} />
  </article>
)

type ChangedProps = { id: string; now: Understanding; language: string; questions: readonly Question[] }

/** The answer to a question whose days or filters were changed. */
const ChangedAnswer = ({ id, now, language, questions }: ChangedProps) => {
  const { params, filters } = split(
    now.filters,
    questions.find(question => question.id === id),
  )
  const { value, error, retry } = useAnswers([id], { params: { [id]: params }, filters, days: now.days, language })
  return value?.[0] === undefined ? <Pending error={error} retry={retry} /> : <AnswerCard answer={value[0]} />
}

const NearestList = ({ nearest }: { nearest: Asked['nearest'] }) => {
  const { t, state, go } = useApp()
  return (
    <>
      <h3>{t('ask_nearest')}</h3>
      <ul class="questions">
        {nearest.map(({ id, report, command, question }) => (
          <li key={question}>
            {command === undefined ? (
              <button
                type="button"
                class="question-text"
                onClick={() =>
                  id === undefined
                    ? go({
                        view: 'overview',
                        search: '',
                        tabs: { ...state.tabs, times: (report ?? '').endsWith('weekday') ? 'weekday' : 'hour' },
                      })
                    : go({ search: '', ask: id })
                }
              >
                {question}
              </button>
            ) : (
              <p>
                {question} <code>footfall {command}</code>
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Answers a text; the pills above the answer can be removed, which answers again. */
export const AskedAnswers = ({ text, questions }: { text: string; questions: readonly Question[] }) => {
  const { value: asked, error, retry } = useAsked(text)
  const [changed, setChanged] = useState<Understanding | null>(null)
  if (asked === null) return <Pending error={error} retry={retry} />
  const { understood, answers, message, nearest, language } = asked
  const now = changed ?? { days: { from: understood.from, to: understood.to }, filters: understood.filters }
  return (
    <div class="asked" aria-live="polite">
      <UnderstoodPills now={now} words={understood.words} change={setChanged} />
      {message !== null && <p class={answers.length === 0 ? 'empty' : 'note'}>{message}</p>}
      {answers.map(answer =>
        changed === null ? (
          <AnswerCard key={answer.id} answer={answer} />
        ) : (
          <ChangedAnswer key={answer.id} id={answer.id} now={changed} language={language} questions={questions} />
        ),
      )}
      <NearestList nearest={nearest} />
    </div>
  )
}
