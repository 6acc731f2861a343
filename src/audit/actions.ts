import { english, message, stored } from '../lib/texts.ts'

/** Every action that the audit log records, as a sentence with names of values. The dashboard has them in each language. */
export const actions = {
  login: 'Logged in.',
  login_by_link: 'Logged in with a one-time link.',
  login_new_network: 'Logged in from a new network: {network}.',
  login_failed: 'Failed logins as {user}: {count}.',
  login_failed_unknown: 'Failed logins with unknown names: {count}.',
  session_ended: 'Ended a login of {user}.',
  sessions_ended: 'Ended all logins of {user}: {count}.',
  user_added: 'Added the user {user} with the role {role}.',
  user_removed: 'Removed the user {user}.',
  user_role_changed: 'Changed the role of {user}: {from} → {to}.',
  user_locale_changed: 'Changed the language of {user}: {from} → {to}.',
  user_start_page_changed: 'Changed the start page of {user}: {from} → {to}.',
  user_held: 'Held {user} to the filters {filters}.',
  user_released: 'Lifted the filters of {user}.',
  user_password_changed: 'Changed the password of {user}.',
  invitation_created: 'Invited “{name}” with the role {role}.',
  invitation_accepted: 'Accepted the invitation of “{name}” as {user}.',
  invitation_withdrawn: 'Withdrew the invitation of “{name}”.',
  digest_subscribed: 'Subscribed to the digest of each {period}.',
  digest_ended: 'Ended a digest of {user}; period: {period}.',
  digest_unsubscribed: 'Ended a digest of {user} by the link in a message; period: {period}.',
  second_factor_on: 'Turned on the second factor of {user}.',
  second_factor_off: 'Turned off the second factor of {user}.',
  second_factor_reset: 'Reset the second factor of {user}.',
  recovery_code_used: 'Used a recovery code of {user}; left: {left}.',
  app_password_created: 'Created the application password “{name}” of {user}; scopes: {scopes}.',
  app_password_revoked: 'Revoked the application password “{name}” of {user}.',
  app_passwords_revoked: 'Revoked all application passwords of {user}: {count}.',
  share_link_created: 'Created the share link “{name}”.',
  share_link_shown: 'Showed the share link “{name}” again.',
  share_link_revoked: 'Revoked the share link “{name}”.',
  platform_connected: 'Connected {platform}.',
  platform_disconnected: 'Disconnected {platform}.',
  segment_saved: 'Saved the segment “{name}”.',
  segment_changed: 'Changed the segment “{name}”.',
  segment_removed: 'Removed the segment “{name}”.',
  goal_saved: 'Saved the goal “{name}”.',
  goal_changed: 'Changed the goal “{name}”.',
  goal_removed: 'Removed the goal “{name}”.',
  funnel_saved: 'Saved the funnel “{name}”.',
  funnel_changed: 'Changed the funnel “{name}”.',
  funnel_removed: 'Removed the funnel “{name}”.',
  annotation_added: 'Added the annotation “{text}”.',
  annotation_changed: 'Changed the annotation “{text}”.',
  annotation_removed: 'Removed the annotation “{text}”.',
  alert_changed: 'Changed the alert {alert}: {from} → {to}.',
  setting_changed: 'Changed the setting {setting}: {from} → {to}.',
  setting_entries_changed: 'Changed the setting {setting}; entries: {from} → {to}.',
  setting_secret_changed: 'Changed the setting {setting}.',
  suspects_changed: 'Suspect visits: {from} → {to}. Ignored rules: {rules}.',
  rules_changed: 'Rules for what is not counted: {from} → {to}. Added: {added}. Removed: {removed}.',
  import_done: 'Imported a file; format: {format}.',
  import_undone: 'Undid an import; format: {format}.',
  erased: 'Erased data; kind: {kind}.',
  exported: 'Exported data; format: {format}.',
  backup_made: 'Made a backup.',
  backup_restored: 'Restored a backup.',
  version_changed: 'Version changed: {from} → {to}.',
  rebuilt: 'Recalculated all days.',
  backfill_started: "Started an import of the shop's orders.",
  backfill_cancelled: "Cancelled the import of the shop's orders.",
  city_database_enabled: 'Turned on the free city database.',
} as const

export type Action = keyof typeof actions

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

/** The values of an action, by name. */
export type Values<Name extends Action> = Readonly<Record<Names<(typeof actions)[Name]>, string | number>>

const isAction = (text: string): text is Action => Object.hasOwn(actions, text)

/** What happened, in English. */
export const sentenceOf = (action: string, values: Readonly<Record<string, string | number>>): string =>
  isAction(action) ? message(english, actions[action], stored(values)) : action
