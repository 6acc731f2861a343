import { useState } from 'preact/hooks'
import { Failure } from './api.ts'
import { type Opened, openLink } from './share.ts'
import type { Translate } from './texts.ts'

/** Asks for the password of a shared link, or says that the link is invalid. */
export const ShareLogin = ({
  t,
  token,
  gone,
  onLogin,
}: {
  t: Translate
  token: string
  gone: boolean
  onLogin: (opened: Opened) => void
}) => {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    setProblem('')
    openLink(token, password).then(onLogin, (error: unknown) => {
      const status = error instanceof Failure ? error.status : null
      setProblem(
        t(
          status === 401
            ? 'share_wrong'
            : status === 429
              ? 'too_many_logins'
              : status === 0
                ? 'unreachable'
                : 'share_gone',
        ),
      )
    })
  }
  if (gone)
    return (
      <main class="login-page">
        <div class="card" role="alert">
          <h1>Footfall</h1>
          <p>{t('share_gone')}</p>
        </div>
      </main>
    )
  return (
    <main class="login-page">
      <form class="card" onSubmit={submit}>
        <h1>Footfall</h1>
        <p>{t('share_locked')}</p>
        <label>
          {t('password')}
          <input
            name="password"
            type="password"
            autoComplete="off"
            required
            value={password}
            onInput={event => setPassword(event.currentTarget.value)}
          />
        </label>
        {problem !== '' && (
          <p class="bad" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary">
          {t('log_in')}
        </button>
      </form>
    </main>
  )
}
