import type { AdvisorOptions } from '../advisor/options.ts'
import type { Preferences } from '../advisor/preferences.ts'
import type { Alerts } from '../alerts/alerts.ts'
import type { Annotations } from '../annotations/annotations.ts'
import type { AuditLog } from '../audit/audit.ts'
import type { Diagnose } from '../checks/diagnostics/live.ts'
import type { Audit, SelfTest, SiteCheck } from '../checks/result.ts'
import type { Intake } from '../collection/http.ts'
import type { ContentStore } from '../collection/store/content.ts'
import type { MailDesk } from '../digest/desk.ts'
import type { Subscriptions } from '../digest/subscriptions.ts'
import type { Erase } from '../erasure/run.ts'
import type { FallbackState } from '../geoip/geoip.ts'
import type { Places } from '../http/places.ts'
import type { Accounts } from '../identity/accounts.ts'
import type { Identification } from '../identity/identify.ts'
import type { ShareLinks } from '../identity/share-links.ts'
import type { Importer } from '../import/live/importer.ts'
import type { Imports } from '../import/live/imports.ts'
import type { Uploads } from '../import/live/uploads.ts'
import type { JobRunner } from '../jobs/run.ts'
import type { Language } from '../lib/texts.ts'
import type { ReportContext } from '../reports/context.ts'
import type { CountPages } from '../reports/counter.ts'
import type { SavedFunnels } from '../reports/goals/saved-funnels.ts'
import type { SavedGoals } from '../reports/goals/saved-goals.ts'
import type { SavedSegments } from '../reports/saved-segments.ts'
import type { RuleStore } from '../settings/refusal-rules.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { SiteOptions } from '../settings/site-options.ts'
import type { SuspectStore } from '../settings/suspects.ts'
import type { Shop } from '../shop/shop.ts'

/** The client of a request, according to the connection and trusted proxies. */
export type Client = {
  address: string | null
  /** Scheme and host as the client sees them; null unless a trusted proxy forwards them. */
  origin: string | null
}

type WordPressZone = {
  /** As its plugin says; null if none has. */
  current: () => string | null
  /** Whether its days are others than the service's. */
  differs: () => boolean
  save: (timezone: string) => void
}

/** Dependencies of endpoints; created once by the service. */
export type Context = ReportContext & {
  /** Answers a GET of another URL with the credentials of a request, by all checks. */
  answer: (url: URL, request: Request, client: Client) => Promise<Response>
  /** Takes records, as the routes of collection do. */
  intake: Intake
  /** Places of the batches that run at a time. */
  batches: Places
  identity: Identification
  shareLinks: ShareLinks
  /** Counts what a share link shows to everybody. */
  countPages: CountPages
  segments: SavedSegments
  /** Histories of other programs. */
  imports: Imports
  /** The import that the service does itself, and the files that were sent for it. */
  importer: Importer
  uploads: Uploads
  goals: SavedGoals
  funnels: SavedFunnels
  annotations: Annotations
  alerts: Alerts
  accounts: Accounts
  /** Digests that users have sent to themselves. */
  subscriptions: Subscriptions
  settings: SettingsStore
  suspects: SuspectStore
  rules: RuleStore
  erase: Erase
  audit: AuditLog
  shop: Shop
  runJobs: JobRunner
  /** The state of the installation. */
  diagnose: Diagnose
  selfTest: (language: Language) => Promise<SelfTest>
  /** Checks a page of the site; `busy` while another check runs. */
  checkPage: (url: string, language: Language) => Promise<SiteCheck | 'busy'>
  privacyAudit: (language: Language) => Promise<Audit>
  enableFallback: () => FallbackState
  /** Metrics in the Prometheus text format. */
  metrics: () => Promise<string>
  content: ContentStore
  /** WordPress' time zone; saving one may restart the service, with its days. */
  wordPressZone: WordPressZone
  siteOptions: SiteOptions
  mail: MailDesk
  /** The addresses of the site; empty if any host may send hits. */
  siteUrls: readonly string[]
  preferences: Preferences
  advisor: AdvisorOptions
}
