// The dashboard: finds out who is there, and shows the door, the reason why not, or the site.
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, logOut, openSession, type Session } from './api.ts'
import type { Theme } from './app-context.ts'
import { recall, remember } from './memory.ts'
import { firstLook, type Live } from './live.ts'
import { Login } from './login.tsx'
import { Site } from './site.tsx'
import { translator, wantedLanguage, languages } from './texts.ts'

type Phase = { kind: 'loading' } | { kind: 'stranger' } | { kind: 'refused' } | { kind: 'trouble', error: unknown } | { kind: 'inside', session: Session, first: Live }

const usePhase = () => {
  const [phase, setPhase] = useState<Phase>({ kind: 'loading' })
  const enter = async (known?: Session): Promise<void> => {
    try {
      const session = known ?? (await openSession())
      setPhase({ kind: 'inside', session, first: await firstLook() })
    } catch (error) {
      const status = error instanceof Failure ? error.status : null
      setPhase(status === 401 ? { kind: 'stranger' } : status === 403 ? { kind: 'refused' } : { kind: 'trouble', error })
    }
  }
  useEffect(() => void enter(), [])
  return { phase, enter: (session?: Session) => void enter(session), stranger: () => setPhase({ kind: 'stranger' }) }
}

const themes: readonly Theme[] = ['system', 'light', 'dark']

const Dashboard = () => {
  const { phase, enter, stranger } = usePhase()
  const [language, setLanguage] = useState(() => languages.find(({ id }) => id === recall('language'))?.id ?? wantedLanguage(navigator.languages))
  const [theme, setTheme] = useState<Theme>(() => themes.find(one => one === recall('theme')) ?? 'system')
  const t = translator(language)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  if (phase.kind === 'loading')
    return (
      <main class="door">
        <div class="loading" role="status">
          <span class="unseen">{t('loading')}</span>
        </div>
      </main>
    )
  if (phase.kind === 'stranger') return <Login t={t} entered={enter} />
  if (phase.kind === 'inside')
    return (
      <Site
        session={phase.session}
        first={phase.first}
        t={t}
        language={language}
        theme={theme}
        stranger={stranger}
        setLanguage={chosen => {
          remember('language', chosen)
          setLanguage(chosen)
        }}
        setTheme={chosen => {
          remember('theme', chosen)
          setTheme(chosen)
        }}
      />
    )
  return (
    <main class="door">
      <div class="card" role="alert">
        <h1>Footfall</h1>
        <p>{phase.kind === 'refused' ? t('refused') : phase.error instanceof Failure && phase.error.status !== 0 ? phase.error.message : t('unreachable')}</p>
        {phase.kind === 'refused' ? (
          <button type="button" onClick={() => void logOut().finally(stranger)}>
            {t('log_out')}
          </button>
        ) : (
          <button type="button" onClick={() => enter()}>
            {t('retry')}
          </button>
        )}
      </div>
    </main>
  )
}

const place = document.getElementById('app')
if (place !== null) render(<Dashboard />, place)
