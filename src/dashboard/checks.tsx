import { useApp } from './app-context.ts'

export type Check = { id: string; state: string; label: string; detail: string }

const signs: Readonly<Record<string, string>> = { pass: '✓', info: 'i', warning: '!', critical: '✕', fail: '✕' }

/** Checks with their outcome as a sign and a word, and what to do. */
export const Checks = ({ checks }: { checks: readonly Check[] }) => {
  const { t } = useApp()
  return (
    <ul class="checks">
      {checks.map(({ id, state, label, detail }, index) => (
        <li key={`${id} ${index}`} class={`check ${state}`}>
          <b class="sign" aria-hidden="true">
            {signs[state] ?? '·'}
          </b>
          <div>
            <p>
              <span class="unseen">{t.maybe(`check_${state}`, state)}: </span>
              {label}
            </p>
            <p class="faint">{detail}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
