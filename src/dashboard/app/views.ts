// Which views a user may open.
import type { Session } from './api.ts'
import type { Shared } from './share.ts'
import { views as allViews, type View } from './url.ts'

/** Not a user who may read visits alone; shared links hide by themselves what they do not show. */
export const seesMoney = (session: Session | null): boolean =>
  session === null || ['manage_options', 'footfall_view_reports'].some(one => session.capabilities.includes(one))

const administration: readonly View[] = ['settings', 'system']

/** The views of the user; those of a shared link, and of a user held to filters, are fewer, with realtime only without. */
export const viewsOf = (shared: Shared | null, manages: boolean, session: Session | null): readonly View[] => {
  const hasAccount = session !== null && session.nonce !== null
  if (shared !== null) {
    const shown: View[] = shared.filters.length > 0 ? ['overview'] : ['overview', 'sites', 'realtime']
    return hasAccount ? [...shown, 'settings'] : shown
  }
  // Users of this service have settings of their account; others, who come with a token, have no nonce.
  const hidden = hasAccount ? ['system'] : administration
  const shown = manages ? allViews : allViews.filter(view => !hidden.includes(view))
  return seesMoney(session) ? shown : shown.filter(view => view !== 'revenue' && view !== 'ask')
}

/** The view of one page is part of the overview. */
export const isOpen = (view: View, views: readonly View[]): boolean =>
  views.includes(view === 'page' ? 'overview' : view)
