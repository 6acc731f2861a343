import { useState } from 'preact/hooks'
import { Failure, logIn, type Session } from './api.ts'
import type { Translate } from './texts.ts'

const sentenceOf = (error: unknown, withCode: boolean, t: Translate): string => {
  if (!(error instanceof Failure)) return t('failed')
  if (error.status === 0) return t('unreachable')
  if (error.status === 401) return t(withCode ? 'wrong_code' : 'wrong_login')
  return error.status === 429 ? t('too_many_logins') : error.message
}

/** Focuses a field when it appears. */
const focus = (node: HTMLInputElement | null): void => node?.focus()

/** `expired`: whether a session has ended that the user has not ended. */
type LoginProps = { t: Translate; expired: boolean; onLogin: (session: Session) => void }

/** The login form, at any address: the state in the address stays. */
export const Login = ({ t, expired, onLogin }: LoginProps) => {
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  /** Null until a code is asked for. */
  const [code, setCode] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    try {
      onLogin(await logIn(login, password, code ?? ''))
    } catch (error) {
      if (error instanceof Failure && error.code === 'rest_second_factor') setCode('')
      else setProblem(sentenceOf(error, code !== null, t))
      setBusy(false)
    }
  }
  return (
    <main class="login-page">
      <form class="card" onSubmit={event => void submit(event)}>
        <h1>Footfall</h1>
        {expired && <p role="status">{t('session_expired')}</p>}
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
            autoComplete="current-password"
            required
            value={password}
            onInput={event => setPassword(event.currentTarget.value)}
          />
        </label>
        {code !== null && (
          <label>
            {t('totp_code')}
            <input
              name="code"
              autoComplete="one-time-code"
              autoCapitalize="none"
              required
              maxLength={60}
              value={code}
              ref={focus}
              onInput={event => setCode(event.currentTarget.value)}
            />
            <span class="faint">{t('totp_code_help')}</span>
          </label>
        )}
        {problem !== '' && (
          <p class="bad" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary" disabled={busy}>
          {t('log_in')}
        </button>
        <p class="faint">{t('login_help')}</p>
      </form>
    </main>
  )
}
