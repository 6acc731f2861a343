// The form for an application password: what it is for, what it may do, and until when.
import { useState } from 'preact/hooks'
import { everything, type Scope, scopes } from '../../http/access.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { filterParams } from '../app/url.ts'
import { OneTimeSecret, useAction } from '../parts/action.tsx'
import { FilteredChoice } from './filtered-choice.tsx'

/** Days until a password expires; 0 for never. */
const expiries = [0, 30, 90, 365] as const
const day = 86_400_000

/** No route needs the scope for annotations yet. */
const offered = scopes.filter(scope => scope !== 'annotations')

type ScopesProps = { chosen: readonly string[]; choose: (chosen: string[]) => void }

const ScopeChoice = ({ chosen, choose }: ScopesProps) => {
  const { t } = useApp()
  const all = chosen.includes(everything)
  const toggle = (scope: Scope, checked: boolean): void =>
    choose(offered.filter(one => (one === scope ? checked : chosen.includes(one))))
  return (
    <fieldset class="scopes">
      <legend>{t('app_password_may')}</legend>
      {offered.map(scope => (
        <label key={scope} class="choice">
          <input
            type="checkbox"
            checked={all || chosen.includes(scope)}
            disabled={all}
            onChange={event => toggle(scope, event.currentTarget.checked)}
          />
          {t(`scope_${scope}`)}
        </label>
      ))}
      <label class="choice">
        <input
          type="checkbox"
          checked={all}
          onChange={event => choose(event.currentTarget.checked ? [everything] : [])}
        />
        {t('scope_all')}
      </label>
    </fieldset>
  )
}

export const NewAppPassword = ({ path, onCreate }: { path: string; onCreate: () => void }) => {
  const { t, state } = useApp()
  const { busy, act, errorNote } = useAction()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>(['reports'])
  const [days, setDays] = useState(0)
  const [filtered, setFiltered] = useState(false)
  const [made, setMade] = useState<{ name: string; password: string } | null>(null)
  const filterable = state.filters.length > 0 && chosen.join() === 'reports'
  const create = (event: Event): void => {
    event.preventDefault()
    const body = {
      name,
      scopes: chosen,
      ...(days > 0 && { expires_at: new Date(Date.now() + days * day).toISOString() }),
      ...(filterable && filtered && { filters: filterParams(state.filters) }),
    }
    act(async () => {
      setMade(await resource<{ name: string; password: string }>(path, { method: 'POST', body }))
      setName('')
      setChosen(['reports'])
      setDays(0)
      setFiltered(false)
      onCreate()
    })
  }
  return (
    <>
      {made !== null && <OneTimeSecret of={made.name} text={made.password} />}
      <form onSubmit={create}>
        <ScopeChoice chosen={chosen} choose={setChosen} />
        {filterable && <FilteredChoice filtered={filtered} choose={setFiltered} />}
        <div class="tools">
          <label class="beside">
            {t('app_password_name')}
            <input
              value={name}
              maxLength={100}
              required
              autoComplete="off"
              onInput={event => setName(event.currentTarget.value)}
            />
          </label>
          <label class="beside">
            {t('expires')}
            <select value={days} onChange={event => setDays(Number(event.currentTarget.value))}>
              {expiries.map(count => (
                <option key={count} value={count}>
                  {count === 0 ? t('never') : t('in_days', { days: count })}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" disabled={busy || chosen.length === 0}>
            {t('create')}
          </button>
        </div>
      </form>
      {errorNote}
    </>
  )
}
