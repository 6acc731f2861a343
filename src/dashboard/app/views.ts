// Which views a user may open.
import type { Session } from './api.ts'
import type { Shared } from './share.ts'
import { views as allViews, type View as ViewName } from './url.ts'

const administration: readonly ViewName[] = ['settings', 'system']

/** The views of the user; those of a shared link are fewer, with realtime only without filters. */
export const viewsOf = (shared: Shared | null, manages: boolean, session: Session | null): readonly ViewName[] => {
  if (shared !== null) return shared.filters.length > 0 ? ['overview'] : ['overview', 'realtime']
  // Users of this service have settings of their account; others, who come with a token, have no nonce.
  const hidden = session === null || session.nonce === null ? administration : ['system']
  return manages ? allViews : allViews.filter(view => !hidden.includes(view))
}

/** The view of one page is part of the overview. */
export const isOpen = (view: ViewName, views: readonly ViewName[]): boolean =>
  views.includes(view === 'page' ? 'overview' : view)
