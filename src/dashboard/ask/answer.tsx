import type { Answer } from './advisor.ts'
import { useApp } from '../app/app-context.ts'
import { Viz } from './viz.tsx'

/** An answer, or why there is none. */
export const AnswerBody = ({ answer }: { answer: Answer }) => {
  const { t } = useApp()
  if (answer.status === 'error') return <p class="bad">{answer.message}</p>
  if (answer.status === 'coming_soon')
    return (
      <div class="empty">
        <p>{t('coming_soon')}</p>
        <p>{answer.hint}</p>
      </div>
    )
  // Some answers are a single sentence, which is also their summary.
  const told = 'message' in answer.viz ? answer.viz.message : null
  return (
    <>
      {answer.summary !== told && <p class="answer-summary">{answer.summary}</p>}
      <Viz viz={answer.viz} />
    </>
  )
}
