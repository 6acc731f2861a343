// What is said above every view: that the service does not answer, and what of the address is refused.
import { useNames } from '../parts/filters.tsx'
import { useApp } from './app-context.ts'
import type { Filter } from './url.ts'

/** In place of figures for days that are not a range: others would be taken for them. */
export const WrongDays = () => {
  const { t, f, go, span } = useApp()
  return (
    <section class="card">
      <p role="alert">{t('wrong_days')}</p>
      <p class="tools">
        <button
          type="button"
          onClick={() => go({ period: null, from: null, to: null, compareFrom: null, compareTo: null })}
        >
          {t('show_span', { span: f.span(span) })}
        </button>
      </p>
    </section>
  )
}

/** `foreign`: filters that the shared link refuses. */
export const Notices = ({ foreign }: { foreign: readonly Filter[] }) => {
  const { t, f, zone, lost, live } = useApp()
  const names = useNames()
  const sentences = [
    lost && t('lost', { time: f.time(live.meta.generated_at, zone) }),
    foreign.length > 0 && t('share_foreign', { names: foreign.map(({ key }) => names.key(key)).join(', ') }),
  ]
  return (
    <>
      {sentences.map(
        sentence =>
          sentence !== false && (
            <p key={sentence} class="banner" role="status">
              {sentence}
            </p>
          ),
      )}
    </>
  )
}
