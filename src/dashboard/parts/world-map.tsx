import { useState } from 'preact/hooks'
import type { DimensionRow } from '../../reports/of/dimensions.ts'
import { useApp } from '../app/app-context.ts'
import { filterParams, toggleFilter } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'
import { NoRows } from '../overview/no-rows.tsx'
import { useDrawings } from './drawings.ts'
import { Flag } from './marks.tsx'
import { Attribution, Loaded } from './status.tsx'

/** Shades by the square root, so that small countries remain visible. */
const shade = (sessions: number, max: number): string => `${Math.round(18 + 82 * Math.sqrt(sessions / max))}%`

type ShapesProps = {
  label: string
  values: ReadonlyMap<string | null, number>
  over?: (code: string | null) => void
  choose?: (code: string) => void
}

/** The world map, shaded by values. */
export const WorldShapes = ({ label, values, over, choose }: ShapesProps) => {
  const { drawings: world, place } = useDrawings('world')
  const max = Math.max(1, ...values.values())
  return (
    <span class="world" ref={place}>
      {world && (
        <svg viewBox={`0 0 ${world.width} ${world.height}`} role="img" aria-label={label}>
          {world.places.map(([code, path]) => {
            const value = values.get(code)
            return (
              <path
                key={code}
                d={path}
                class={value === undefined ? 'place' : choose ? 'place visited chosen' : 'place visited'}
                style={value === undefined ? undefined : { '--shade': shade(value, max) }}
                onPointerEnter={over && (() => over(code))}
                onPointerLeave={over && (() => over(null))}
                onClick={value === undefined ? undefined : choose && (() => choose(code))}
              />
            )
          })}
        </svg>
      )}
    </span>
  )
}

/** Sessions by country; a click filters. The countries tab has the same figures as a table. */
export const WorldMap = () => {
  const { t, f, state, go, span } = useApp()
  const choose = (code: string): void => go({ filters: toggleFilter(state.filters, 'country', code) })
  const [over, setOver] = useState<string | null>(null)
  const report = useReport<DimensionRow[]>('/dimensions/country', {
    ...filterParams(state.filters),
    ...span,
    limit: 200,
  })
  return (
    <Loaded state={report}>
      {({ data, meta }) => {
        const located = data.filter(({ key }) => key !== null)
        if (located.length === 0) return <NoRows breakdown={{ empty: 'empty_countries' }} />
        const byCode = new Map(located.map(row => [row.key, row]))
        const chosen = over === null ? undefined : byCode.get(over)
        return (
          <figure class="map">
            <WorldShapes
              label={t('map_label', {
                names: located
                  .slice(0, 5)
                  .map(({ name, sessions }) => `${name} ${f.count(sessions)}`)
                  .join(', '),
              })}
              values={new Map(located.map(({ key, sessions }) => [key, sessions]))}
              over={setOver}
              choose={choose}
            />
            <figcaption>
              {over === null ? (
                located.slice(0, 3).map(({ key, name, share }) => (
                  <button
                    key={key}
                    type="button"
                    class="link"
                    title={t('filter_by', { name: name ?? '' })}
                    onClick={() => choose(key ?? '')}
                  >
                    {key !== null && <Flag country={key} />} {name} <b>{share === null ? '' : f.percent(share)}</b>
                  </button>
                ))
              ) : (
                <span>
                  <Flag country={over} /> {chosen?.name ?? f.country(over)}{' '}
                  <b>{t('n_sessions', { n: chosen?.sessions ?? 0 })}</b>
                </span>
              )}
            </figcaption>
            <Attribution of={meta.attribution} />
          </figure>
        )
      }}
    </Loaded>
  )
}
