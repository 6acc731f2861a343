import { useApp } from '../app/app-context.ts'
import { type Filter, filterBy, type State } from '../app/url.ts'
import { Link } from '../parts/link.tsx'

/** The page that a view of one page is about; null if the filters name none, or several. */
export const pageOf = (filters: readonly Filter[]): string | null => {
  const filter = filters.find(({ key }) => key === 'page')
  const [page = null, ...others] = filter?.values ?? []
  return filter?.included === true && others.length === 0 && page?.includes('*') === false ? page : null
}

/** A link to everything about a page, with the other filters. */
export const PageLink = ({ page }: { page: unknown }) => {
  const { t, state, shared } = useApp()
  if (typeof page !== 'string' || page.includes('*') || shared?.filters.some(({ key }) => key === 'page')) return null
  const patch: Partial<State> = {
    view: 'page',
    filters: [...state.filters.filter(({ key }) => key !== 'page'), filterBy('page', page)],
    details: null,
    search: '',
    sort: null,
    at: 0,
  }
  return (
    <Link class="about-page" to={patch} top title={t('about_page', { page })}>
      <span aria-hidden="true">→</span>
      <span class="visually-hidden">{t('about_page', { page })}</span>
    </Link>
  )
}
