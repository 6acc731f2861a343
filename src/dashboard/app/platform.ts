// What a host platform, such as the WordPress plugin, says on the page that it shows in a frame.
const { api, nonce, language, roles, shop } = document.documentElement.dataset

/** Whether there is one: it keeps users and logins of its own. */
export const isHosted = nonce !== undefined

/** Whether it has a shop, whose orders it sends by itself. */
export const platformShop = shop !== undefined

/** The address that answers for the service, and the platform's nonce for it. */
export const platformApi = api ?? 'analytics/v1'
export const platformNonce = nonce ?? ''

/** The language of the platform's user. */
export const platformLanguage = language

/** The platform's roles, by what it calls them. */
export const platformRoles: readonly [string, string][] = Object.entries(
  JSON.parse(roles ?? '{}') as Record<string, string>,
)

const action = isHosted ? new URLSearchParams(location.search).get('action') : null

/** A query of the dashboard with the platform's own parameter, by which it finds its page again. */
export const withPlatform = (query: string): string =>
  action === null ? query : `?${new URLSearchParams({ action })}${query.replace('?', '&')}`
