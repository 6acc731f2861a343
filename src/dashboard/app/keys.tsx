import { useLayoutEffect } from 'preact/hooks'
import { Dialog } from '../parts/controls.tsx'
import { type App, useApp } from './app-context.ts'
import { presets, step } from './periods.ts'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null

const openMenu = (id: string): void => {
  const button = document.getElementById(id)
  if (button?.getAttribute('aria-expanded') !== 'true') button?.click()
}

const press = (key: string, { state, views, go, span, today, weekStart }: App, help: () => void): boolean => {
  const preset = presets.find(one => one.key === key)
  if (preset !== undefined) go({ period: preset.id, from: null, to: null, interval: null })
  else if (key === 'arrowleft' || (key === 'arrowright' && span.to < today))
    go({ ...step(span, key === 'arrowleft' ? -1 : 1, { today, weekStart }), period: null, interval: null })
  else if (key === 'r' && views.includes('realtime')) go({ view: state.view === 'realtime' ? 'overview' : 'realtime' })
  else if (key === 'x') go({ compare: state.compare === 'off' ? 'previous' : 'off' })
  else if (key === 'c') {
    openMenu('period')
    setTimeout(() => document.getElementById('date-from')?.focus())
  } else if (key === '/') {
    const search = document.getElementById('search')
    if (search !== null) search.focus()
    else openMenu('add-filter')
  } else if (key === 'n') document.getElementById('add-note')?.click()
  else if (key === '?') help()
  else if (key === 'escape' && state.filters.length > 0) go({ filters: [] })
  else return false
  return true
}

/** Keyboard shortcuts; off while the user types, or a dialog or a menu is open. */
export const useKeys = (app: App, help: () => void): void => {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.defaultPrevented ||
        isTyping(event.target) ||
        document.querySelector('dialog[open], .menu-body')
      )
        return
      if (press(event.key.toLowerCase(), app, help)) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  })
}

export const KeysHelp = ({ close }: { close: () => void }) => {
  const { t, manages } = useApp()
  const others = [
    ['←', t('earlier')],
    ['→', t('later')],
    ['⇧ ←→', t('choose_days')],
    ['C', t('custom_range')],
    ['X', t('toggle_compare')],
    ['R', t('view_realtime')],
    ['/', t('search_or_filter')],
    ...(manages ? [['N', t('note_add')]] : []),
    ['Esc', t('escape_help')],
    ['?', t('keyboard')],
  ]
  return (
    <Dialog id="keys" title={t('keyboard')} close={close}>
      <dl class="keys">
        {[
          ...presets.flatMap(({ id, key }): [string, string][] =>
            key === undefined ? [] : [[key.toUpperCase(), t(`period_${id}` as 'period_today')]],
          ),
          ...others,
        ].map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
