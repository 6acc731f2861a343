// What a host platform, such as the WordPress plugin, says on the page that it shows in a frame.
const { api, nonce, theme, language, roles } = document.documentElement.dataset

/** Whether there is one: it keeps users and logins of its own. */
export const isHosted = nonce !== undefined

/** The address that answers for the service, and the platform's nonce for it. */
export const hostApi = api ?? 'analytics/v1'
export const hostNonce = nonce ?? ''

/** The platform's own look, and the language of its user. */
export const hostTheme = theme
export const hostLanguage = language

/** The platform's roles, by what it calls them. */
export const hostRoles: readonly [string, string][] = Object.entries(
  JSON.parse(roles ?? '{}') as Record<string, string>,
)

const action = isHosted ? new URLSearchParams(location.search).get('action') : null

/** A query of the dashboard with the platform's own parameter, by which it finds its page again. */
export const withHost = (query: string): string =>
  action === null ? query : `?${new URLSearchParams({ action })}${query.replace('?', '&')}`
