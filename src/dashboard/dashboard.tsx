// The dashboard: finds out who is there, and shows the door, the reason why not, or the site.
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, logOut, openSession, type Session } from './api.ts'
import type { Theme } from './app-context.ts'
import { recall, remember } from './memory.ts'
import { firstLook, type Live } from './live.ts'
import { Login } from './login.tsx'
import { openLink, sharedToken, type Shared } from './share.ts'
import { ShareLogin } from './share-login.tsx'
import { Site } from './site.tsx'
import { translator, wantedLanguage, languages } from './texts.ts'

type Phase =
  | { kind: 'loading' }
  | { kind: 'stranger' }
  | { kind: 'refused' }
  | { kind: 'trouble'; error: unknown }
  | { kind: 'inside'; session: Session | null; shared: Shared | null; first: Live }
  | { kind: 'link'; gone: boolean }

const statusOf = (error: unknown): number | null => (error instanceof Failure ? error.status : null)

const usePhase = () => {
  const [phase, setPhase] = useState<Phase>({ kind: 'loading' })
  const token = sharedToken()
  const enter = async (known?: Session): Promise<void> => {
    try {
      const session = known ?? (await openSession())
      setPhase({ kind: 'inside', session, shared: null, first: await firstLook() })
    } catch (error) {
      const status = statusOf(error)
      setPhase(
        status === 401 ? { kind: 'stranger' } : status === 403 ? { kind: 'refused' } : { kind: 'trouble', error },
      )
    }
  }
  const read = async (link: string, opened?: Shared): Promise<void> => {
    try {
      const shared = opened ?? (await openLink(link, null))
      setPhase({ kind: 'inside', session: null, shared, first: await firstLook(shared.filters.length > 0) })
    } catch (error) {
      const status = statusOf(error)
      setPhase(status === 401 || status === 404 ? { kind: 'link', gone: status === 404 } : { kind: 'trouble', error })
    }
  }
  const begin = (): void => void (token === null ? enter() : read(token))
  useEffect(() => {
    begin()
    // Another link in the place of this one is another page.
    const renew = (): void => location.reload()
    addEventListener('hashchange', renew)
    return () => removeEventListener('hashchange', renew)
  }, [])
  return {
    phase,
    token,
    begin,
    enter: (session?: Session) => void enter(session),
    read: (shared: Shared) => void (token !== null && read(token, shared)),
    stranger: () => (token === null ? setPhase({ kind: 'stranger' }) : void read(token)),
  }
}

const themes: readonly Theme[] = ['system', 'light', 'dark']

const Dashboard = () => {
  const { phase, token, begin, enter, read, stranger } = usePhase()
  const [language, setLanguage] = useState(
    () => languages.find(({ id }) => id === recall('language'))?.id ?? wantedLanguage(navigator.languages),
  )
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
  if (phase.kind === 'link') return <ShareLogin t={t} token={token ?? ''} gone={phase.gone} entered={read} />
  if (phase.kind === 'inside')
    return (
      <Site
        session={phase.session}
        shared={phase.shared}
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
        <p>
          {phase.kind === 'refused'
            ? t('refused')
            : phase.error instanceof Failure && phase.error.status !== 0
              ? phase.error.message
              : t('unreachable')}
        </p>
        {phase.kind === 'refused' ? (
          <button type="button" onClick={() => void logOut().finally(stranger)}>
            {t('log_out')}
          </button>
        ) : (
          <button type="button" onClick={begin}>
            {t('retry')}
          </button>
        )}
      </div>
    </main>
  )
}

const place = document.getElementById('app')
if (place !== null) render(<Dashboard />, place)
