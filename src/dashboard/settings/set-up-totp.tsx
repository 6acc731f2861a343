// Setting up the second factor: the password, a code to scan, a first code from the app, and the recovery codes.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Failure, resource } from '../app/api.ts'
import type { Translate } from '../app/texts.ts'
import { QrCode } from '../parts/qr-code.tsx'

type Begun = { secret: string; uri: string }

const sentenceOf = (error: unknown, t: Translate): string => {
  if (!(error instanceof Failure)) return t('failed')
  if (error.status === 0) return t('unreachable')
  if (error.code === 'rest_user_incorrect_password') return t('wrong_password')
  if (error.code === 'rest_second_factor_incorrect') return t('totp_wrong')
  return error.status === 429 ? t('too_many_logins') : error.message
}

/** One field and its button; `send` is called with what was entered. */
const Step = ({
  t,
  label,
  button,
  field,
  send,
}: {
  t: Translate
  label: string
  button: string
  field: object
  send: (text: string) => Promise<void>
}) => {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    await send(text).catch((error: unknown) => setProblem(sentenceOf(error, t)))
    setBusy(false)
  }
  return (
    <form onSubmit={event => void submit(event)}>
      <div class="tools">
        <label class="beside">
          {label}
          <input required value={text} {...field} onInput={event => setText(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={busy}>
          {button}
        </button>
      </div>
      {problem !== '' && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

/** The password, which must be given for every change of the second factor. */
export const PasswordStep = ({
  t,
  button,
  send,
}: {
  t: Translate
  button: string
  send: (password: string) => Promise<void>
}) => (
  <Step
    t={t}
    label={t('password_current')}
    button={button}
    field={{ type: 'password', autoComplete: 'current-password', maxLength: 1024 }}
    send={send}
  />
)

const RecoveryCodes = ({ t, codes, children }: { t: Translate; codes: string[]; children: ComponentChildren }) => {
  const text = `${codes.join('\n')}\n`
  return (
    <div class="secret" role="status">
      <b>{t('recovery_codes')}</b>
      <p>{t('recovery_about')}</p>
      <pre tabIndex={0}>{text}</pre>
      <div class="tools">
        <a
          class="button"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="footfall-recovery-codes.txt"
        >
          {t('recovery_download')}
        </a>
        {children}
      </div>
    </div>
  )
}

/** `copy` draws a button that copies a text. `onDone` is called once the recovery codes have been saved. */
export const SetUpTotp = ({
  t,
  copy,
  onDone,
}: {
  t: Translate
  copy?: (text: string) => ComponentChildren
  onDone: () => void
}) => {
  const [begun, setBegun] = useState<Begun | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes !== null)
    return (
      <RecoveryCodes t={t} codes={codes}>
        {copy?.(codes.join('\n'))}
        <button type="button" class="primary" onClick={onDone}>
          {t('recovery_saved')}
        </button>
      </RecoveryCodes>
    )
  if (begun === null)
    return (
      <PasswordStep
        t={t}
        button={t('totp_begin')}
        send={async password =>
          setBegun(await resource<Begun>('/users/me/totp', { method: 'POST', body: { password } }))
        }
      />
    )
  return (
    <div class="totp">
      <p>{t('totp_scan')}</p>
      <QrCode text={begun.uri} label={t('totp_qr')} />
      <p>
        {t('totp_key')}: <code>{begun.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
      </p>
      <Step
        t={t}
        label={t('totp_code')}
        button={t('totp_confirm')}
        field={{ autoComplete: 'one-time-code', inputMode: 'numeric', maxLength: 10 }}
        send={async code => {
          const made = await resource<{ recovery_codes: string[] }>('/users/me/totp/confirm', {
            method: 'POST',
            body: { code },
          })
          setCodes(made.recovery_codes)
        }}
      />
    </div>
  )
}
