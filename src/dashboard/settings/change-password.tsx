import { useState } from 'preact/hooks'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useAction } from '../parts/action.tsx'

type Change = {
  login: string
  /** The user at the API. */
  path: string
  /** Whether it is one's own, which needs the current one. */
  own: boolean
}

/** Fields for a new password. */
export const ChangePassword = ({ login, path, own }: Change) => {
  const { t } = useApp()
  const { busy, act, errorNote } = useAction()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [done, setDone] = useState(false)
  const change = (event: Event): void => {
    event.preventDefault()
    setDone(false)
    act(async () => {
      await resource(path, {
        method: 'PUT',
        body: { password, ...(own && { current_password: current }) },
      })
      setCurrent('')
      setPassword('')
      setDone(true)
    })
  }
  return (
    <form onSubmit={change}>
      <div class="tools">
        <input type="text" name="username" autoComplete="username" value={login} hidden readOnly />
        {own && (
          <label class="beside">
            {t('password_current')}
            <input
              type="password"
              autoComplete="current-password"
              required
              value={current}
              onInput={event => setCurrent(event.currentTarget.value)}
            />
          </label>
        )}
        <label class="beside">
          {t('password_new')}
          <input
            type="password"
            autoComplete="new-password"
            required
            minLength={8}
            maxLength={1024}
            value={password}
            onInput={event => setPassword(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={busy}>
          {t('save')}
        </button>
        <span role="status" class="good">
          {done ? t('password_changed') : ''}
        </span>
      </div>
      {errorNote}
    </form>
  )
}

/** Everybody's own password. */
export const OwnPassword = () => {
  const { t, session } = useApp()
  if (session === null) return null
  return (
    <section class="card" aria-labelledby="own-password">
      <h2 id="own-password">{t('change_password')}</h2>
      <p class="faint">{t('own_password_about')}</p>
      <ChangePassword login={session.login} path="/users/me" own />
    </section>
  )
}
