// A question in the visitor's own words: what was understood of it, the answers, and what to ask instead.
import { useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'
import { filterKeys, readFilter } from '../app/url.ts'
import { Pending } from '../parts/status.tsx'
import { type Answer, type Asked, type Filters, type Question, useAnswers, useAsked } from './advisor.ts'
import { AnswerBody } from './answer.tsx'
import { type Understanding, UnderstoodPills } from './understood-pills.tsx'

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

type ChangedProps = {
  id: string
  now: Understanding
  compare: string | undefined
  language: string
  questions: readonly Question[]
}

/** The answer to a question whose days or filters were changed. */
const ChangedAnswer = ({ id, now, compare, language, questions }: ChangedProps) => {
  const { params, filters } = split(
    now.filters,
    questions.find(question => question.id === id),
  )
  const { value, error, retry } = useAnswers([id], {
    params: { [id]: params },
    filters,
    days: now.days,
    compare,
    language,
  })
  return value?.[0] === undefined ? <Pending error={error} retry={retry} /> : <AnswerCard answer={value[0]} />
}

/** What a question may mean: a click shows its answer. */
const ReadingList = ({ readings, choose }: { readings: Asked['readings']; choose: (id: string) => void }) => (
  <ul class="questions">
    {readings.map(({ id, question, summary }) => (
      <li key={id}>
        <button type="button" class="question-text" onClick={() => choose(id)}>
          {question}
        </button>
        <p class="note">{summary}</p>
      </li>
    ))}
  </ul>
)

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
  const [reading, setReading] = useState<string | null>(null)
  if (asked === null) return <Pending error={error} retry={retry} />
  const { understood, answers, readings, message, nearest, language } = asked
  const now = changed ?? { days: { from: understood.from, to: understood.to }, filters: understood.filters }
  return (
    <div class="asked" aria-live="polite">
      <UnderstoodPills now={now} words={understood.words} change={setChanged} />
      {message !== null && reading === null && <p class={answers.length === 0 ? 'empty' : 'note'}>{message}</p>}
      {readings.length > 0 && reading === null && <ReadingList readings={readings} choose={setReading} />}
      {reading !== null && (
        <ChangedAnswer
          id={reading}
          now={now}
          compare={understood.compare ?? undefined}
          language={language}
          questions={questions}
        />
      )}
      {answers.map(answer =>
        changed === null ? (
          <AnswerCard key={answer.id} answer={answer} />
        ) : (
          <ChangedAnswer
            key={answer.id}
            id={answer.id}
            now={changed}
            compare={understood.compare ?? undefined}
            language={language}
            questions={questions}
          />
        ),
      )}
      <NearestList nearest={nearest} />
    </div>
  )
}
