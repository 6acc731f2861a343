// The form of a filter: it adds one, or changes one that the page has.
import { useEffect, useRef, useState } from 'preact/hooks'
import { literalValue, readList, writeValue } from '../../reports/filters/syntax.ts'
import {
  type FilterSlot,
  filterOf,
  isPropertyFilter,
  orderFilterKeys,
  takesPatterns,
} from '../../reports/filters/table.ts'
import type { Params } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { type Filter, type FilterKey, filterKeys, filterParams } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'
import { isContained, useNames, withoutStars } from './filters.tsx'

const conditions = ['is', 'is_not', 'contains'] as const
type Condition = (typeof conditions)[number]

type Offer = { value: string; label: string; sessions: number }

type OffersProps = {
  filter: FilterKey
  search: string
  /** The days and other filters within which values are counted. */
  within: Params
  choose: (value: string) => void
}

/** The values of a filter, most sessions first; a click chooses one. */
export const Offers = ({ filter, search, within, choose }: OffersProps) => {
  const { t, f, language } = useApp()
  const names = useNames()
  const { result } = useReport<Offer[]>(`/filters/${filter}`, {
    ...within,
    lang: language,
    search: search === '' ? undefined : search,
  })
  if (result === null || result.data.length === 0) return null
  return (
    <ul class="offers" aria-label={t('filter_value')}>
      {result.data.map(({ value, label, sessions }) => (
        <li key={value}>
          <button type="button" onClick={() => choose(literalValue(value))}>
            <span class="name">{label === value ? names.value(filter, value) : label}</span>
            <span class="faint">{f.count(sessions)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** ↓ and ↑ go from the field through what is offered, and back. */
const moveToOffer = (event: KeyboardEvent): void => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const { currentTarget: form, target } = event
  if (by === undefined || !(form instanceof HTMLElement) || !(target instanceof HTMLElement)) return
  const stops = [...form.querySelectorAll<HTMLElement>('#filter-value, .offers button')]
  const at = stops.indexOf(target)
  if (at < 0) return
  stops[at + by]?.focus()
  event.preventDefault()
}

export type FieldKey = Exclude<FilterKey, 'segment'>

const groups = ['pages', 'sources', 'places', 'devices', 'times', 'filter_reaching'] as const
const groupOf: Readonly<Record<FilterSlot, (typeof groups)[number]>> = {
  page: 'pages',
  entry_page: 'pages',
  exit_page: 'pages',
  host: 'pages',
  origin: 'sources',
  campaign: 'sources',
  place: 'places',
  language: 'places',
  client: 'devices',
  screen: 'devices',
  suspect: 'devices',
  hour: 'times',
  weekday: 'times',
  event: 'filter_reaching',
  property: 'filter_reaching',
  reached: 'filter_reaching',
}
/** The fields that are offered first, and an option that offers all. */
const usualFields: readonly FieldKey[] = [
  ...(['page', 'entry_page', 'channel', 'source', 'utm_campaign'] as const),
  ...(['country', 'device', 'browser', 'goal'] as const),
]
const more = 'more'

const slotOf = (key: FieldKey): FilterSlot => (isPropertyFilter(key) ? 'property' : filterOf(key).slot)

/** The fields that the view and a shared link allow, and that of the filter itself. */
const useFields = (own: FieldKey | undefined): readonly FieldKey[] => {
  const { state, shared } = useApp()
  const offered: readonly FieldKey[] = state.view === 'revenue' ? orderFilterKeys : filterKeys
  const allowed = offered.filter(one => shared?.filters.every(({ key }) => key !== one) !== false)
  return own === undefined || allowed.includes(own) ? allowed : [...allowed, own]
}

const FieldChoice = ({
  fields,
  value,
  choose,
}: {
  fields: readonly FieldKey[]
  value: FieldKey
  choose: (field: FieldKey) => void
}) => {
  const { t } = useApp()
  const names = useNames()
  const usual = fields.filter(one => usualFields.includes(one))
  const [all, setAll] = useState(!usual.includes(value))
  const option = (one: FieldKey) => (
    <option key={one} value={one}>
      {names.key(one)}
    </option>
  )
  return (
    <label>
      {t('filter_what')}
      <select
        value={value}
        onChange={({ currentTarget: select }) => {
          if (select.value === more) {
            setAll(true)
            // It stays what it was, and the list is opened again.
            select.value = value
          } else choose(fields.find(one => one === select.value) ?? value)
        }}
      >
        {!all && usual.map(option)}
        {!all && usual.length < fields.length && <option value={more}>{t('filter_more')}</option>}
        {groups.map(group => {
          const own = fields.filter(one => groupOf[slotOf(one)] === group)
          return (
            all &&
            own.length > 0 && (
              <optgroup key={group} label={t(group)}>
                {own.map(option)}
              </optgroup>
            )
          )
        })}
      </select>
    </label>
  )
}

const conditionOf = (filter: Filter): Condition =>
  isContained(filter) ? 'contains' : filter.included ? 'is' : 'is_not'

/** The values of a filter as its field has them, and by their names what they stand for. */
const useFilled = (filter: Filter | undefined): { text: string; named: ReadonlyMap<string, string> } => {
  const names = useNames()
  const contains = filter !== undefined && isContained(filter)
  const named = new Map(
    filter?.values.map(value => [names.value(filter.key, contains ? withoutStars(value) : value), value]),
  )
  return { text: [...named.keys()].map(writeValue).join(', '), named }
}

type FormProps = {
  /** The filter to change; without it, filters are added one after the other. */
  old?: Filter & { key: FieldKey }
  apply: (filter: Filter) => void
  /** What was added so far. */
  added?: string
  close?: () => void
}

export const FilterForm = ({ old, apply, added = '', close }: FormProps) => {
  const { t, state, span } = useApp()
  const filled = useFilled(old)
  const fields = useFields(old?.key)
  const [key, setKey] = useState<FieldKey>(old?.key ?? fields[0] ?? 'page')
  const was = old === undefined ? 'is' : conditionOf(old)
  const [chosen, setCondition] = useState(was)
  const [text, setText] = useState(filled.text)
  const field = useRef<HTMLInputElement>(null)
  // Whoever types replaces what is filled in.
  useEffect(() => field.current?.select(), [])
  const possible = conditions.filter(one => one !== 'contains' || takesPatterns(key))
  const condition = possible.find(one => one === chosen) ?? 'is'
  const isFilled = old !== undefined && text === filled.text
  // What is being typed is the last of the list.
  const listed = isFilled ? [] : readList(text)
  const [search = ''] = listed.slice(-1)
  const add = (typed: readonly string[]): void => {
    const isSame = key === old?.key && (condition === 'contains') === (was === 'contains')
    const values = typed
      .filter(value => value !== '')
      .map(value => (isSame ? filled.named.get(value) : undefined) ?? (condition === 'contains' ? `*${value}*` : value))
    if (values.length === 0) return
    apply({ key, included: condition !== 'is_not', values })
    setText('')
    field.current?.focus()
  }
  return (
    <form
      class="menu-form"
      onSubmit={event => {
        event.preventDefault()
        add(readList(text))
      }}
      onKeyDown={moveToOffer}
    >
      <FieldChoice
        fields={fields}
        value={key}
        choose={field => {
          setKey(field)
          if (isFilled) setText('')
        }}
      />
      <label>
        {t('filter_how')}
        <select
          value={condition}
          onChange={event => setCondition(possible.find(one => one === event.currentTarget.value) ?? 'is')}
        >
          {possible.map(one => (
            <option key={one} value={one}>
              {t(one)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('filter_value')}
        <input
          id="filter-value"
          ref={field}
          value={text}
          onInput={event => setText(event.currentTarget.value)}
          autoComplete="off"
          maxLength={1024}
        />
      </label>
      {condition !== 'contains' && (
        <Offers
          filter={key}
          search={search}
          within={{ ...filterParams(state.filters.filter(one => one.key !== key && one.key !== old?.key)), ...span }}
          choose={value => add([...listed.slice(0, -1), value])}
        />
      )}
      <p class="faint">{t('filter_help')}</p>
      <p role="status">{added !== '' && t('filter_added', { filter: added })}</p>
      <p class="tools">
        <button type="submit" class="primary">
          {t(old === undefined ? 'add' : 'apply')}
        </button>
        {close !== undefined && (
          <button type="button" onClick={close}>
            {t('done')}
          </button>
        )}
      </p>
    </form>
  )
}
