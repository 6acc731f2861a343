// What sessions viewed before a page, and after it: three columns that can be walked on.
import { useState } from 'preact/hooks'
import { literalValue, writeFilterText } from '../../reports/filters/syntax.ts'
import type { PathsData } from '../../reports/of/paths.ts'
import { useApp } from '../app/app-context.ts'
import { filterBy, filterParams, filterText } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'
import { NoRows } from '../overview/no-rows.tsx'
import { Explain } from '../parts/explain.tsx'
import { Loaded } from '../parts/status.tsx'
import { type Node, PathColumn } from './path-column.tsx'

const includes = ['pages', 'both', 'events'] as const
type Include = (typeof includes)[number]
const columns = (['sessions', 'share', 'exits', 'entries'] as const).map(key => ({ key, label: key }))

/** A page as the text of the filter `page`. */
const literal = (page: string): string => filterText(filterBy('page', page))

/** Nodes as the parameter `via` has them. */
const viaOf = (nodes: readonly Node[]): string =>
  writeFilterText(
    true,
    nodes.map(({ page, event }) => literalValue(page ?? `event:${event}`)),
  )

const IncludeChoice = ({ include, choose }: { include: Include; choose: (include: Include) => void }) => {
  const { t } = useApp()
  return (
    <label class="beside">
      {t('paths_include')}
      <select
        value={include}
        onChange={event => choose(includes.find(one => one === event.currentTarget.value) ?? 'pages')}
      >
        {includes.map(one => (
          <option key={one} value={one}>
            {t(`paths_${one}`)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Before | page | after, with the filters of the page but one by page. `open` shows the paths of another page. */
export const PagePaths = ({ page, open }: { page: string; open: (page: string) => void }) => {
  const { t, state, span } = useApp()
  const [include, setInclude] = useState<Include>('pages')
  const [before, setBefore] = useState<readonly Node[]>([])
  const [after, setAfter] = useState<readonly Node[]>([])
  const filters = state.filters.filter(({ key }) => key !== 'page')
  const params = { ...filterParams(filters), ...span, page: literal(page), include }
  const ask = (direction: 'next' | 'previous', nodes: readonly Node[]) => ({
    ...params,
    direction,
    ...(nodes.length > 0 && { via: viaOf(nodes) }),
  })
  const previous = useReport<PathsData>('/paths', ask('previous', before))
  const next = useReport<PathsData>('/paths', ask('next', after))
  const start = useReport<PathsData>('/paths', { ...ask('next', []), limit: 1 })
  const choose = (one: Include): void => {
    setInclude(one)
    setBefore([])
    setAfter([])
  }
  return (
    <Loaded state={start}>
      {({
        data: {
          start: { sessions },
        },
        meta,
      }) =>
        sessions === 0 ? (
          <NoRows breakdown={{ empty: 'empty_range' }} unmatched={meta.unmatched} />
        ) : (
          <>
            <div class="paths">
              <PathColumn
                title={t('paths_before')}
                end={t('paths_entries')}
                report={previous}
                walked={before}
                walk={setBefore}
                open={open}
              />
              <section class="path-page" aria-label={t('page')}>
                <h3>{page}</h3>
                <p>{t('n_sessions', { n: sessions ?? 1 })}</p>
                <IncludeChoice include={include} choose={choose} />
              </section>
              <PathColumn
                title={t('paths_after')}
                end={t('paths_exits')}
                report={next}
                walked={after}
                walk={setAfter}
                open={open}
              />
            </div>
            <p class="note">{t('paths_note')}</p>
            {state.view === 'page' && <p class="note">{t('paths_ends')}</p>}
            {state.view !== 'page' && filters.length < state.filters.length && (
              <p class="note">{t('paths_without_page')}</p>
            )}
            <Explain breakdown={{ path: '/paths', columns }} params={ask('next', after)} meta={meta} />
          </>
        )
      }
    </Loaded>
  )
}
