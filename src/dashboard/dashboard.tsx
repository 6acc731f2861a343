// The entry point: finds out who is logged in, and shows the login, an error, or the dashboard.
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { chooseLanguage } from '../lib/texts.ts'
import type { Start } from '../reports/start.ts'
import { Failure, isUnreachable, keepLanguage, logOut, openSession, type Session } from './app/api.ts'
import type { Theme } from './app/app-context.ts'
import { Invited, invitationToken } from './app/invited.tsx'
import { keepFocus } from './app/keep-focus.ts'
import { Login } from './app/login.tsx'
import { recall, remember } from './app/memory.ts'
import { isHosted, platformLanguage } from './app/platform.ts'
import { heldBy, type Opened, openLink, type Shared, sharedToken } from './app/share.ts'
import { ShareLogin } from './app/share-login.tsx'
import { Site } from './app/site.tsx'
import { languages, loadTexts, localeFor, translator } from './app/texts.ts'
import { SetUpTotp } from './settings/set-up-totp.tsx'

type Phase =
  | { kind: 'loading' }
  | { kind: 'login'; expired: boolean }
  | { kind: 'refused'; expired: boolean }
  | { kind: 'second_factor' }
  | { kind: 'trouble'; error: unknown }
  | { kind: 'inside'; session: Session | null; shared: Shared | null; start: Start }
  | { kind: 'link'; gone: boolean }
  | { kind: 'invited'; token: string }

const statusOf = (error: unknown): number | null => (error instanceof Failure ? error.status : null)

/** The session, asked for while the texts are loaded; links and invitations bring what opens the page. */
let early = sharedToken() === null && invitationToken() === null ? openSession() : null
early?.catch(() => {})

/** Whose page it is. @throws Failure 401 for nobody */
const findSession = (): Promise<Session> => {
  const asked = early ?? openSession()
  early = null
  return asked
}

/** @param speak shows the page in a language */
const usePhase = (speak: (language: string) => Promise<void>) => {
  const [phase, setPhase] = useState<Phase>({ kind: 'loading' })
  const token = sharedToken()
  const enter = async (known?: Session): Promise<void> => {
    try {
      const session = known ?? (await findSession())
      if (session.needs_second_factor) return setPhase({ kind: 'second_factor' })
      const { start, locale } = session
      if (start === null) return setPhase({ kind: 'refused', expired: false })
      // English may only be what nobody has chosen.
      if (!isHosted && recall('language') === null && locale !== 'en') await speak(chooseLanguage([locale]).name)
      setPhase({ kind: 'inside', session, shared: heldBy(session), start })
    } catch (error) {
      const status = statusOf(error)
      if (status === 401 && !isHosted) setPhase({ kind: 'login', expired: false })
      else setPhase(status === 401 || status === 403 ? { kind: 'refused', expired: false } : { kind: 'trouble', error })
    }
  }
  const read = async (link: string, opened?: Opened): Promise<void> => {
    try {
      setPhase({ kind: 'inside', session: null, ...(opened ?? (await openLink(link, null))) })
    } catch (error) {
      const status = statusOf(error)
      // 400: not a token at all.
      const gone = status === 404 || status === 400
      setPhase(gone || status === 401 ? { kind: 'link', gone } : { kind: 'trouble', error })
    }
  }
  const begin = (): void => {
    const invitation = invitationToken()
    if (invitation !== null) setPhase({ kind: 'invited', token: invitation })
    else void (token === null ? enter() : read(token))
  }
  useEffect(() => {
    begin()
    // Another shared link in the address means another page.
    const renew = (): void => location.reload()
    addEventListener('hashchange', renew)
    return () => removeEventListener('hashchange', renew)
  }, [])
  const isWaiting = phase.kind === 'trouble' && isUnreachable(phase.error)
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setTimeout(begin, 3000)
    return () => clearTimeout(timer)
  }, [phase])
  return {
    phase,
    token,
    begin,
    enter: (session?: Session) => void enter(session),
    read: (opened: Opened) => void (token !== null && read(token, opened)),
    onSessionExpired: () => {
      if (token !== null) return void read(token)
      setPhase({ kind: isHosted ? 'refused' : 'login', expired: true })
    },
    onForbidden: () => setPhase({ kind: 'refused', expired: false }),
    onLeave: () => setPhase({ kind: 'login', expired: false }),
  }
}

const themes: readonly Theme[] = ['system', 'light', 'dark']
const themeOf = (name: string | null | undefined): Theme | undefined => themes.find(one => one === name)

const Dashboard = ({ initialLanguage }: { initialLanguage: string }) => {
  const [language, setLanguage] = useState(initialLanguage)
  /** Without its texts the page stays in the language that it has. */
  const speak = (chosen: string): Promise<void> =>
    loadTexts(chosen).then(
      () => setLanguage(chosen),
      () => {},
    )
  const { phase, token, begin, enter, read, onSessionExpired, onForbidden, onLeave } = usePhase(speak)
  const [theme, setTheme] = useState<Theme>(() => themeOf(recall('theme')) ?? 'system')
  const t = translator(localeFor(language, navigator.languages))
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  if (phase.kind === 'loading')
    return (
      <main class="login-page">
        <div class="loading" role="status">
          <span class="visually-hidden">{t('loading')}</span>
        </div>
      </main>
    )
  if (phase.kind === 'login') return <Login t={t} expired={phase.expired} onLogin={enter} />
  if (phase.kind === 'invited') return <Invited t={t} token={phase.token} language={language} onLogin={enter} />
  if (phase.kind === 'second_factor')
    return (
      <main class="login-page">
        <div class="card">
          <h1>{t('totp')}</h1>
          <p>{t('totp_required')}</p>
          <SetUpTotp t={t} onDone={begin} />
          <button type="button" onClick={() => void logOut().finally(onLeave)}>
            {t('log_out')}
          </button>
        </div>
      </main>
    )
  if (phase.kind === 'link') return <ShareLogin t={t} token={token ?? ''} gone={phase.gone} onLogin={read} />
  if (phase.kind === 'inside')
    return (
      <Site
        session={phase.session}
        shared={phase.shared}
        start={phase.start}
        t={t}
        language={language}
        theme={theme}
        onSessionExpired={onSessionExpired}
        onForbidden={onForbidden}
        onLeave={onLeave}
        setLanguage={chosen => {
          remember('language', chosen)
          void speak(chosen)
          if (!isHosted && phase.session !== null) void keepLanguage(chosen)
        }}
        setTheme={chosen => {
          remember('theme', chosen)
          setTheme(chosen)
        }}
      />
    )
  return (
    <main class="login-page">
      <div class="card" role="alert">
        <h1>Footfall</h1>
        <p>
          {phase.kind === 'refused'
            ? t(phase.expired ? 'session_expired' : 'refused')
            : phase.error instanceof Failure && !isUnreachable(phase.error)
              ? phase.error.message
              : t('unreachable')}
        </p>
        {phase.kind === 'refused' && !isHosted ? (
          <button type="button" onClick={() => void logOut().finally(onLeave)}>
            {t('log_out')}
          </button>
        ) : (
          <button type="button" onClick={isHosted ? () => location.reload() : begin}>
            {t('retry')}
          </button>
        )}
      </div>
    </main>
  )
}

const begin = async (place: HTMLElement): Promise<void> => {
  const language =
    languages.find(({ id }) => id === recall('language'))?.id ??
    chooseLanguage(platformLanguage === undefined ? navigator.languages : [platformLanguage]).name
  try {
    await loadTexts(language)
    render(<Dashboard initialLanguage={language} />, place)
  } catch {
    // Without any texts, in the language of the page's markup.
    render(<p role="alert">Footfall could not be loaded. Reload the page.</p>, place)
  }
}

const place = document.getElementById('app')
if (place !== null) {
  keepFocus(place)
  void begin(place)
}
