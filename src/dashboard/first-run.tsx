import { useApp } from './app-context.ts'
import { Copy } from './parts.tsx'

/** Before the first visit: the line to paste, with this very host in it, and what to look at when nothing comes. */
export const FirstRun = () => {
  const { t } = useApp()
  const tag = `<script defer src="${new URL('tracker.js', location.href.replace(/[?#].*/, '')).href}"></script>`
  return (
    <section class="card first-run" aria-labelledby="first-run">
      <h2 id="first-run">{t('first_title')}</h2>
      <ol>
        <li>
          <p>{t('first_paste')}</p>
          <pre id="tag" tabIndex={0}>
            {tag}
          </pre>
          <Copy text={tag} label={t('copy_tag')} />
        </li>
        <li>
          <p>{t('first_open')}</p>
        </li>
        <li>
          <p class="waiting" role="status">
            <i class="dot on pulse" aria-hidden="true" />
            {t('first_waiting')}
          </p>
        </li>
      </ol>
      <details>
        <summary>{t('first_nothing')}</summary>
        <ul>
          <li>{t('first_why_role')}</li>
          <li>{t('first_why_blocker')}</li>
          <li>{t('first_why_host')}</li>
          <li>{t('first_why_signals')}</li>
        </ul>
      </details>
    </section>
  )
}
