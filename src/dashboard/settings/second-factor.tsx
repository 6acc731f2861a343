import { useState } from 'preact/hooks'
import type { SecondFactorState } from '../../endpoints/second-factor.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { Copy } from '../parts/controls.tsx'
import { ErrorMessage } from '../parts/status.tsx'
import { PasswordStep, SetUpTotp } from './set-up-totp.tsx'

/** The second factor of the logged-in user. */
export const SecondFactor = () => {
  const { t, f, zone } = useApp()
  const state = useResource('totp', () => resource<SecondFactorState>('/users/me/totp'))
  const [open, setOpen] = useState(false)
  const renew = (): void => {
    setOpen(false)
    state.retry()
  }
  const confirmed = state.value?.confirmed ?? null
  const remove = async (password: string): Promise<void> => {
    await resource('/users/me/totp', { method: 'DELETE', body: { password } })
    renew()
  }
  return (
    <section class="card" aria-labelledby="totp">
      <h2 id="totp">{t('totp')}</h2>
      <p class="faint">{t('totp_about')}</p>
      {state.error !== null && <ErrorMessage error={state.error} retry={state.retry} />}
      {confirmed !== null && (
        <p role="status">{t('totp_on', { time: f.moment(confirmed, zone), n: state.value?.recovery_codes ?? 0 })}</p>
      )}
      {state.value !== null && !open && (
        <button type="button" class={confirmed === null ? '' : 'danger'} onClick={() => setOpen(true)}>
          {t(confirmed === null ? 'totp_begin' : 'totp_remove')}
        </button>
      )}
      {open && confirmed === null && (
        <SetUpTotp t={t} copy={text => <Copy text={text} label={t('copy')} />} onDone={renew} />
      )}
      {open && confirmed !== null && <PasswordStep t={t} button={t('totp_remove')} send={remove} />}
    </section>
  )
}
