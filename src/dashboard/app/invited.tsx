// An invitation: its token is in the fragment of the address, which no server and no log sees.
import { useState } from 'preact/hooks'
import { Failure, join, type Session } from './api.ts'
import type { Translate } from './texts.ts'

const mark = '#invite='

/** The token in the address; null without one. */
export const invitationToken = (): string | null =>
  location.hash.startsWith(mark) ? location.hash.slice(mark.length) : null

/** The address that opens an invitation. */
export const invitationLink = (token: string): string =>
  new URL(`${location.pathname}${mark}${token}`, location.href).href

type InvitedProps = { t: Translate; token: string; language: string; onLogin: (session: Session) => void }

/** Asks for login and password of a new account. */
export const Invited = ({ t, token, language, onLogin }: InvitedProps) => {
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = (event: Event): void => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    join({ token, login: login.trim(), password, locale: language }).then(
      session => {
        history.replaceState(null, '', location.pathname + location.search)
        onLogin(session)
      },
      (error: unknown) => {
        const { status, message } = error instanceof Failure ? error : new Failure(-1, '', t('failed'))
        const known: Record<number, string> = {
          0: t('unreachable'),
          404: t('invite_gone'),
          429: t('too_many_logins'),
        }
        setProblem(known[status] ?? message)
        setBusy(false)
      },
    )
  }
  return (
    <main class="login-page">
      <form class="card" onSubmit={submit}>
        <h1>Footfall</h1>
        <p>{t('invited')}</p>
        <label>
          {t('login')}
          <input
            name="login"
            autoComplete="username"
            autoCapitalize="none"
            required
            maxLength={60}
            value={login}
            onInput={event => setLogin(event.currentTarget.value)}
          />
        </label>
        <label>
          {t('password')}
          <input
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={8}
            maxLength={1024}
            value={password}
            onInput={event => setPassword(event.currentTarget.value)}
          />
        </label>
        {problem !== '' && (
          <p class="bad" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary" disabled={busy}>
          {t('invite_join')}
        </button>
      </form>
    </main>
  )
}
