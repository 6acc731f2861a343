export const administrator = 'administrator'
export const viewer = 'viewer'
/** The capability to read reports. */
export const viewReports = 'footfall_view_reports'

/** Its name in tokens of 0.1.0; other plugins of WordPress may use it for reports of their own, so only tokens grant it. */
const viewReportsBefore = 'view_reports'

/** The capabilities in a token, by their names of today. */
export const capabilitiesIn = (given: readonly string[]): readonly string[] =>
  given.map(name => (name === viewReportsBefore ? viewReports : name))

/** The other roles of WordPress and WooCommerce. Local users with one of them have no access. */
export const rolesWithoutAccess = ['editor', 'author', 'contributor', 'subscriber', 'customer', 'shop_manager'] as const

/** The roles that a local user can be given. */
export const roles = [administrator, viewer, ...rolesWithoutAccess] as const

/** Adds what the owner has given to roles of another platform, such as WordPress, to a user's capabilities there. */
export const withViewerRoles = (
  capabilities: readonly string[],
  userRoles: readonly string[],
  viewerRoles: readonly string[],
): readonly string[] =>
  userRoles.some(role => viewerRoles.includes(role)) ? [...new Set([...capabilities, viewReports])] : capabilities

/** The capabilities of a local user's role; none for roles of WordPress, or for those that older versions accepted. */
export const capabilitiesOf = (role: string): readonly string[] => {
  if (role === administrator) return ['manage_options']
  return role === viewer ? [viewReports] : []
}
