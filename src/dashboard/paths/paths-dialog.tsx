import { useApp } from '../app/app-context.ts'
import { Dialog } from '../parts/controls.tsx'
import { PagePaths } from './page-paths.tsx'

/** The paths through a page. */
export const PathsDialog = ({ page }: { page: string }) => {
  const { t, f, span, go } = useApp()
  return (
    <Dialog id="paths" title={t('paths_of', { page })} close={() => go({ paths: null })}>
      <p class="faint">{f.span(span)}</p>
      <PagePaths key={page} page={page} open={other => go({ paths: other })} />
    </Dialog>
  )
}

/** Opens the paths through the page of a row; rows of other things have none. */
export const PathsButton = ({ page }: { page: unknown }) => {
  const { t, go } = useApp()
  return typeof page !== 'string' ? null : (
    <button type="button" class="link to-paths" title={t('paths_of', { page })} onClick={() => go({ paths: page })}>
      <span aria-hidden="true">⇄</span>
      <span class="visually-hidden">{t('paths_of', { page })}</span>
    </button>
  )
}
