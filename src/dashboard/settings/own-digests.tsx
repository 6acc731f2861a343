// Digests that are sent to the user, for administrators those of all users.
import { useState } from 'preact/hooks'
import type { OwnDigests as Answer, OwnDigest } from '../../endpoints/digests.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { languages } from '../app/texts.ts'
import { filterParams, filtersOf } from '../app/url.ts'
import { useResource } from '../app/use-report.ts'
import { ConfirmButton, useAction } from '../parts/action.tsx'
import { useWords } from '../parts/filters.tsx'
import { LanguageField } from '../parts/language-field.tsx'
import { ErrorMessage } from '../parts/status.tsx'
import { FilteredChoice } from './filtered-choice.tsx'

const periods = ['week', 'month'] as const

export const OwnDigests = () => {
  const { t, state, session, language } = useApp()
  const words = useWords()
  const list = useResource('digests', () => resource<Answer>('/digests'))
  const { busy, act, errorNote } = useAction()
  const [address, setAddress] = useState('')
  const [period, setPeriod] = useState<(typeof periods)[number]>('week')
  const [lang, setLang] = useState(language)
  const [filtered, setFiltered] = useState(true)
  const hasFilters = state.filters.length > 0
  const subscribe = (event: Event): void => {
    event.preventDefault()
    const body = { address, period, lang, ...(hasFilters && filtered && { filters: filterParams(state.filters) }) }
    act(async () => {
      await resource('/digests', { method: 'POST', body })
      setAddress('')
      list.retry()
    })
  }
  const end = (uuid: string) => (): void =>
    act(async () => {
      await resource(`/digests/${uuid}`, { method: 'DELETE' })
      list.retry()
    })
  const facts = (one: OwnDigest): string =>
    [
      one.login === session?.login ? '' : one.login,
      t(`digest_${one.period}`),
      languages.find(({ id }) => id === one.lang)?.name ?? one.lang,
      words(filtersOf(one.filters)),
    ]
      .filter(part => part !== '')
      .join(' · ')
  const missing = list.value?.missing ?? null
  return (
    <section class="card" aria-labelledby="own-digests">
      <h2 id="own-digests">{t('own_digests')}</h2>
      <p class="faint">{t('own_digests_about')}</p>
      {missing !== null && <p class="note">{t(missing === 'mail' ? 'mail_unset' : 'own_digests_url')}</p>}
      {list.error !== null && <ErrorMessage error={list.error} retry={list.retry} />}
      <ul class="links">
        {list.value?.digests.map(one => (
          <li key={one.uuid}>
            <span>
              <b>{one.address}</b> <span class="faint">{facts(one)}</span>
            </span>
            <ConfirmButton label={t('session_end')} of={one.address} disabled={busy} work={end(one.uuid)} />
          </li>
        ))}
      </ul>
      <form class="tools" onSubmit={subscribe}>
        <label class="beside">
          {t('own_digest_address')}
          <input
            type="email"
            value={address}
            required
            maxLength={254}
            autoComplete="email"
            onInput={event => setAddress(event.currentTarget.value)}
          />
        </label>
        <label class="beside">
          {t('own_digest_period')}
          <select
            value={period}
            onChange={event => setPeriod(event.currentTarget.value === 'month' ? 'month' : 'week')}
          >
            {periods.map(one => (
              <option key={one} value={one}>
                {t(`digest_${one}`)}
              </option>
            ))}
          </select>
        </label>
        <LanguageField class="beside" label={t('option_lang')} value={lang} choose={setLang} />
        <button type="submit" disabled={busy}>
          {t('digest_subscribe')}
        </button>
      </form>
      {hasFilters && <FilteredChoice filtered={filtered} choose={setFiltered} />}
      {errorNote}
    </section>
  )
}
