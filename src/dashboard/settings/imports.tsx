// Histories of other programs that were imported, and the undo.
import { useEffect, useState } from 'preact/hooks'
import type { ImportAnswer } from '../../endpoints/imports.ts'
import { historyTitles } from '../../lib/histories.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { ConfirmButton, useAction } from '../parts/action.tsx'
import { ImportFiles } from './import-files.tsx'

const pollInterval = 2000

const Imports = () => {
  const { t, f } = useApp()
  const { busy, act, errorNote } = useAction()
  const imports = useResource('imports', () => resource<ImportAnswer[]>('/imports'))
  const list = imports.value ?? []
  const isUndoing = list.some(({ state }) => state === 'undoing')
  useEffect(() => {
    if (!isUndoing) return undefined
    const timer = setTimeout(imports.retry, pollInterval)
    return () => clearTimeout(timer)
  }, [imports.value])
  /** What an import has brought; nothing is left of one that was undone. */
  const detailsOf = ({ days, rows, state }: ImportAnswer): string =>
    [
      ...(state === 'undone' ? [] : [t('import_days', { n: days }), t('n_rows', { n: rows })]),
      t(`import_${state}`),
    ].join(' · ')
  const undo = (id: number) => (): void =>
    act(async () => {
      await resource(`/imports/${id}`, { method: 'DELETE' })
      imports.retry()
    })
  return (
    <section class="card" aria-labelledby="imports">
      <h2 id="imports">{t('imports')}</h2>
      <p class="faint">{t('imports_about')}</p>
      <ul class="links">
        {list.map(one => {
          const { id, format, from, to, state } = one
          const name = t('import_of', { program: historyTitles[format], span: f.span({ from, to }) })
          return (
            <li key={id}>
              <span>
                <b>{name}</b> <span class="faint">{detailsOf(one)}</span>
              </span>
              {(state === 'done' || state === 'unfinished') && (
                <span class="tools">
                  <ConfirmButton label={t('import_undo')} of={name} disabled={busy || isUndoing} work={undo(id)} />
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {errorNote}
    </section>
  )
}

export const History = () => {
  const [ended, setEnded] = useState(0)
  return (
    <>
      <ImportFiles onEnd={() => setEnded(before => before + 1)} />
      <Imports key={ended} />
    </>
  )
}
