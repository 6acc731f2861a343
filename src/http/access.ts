// Who may call an endpoint: routing, the namespace index and the OpenAPI document follow its declaration.

/** `footfall_view_reports` reads reports and asks the advisor; `manage_options` includes it. Nobody has either by default. */
export type Capability = 'footfall_view_reports' | 'manage_options'

/** What an application password can be limited to, with what each opens. */
export const scopeTexts = {
  reports: 'read reports, revenue and the advisor',
  orders: 'send orders',
  content: 'describe pages',
  annotations: 'write notes',
  collect: 'send hits and events of visitors whom it names',
  metrics: 'read the metrics of the service',
  push: 'send orders and describe pages, as a shop or CMS does',
} as const

export type Scope = keyof typeof scopeTexts
export const scopes = Object.keys(scopeTexts) as Scope[]

/** The scope of a password that may do whatever its user may. */
export const everything = 'all'

/** A token with this capability reads what `footfall_view_reports` does, but nothing of what was sold. */
export const visitsCapability = 'footfall_view_visits'

/** A token with this capability may do what a password with the scope `push` may. */
export const pushCapability = 'footfall_push'

/**
 * Who may call: everyone, an identity with the capability, (`account`) every user of this database, for what concerns
 * their own account, or (`identified`) every identity, share links included, for what calls other endpoints in their
 * name. Endpoints for accounts decide what `manage_options` adds.
 */
export type Right = 'public' | 'identified' | 'account' | Capability

/** The declaration of an endpoint. */
export type Access = {
  can: Right
  /** The scopes of application passwords that open it, narrowest first; without any, only `all` does. */
  scopes?: readonly Scope[]
  /**
   * Whether a share link may call it: `always` if it applies the link's filters, `goals` if it does and shows goals or
   * funnels, `unfiltered` if it cannot, `annotations` if the link shows these.
   */
  shared?: 'always' | 'goals' | 'unfiltered' | 'annotations'
  /** Shows what was sold, or may: not for callers who read visits alone. */
  money?: boolean
  /** Not for tokens of the host platform, which keeps users and logins of its own. */
  local?: boolean
  /** Concerns who has access: users, logins, passwords, share links. Not for callers who are `unproved`. */
  guarded?: boolean
}

/** Of hits and events whose visitor the caller names, instead of being it. */
export const collecting: Access = { can: 'manage_options', scopes: ['collect'] }

/** What a caller may do. */
export type Grant = {
  capabilities: readonly string[]
  /** Scopes of a limited application password, which never has more than its user; undefined for other callers. */
  scopes?: readonly Scope[]
  /**
   * Filters that a share link, a password or a user is held to; such a caller may only call endpoints that are `shared`,
   * and those of their own account.
   */
  filters?: Readonly<Record<string, string>>
  /** Whether a share link shows goals and funnels; passwords and users with filters see none. */
  goals?: boolean
  /** Whether a share link shows annotations. */
  annotations?: boolean
  /** Row of `user`; null for users of the host platform. */
  userId?: number | null
  /** Set if a token of the host platform identified the caller. */
  byToken?: boolean
  /** Set for an administrator's application password where a second factor is required: it proves none. */
  unproved?: boolean
}

/** Whether a second factor is missing for what could otherwise be called. */
export const lacksProof = ({ guarded }: Access, { unproved }: Grant): boolean => guarded === true && unproved === true

const has = ({ capabilities }: Grant, capability: Right): boolean =>
  capabilities.includes(capability) || capabilities.includes('manage_options')

/** Whether users of the host platform may not call it: what concerns accounts and logins of this service. */
export const isLocal = ({ can, local }: Access): boolean => can === 'account' || local === true

/** Whether those may call it who read visits alone. */
export const showsVisits = ({ can, money }: Access): boolean => can === 'footfall_view_reports' && money !== true

/** Whether a caller may read reports, but nothing of what was sold. */
export const isWithoutMoney = (caller: Grant): boolean =>
  caller.capabilities.includes(visitsCapability) && !has(caller, 'footfall_view_reports')

const holds = (caller: Grant, access: Access): boolean => {
  const { can, scopes: opens = [] } = access
  if (can === 'public' || can === 'identified') return true
  if (caller.byToken === true && isLocal(access)) return false
  return (
    (can === 'account' && typeof caller.userId === 'number') ||
    has(caller, can) ||
    (showsVisits(access) && isWithoutMoney(caller)) ||
    (opens.includes('push') && caller.capabilities.includes(pushCapability))
  )
}

/**
 * The scope that a caller lacks who could otherwise call the endpoint; null if a scope is not what is missing. Where
 * several would do, the narrowest; where none does, `all`.
 */
export const missingScope = (access: Access, caller: Grant): Scope | typeof everything | null => {
  const { can, scopes: opens = [] } = access
  if (caller.scopes === undefined || can === 'public' || can === 'identified' || !holds(caller, access)) return null
  return opens.some(scope => caller.scopes?.includes(scope)) ? null : (opens[0] ?? everything)
}

/** Whether goals and funnels are for the caller: with filters only if the link says so. */
export const showsGoals = ({ filters, goals }: Grant): boolean => filters === undefined || goals === true

export const mayCall = (access: Access, caller: Grant | null): boolean => {
  const { can, shared } = access
  if (can === 'public') return true
  if (can === 'identified') return caller !== null
  if (caller === null || !holds(caller, access) || missingScope(access, caller) !== null) return false
  if (lacksProof(access, caller)) return false
  const { filters } = caller
  if (filters === undefined || shared === 'always' || can === 'account') return true
  if (shared === 'goals') return showsGoals(caller)
  if (shared === 'annotations') return caller.annotations === true
  return shared === 'unfiltered' && Object.keys(filters).length === 0
}

/** The capabilities that are left to a caller within its scopes. */
export const capabilitiesWithin = (caller: Grant): string[] => {
  if (caller.scopes === undefined) return [...caller.capabilities]
  const kept = [
    caller.scopes.includes('reports') && has(caller, 'footfall_view_reports') && 'footfall_view_reports',
    caller.scopes.includes('push') && has(caller, 'manage_options') && pushCapability,
  ]
  return kept.filter(capability => capability !== false)
}
