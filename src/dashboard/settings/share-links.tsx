// Shared links, which show reports to people without an account.
import { useState } from 'preact/hooks'
import type { ShareLinkAnswer } from '../../endpoints/share-links.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { linkOf } from '../app/share.ts'
import { filterParams, filtersOf } from '../app/url.ts'
import { useResource } from '../app/use-report.ts'
import { ConfirmButton, Secret, useAction } from '../parts/action.tsx'
import { copyText } from '../parts/controls.tsx'
import { useWords } from '../parts/filters.tsx'
import { ErrorMessage } from '../parts/status.tsx'
import { FilteredChoice } from './filtered-choice.tsx'
import { ElsewhereCode, ElsewhereFields, elsewhereOf, nothingElsewhere } from './share-elsewhere.tsx'

const noFields = { name: '', password: '', expires: '', annotations: false }

type ShownLink = ShareLinkAnswer & { token: string }

const Shown = ({ link }: { link: ShownLink }) => {
  const { t } = useApp()
  return (
    <>
      <Secret title={t('share_shown', { name: link.name })} text={linkOf(link.token)} />
      <ElsewhereCode link={link} />
    </>
  )
}

const NewLink = ({ onCreate }: { onCreate: (link: ShownLink) => void }) => {
  const { t, state, today } = useApp()
  const { busy, act, errorNote } = useAction()
  const [fields, setFields] = useState(noFields)
  const [filtered, setFiltered] = useState(true)
  const [goals, setGoals] = useState(false)
  const [elsewhere, setElsewhere] = useState(nothingElsewhere)
  const create = (event: Event): void => {
    event.preventDefault()
    const { name, password, expires, annotations } = fields
    act(async () => {
      const created = await resource<ShownLink>('/share-links', {
        method: 'POST',
        body: {
          name,
          goals,
          annotations,
          ...elsewhereOf(elsewhere),
          ...(password !== '' && { password }),
          ...(expires !== '' && { expires_at: expires }),
          ...(filtered && { filters: filterParams(state.filters) }),
        },
      })
      setFields(noFields)
      setGoals(false)
      setElsewhere(nothingElsewhere)
      onCreate(created)
    })
  }
  return (
    <>
      <form class="tools" onSubmit={create}>
        <label class="beside">
          {t('app_password_name')}
          <input
            value={fields.name}
            required
            maxLength={100}
            autoComplete="off"
            onInput={event => setFields({ ...fields, name: event.currentTarget.value })}
          />
        </label>
        <label class="beside">
          {t('share_password')}
          <input
            type="password"
            value={fields.password}
            minLength={8}
            maxLength={1024}
            autoComplete="new-password"
            onInput={event => setFields({ ...fields, password: event.currentTarget.value })}
          />
        </label>
        <label class="beside">
          {t('share_expires')}
          <input
            type="date"
            value={fields.expires}
            min={today}
            onInput={event => setFields({ ...fields, expires: event.currentTarget.value })}
          />
        </label>
        <button type="submit" disabled={busy}>
          {t('create')}
        </button>
      </form>
      <label class="choice">
        <input type="checkbox" checked={goals} onChange={event => setGoals(event.currentTarget.checked)} />
        {t('share_goals')}
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={fields.annotations}
          onChange={event => setFields({ ...fields, annotations: event.currentTarget.checked })}
        />
        {t('share_notes')}
      </label>
      {state.filters.length > 0 ? (
        <FilteredChoice filtered={filtered} choose={setFiltered} />
      ) : (
        <p class="faint">{t('share_filters')}</p>
      )}
      <ElsewhereFields fields={elsewhere} change={setElsewhere} />
      {errorNote}
    </>
  )
}

export const ShareLinks = () => {
  const { t, f, zone } = useApp()
  const words = useWords()
  const links = useResource('share-links', () => resource<ShareLinkAnswer[]>('/share-links'))
  const { busy, act, errorNote } = useAction()
  const [shown, setShown] = useState<ShownLink | null>(null)
  const [copied, setCopied] = useState<string | null>(null)
  const load = (uuid: string): Promise<ShownLink> => resource(`/share-links/${uuid}`)
  const show = (uuid: string) => (): void => act(async () => setShown(await load(uuid)))
  const copy = (uuid: string) => (): void =>
    act(async () => {
      await copyText(linkOf((await load(uuid)).token))
      setCopied(uuid)
      setTimeout(() => setCopied(null), 2000)
    })
  const revoke = (uuid: string) => (): void =>
    act(async () => {
      await resource(`/share-links/${uuid}`, { method: 'DELETE' })
      if (shown?.uuid === uuid) setShown(null)
      links.retry()
    })
  const facts = ({
    filters,
    goals,
    annotations,
    counter,
    frame,
    has_password,
    created,
    expires_at,
    expired,
  }: ShareLinkAnswer): string =>
    [
      words(filtersOf(filters)),
      goals ? t('share_with_goals') : '',
      annotations ? t('notes') : '',
      counter === null ? '' : t('share_with_counter'),
      frame.length === 0 ? '' : t('share_with_frame', { origins: frame.join(', ') }),
      has_password ? t('share_has_password') : '',
      f.moment(created, zone),
      expires_at === null ? '' : t(expired ? 'share_expired' : 'share_until', { time: f.moment(expires_at, zone) }),
    ]
      .filter(part => part !== '')
      .join(' · ')
  return (
    <section class="card" aria-labelledby="shares">
      <h2 id="shares">{t('shares')}</h2>
      <p class="faint">{t('shares_about')}</p>
      {links.error !== null && <ErrorMessage error={links.error} retry={links.retry} />}
      <ul class="links">
        {links.value?.map(link => (
          <li key={link.uuid}>
            <span>
              <b>{link.name}</b> <span class="faint">{facts(link)}</span>
            </span>
            <span class="tools">
              {!link.expired && (
                <>
                  <button type="button" disabled={busy} onClick={copy(link.uuid)}>
                    <span aria-live="polite">{copied === link.uuid ? t('copied') : t('share_copy')}</span>
                    <span class="visually-hidden">: {link.name}</span>
                  </button>
                  <button type="button" disabled={busy} onClick={show(link.uuid)}>
                    {t('share_show')}
                    <span class="visually-hidden">: {link.name}</span>
                  </button>
                </>
              )}
              <ConfirmButton label={t('revoke')} of={link.name} disabled={busy} work={revoke(link.uuid)} />
            </span>
          </li>
        ))}
      </ul>
      {shown !== null && <Shown link={shown} />}
      <NewLink
        onCreate={link => {
          setShown(link)
          links.retry()
        }}
      />
      {errorNote}
    </section>
  )
}
