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
