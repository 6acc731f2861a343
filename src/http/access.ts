// Who may call an endpoint: routing, the namespace index and the OpenAPI document follow its declaration.

/** `view_reports` reads reports and asks the advisor; `manage_options` includes it. Nobody has either by default. */
export type Capability = 'view_reports' | 'manage_options'

/** Who may call: everyone, or an identity with the capability. */
export type Right = 'public' | Capability

/** The declaration of an endpoint. */
export type Access = {
  can: Right
  /** Whether a share link may call it: `always` if it applies the link's filters, `unfiltered` if it cannot. */
  shared?: 'always' | 'unfiltered'
}

/** What a caller may do. */
export type Grant = {
  capabilities: readonly string[]
  /** Filters that a share link always applies; such a caller may only call endpoints that are `shared`. */
  filters?: Readonly<Record<string, string>>
}

const holds = ({ capabilities }: Grant, capability: Capability): boolean =>
  capabilities.includes(capability) || capabilities.includes('manage_options')

export const mayCall = ({ can, shared }: Access, caller: Grant | null): boolean => {
  if (can === 'public') return true
  if (caller === null || !holds(caller, can)) return false
  const { filters } = caller
  if (filters === undefined || shared === 'always') return true
  return shared === 'unfiltered' && Object.keys(filters).length === 0
}
