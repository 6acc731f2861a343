import type { PathsData } from '../../reports/of/paths.ts'
import { useApp } from '../app/app-context.ts'
import type { ReportState } from '../app/use-report.ts'
import { Loaded } from '../parts/status.tsx'

/** A page, or an event. */
export type Node = { page: string | null; event?: string | null | undefined }

/** The service shows four steps at most. */
const maxWalked = 3

const isSum = ({ page }: Node): boolean => page === '(single visits)' || page === '(other)'

type ColumnProps = {
  title: string
  /** What the row of those is called whose path has no further step. */
  end: string
  report: ReportState<PathsData>
  /** The nodes that were chosen so far. */
  walked: readonly Node[]
  walk: (nodes: readonly Node[]) => void
  open: (page: string) => void
}

const useName = (): ((node: Node) => string) => {
  const { t } = useApp()
  return ({ page, event }) =>
    page === null
      ? t('paths_event', { name: event ?? '' })
      : page === '(single visits)'
        ? t('paths_single')
        : page === '(other)'
          ? t('paths_other')
          : page
}

/** The chosen nodes, each a button that goes back to it. */
const Walked = ({ title, walked, walk }: Pick<ColumnProps, 'title' | 'walked' | 'walk'>) => {
  const { t } = useApp()
  const name = useName()
  return walked.length === 0 ? null : (
    <nav class="walked" aria-label={title}>
      {walked.map((node, index) => (
        <button
          type="button"
          key={index}
          class="link"
          title={t('paths_back')}
          onClick={() => walk(walked.slice(0, index))}
        >
          {name(node)} <span aria-hidden="true">✕</span>
          <span class="visually-hidden">{t('paths_back')}</span>
        </button>
      ))}
    </nav>
  )
}

type Step = PathsData['steps'][number][number]

const StepRow = ({
  row,
  of,
  walked,
  walk,
  open,
}: { row: Step; of: number } & Omit<ColumnProps, 'title' | 'end' | 'report'>) => {
  const { t, f } = useApp()
  const label = useName()(row)
  const { page, sessions } = row
  const canWalk = !isSum(row) && walked.length < maxWalked
  return (
    <tr>
      <th scope="row" style={{ '--part': `${((sessions / of) * 100).toFixed(1)}%` }}>
        {canWalk ? (
          <button
            type="button"
            class="row-name"
            title={t('paths_walk', { name: label })}
            onClick={() => walk([...walked, row])}
          >
            <span class="name">{label}</span>
          </button>
        ) : (
          <span class={isSum(row) ? 'row-name faint' : 'row-name'}>
            <span class="name">{label}</span>
          </span>
        )}
      </th>
      <td>{f.count(sessions)}</td>
      <td class="share">{row.share === null ? '' : f.percent(row.share)}</td>
      <td class="more-cell">
        {page !== null && !isSum(row) && (
          <button type="button" class="link to-paths" title={t('paths_of', { page })} onClick={() => open(page)}>
            <span aria-hidden="true">→</span>
            <span class="visually-hidden">{t('paths_of', { page })}</span>
          </button>
        )}
      </td>
    </tr>
  )
}

/** One side of a page: where sessions came from or went, with those who did neither, and the way chosen so far. */
export const PathColumn = ({ title, end, report, ...walking }: ColumnProps) => {
  const { t, f } = useApp()
  return (
    <section class="path-column" aria-label={title}>
      <Walked title={title} {...walking} />
      <Loaded state={report}>
        {({ data: { start, steps } }) => {
          const [rows = []] = steps
          const sessions = start.sessions ?? 0
          const ends = start.exits ?? start.entries ?? 0
          return start.sessions === null ? (
            <p class="empty">{t('paths_alone')}</p>
          ) : (
            <table class="rows">
              <thead>
                <tr>
                  <th scope="col">{title}</th>
                  <th scope="col">{t('sessions')}</th>
                  <th scope="col" class="share">
                    {t('share')}
                  </th>
                  <th scope="col" class="more-cell narrow">
                    <span class="visually-hidden">{t('paths')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {ends > 0 && (
                  <tr>
                    <th scope="row" style={{ '--part': `${((ends / sessions) * 100).toFixed(1)}%` }}>
                      <span class="row-name faint">
                        <span class="name">{end}</span>
                      </span>
                    </th>
                    <td>{f.count(ends)}</td>
                    <td class="share">{f.percent(ends / sessions)}</td>
                    <td class="more-cell" />
                  </tr>
                )}
                {rows.map(row => (
                  <StepRow key={`${row.page} ${row.event}`} row={row} of={sessions} {...walking} />
                ))}
              </tbody>
            </table>
          )
        }}
      </Loaded>
    </section>
  )
}
