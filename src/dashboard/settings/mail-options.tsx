// Who gets digests and alerts, and whether they arrive.
import { useState } from 'preact/hooks'
import type { DigestAnswer, MailAnswer } from '../../endpoints/mail.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { languages } from '../app/texts.ts'
import { useResource } from '../app/use-report.ts'
import { useAction } from '../parts/action.tsx'
import { ChoiceOption, ListOption, OptionField, OptionForm, type OptionProps, TextOption } from './option-fields.tsx'
import { linesOf } from './setting-fields.tsx'

const periods = ['day', 'week', 'month'] as const

const Digests = (props: OptionProps) => {
  const { t } = useApp()
  const chosen = linesOf(props.values.digest ?? '')
  return (
    <OptionField name="digest" {...props}>
      {({ disabled, id }) => (
        <div id={id} role="group" aria-describedby={`${id}-help`} aria-label={t('option_digest')}>
          {periods.map(period => (
            <label key={period} class="choice">
              <input
                type="checkbox"
                disabled={disabled}
                checked={chosen.includes(period)}
                onChange={event =>
                  props.change(
                    'digest',
                    periods
                      .filter(one => (one === period ? event.currentTarget.checked : chosen.includes(one)))
                      .join('\n'),
                  )
                }
              />
              {t(`digest_${period}`)}
            </label>
          ))}
        </div>
      )}
    </OptionField>
  )
}

const MailFields = (props: OptionProps) => {
  const { t } = useApp()
  const language = props.values.lang ?? ''
  const choices = languages.map(({ id, name }): [string, string] => [id, name])
  return (
    <>
      <ListOption name="mail_to" {...props} />
      <ListOption name="alert_recipients" {...props} />
      <Digests {...props} />
      <ChoiceOption
        name="lang"
        choices={choices.some(([id]) => id === language) ? choices : [...choices, [language, language]]}
        {...props}
      />
      <TextOption name="public_url" {...props} help={t('about_public_url', { url: location.origin })} />
    </>
  )
}

/** Whether messages can be sent, a test, and the digest as it would be sent. */
export const MailDesk = () => {
  const { t, f, zone, language } = useApp()
  const { busy, act, errorNote } = useAction()
  const state = useResource('mail', () => resource<MailAnswer>('/mail'))
  const [isTried, setIsTried] = useState(false)
  const [digest, setDigest] = useState<DigestAnswer | null>(null)
  const { way, sent_at: sentAt, error } = state.value ?? { way: null, sent_at: null, error: null }
  return (
    <section class="card" aria-labelledby="mail-desk">
      <h2 id="mail-desk">{t('mail_desk')}</h2>
      {state.value !== null && way === null && <p class="note">{t('mail_unset')}</p>}
      {sentAt !== null && <p class="faint">{t('mail_sent', { time: f.moment(sentAt, zone) })}</p>}
      {error !== null && <p class="bad">{t('mail_failed', { reason: error })}</p>}
      <p class="tools">
        {way !== null && (
          <button
            type="button"
            disabled={busy}
            onClick={() => {
              setIsTried(false)
              act(async () => {
                await resource('/mail/test', { method: 'POST', body: { lang: language } }).finally(state.retry)
                setIsTried(true)
              })
            }}
          >
            {t('mail_try')}
          </button>
        )}
        <button
          type="button"
          disabled={busy}
          onClick={() => act(async () => setDigest(await resource<DigestAnswer>(`/digest?lang=${language}`)))}
        >
          {t('digest_show')}
        </button>
        <span role="status" class="good">
          {isTried ? t('mail_tried') : ''}
        </span>
      </p>
      {errorNote}
      {digest !== null && (
        <>
          <h3>{digest.subject}</h3>
          <pre tabIndex={0}>{digest.text}</pre>
        </>
      )}
    </section>
  )
}

export const MailOptionsForm = () => {
  const { t } = useApp()
  return <OptionForm id="mail-options" title={t('mail_settings')} fields={MailFields} />
}
