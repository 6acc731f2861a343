import type { ComponentChildren } from 'preact'
import { useApp } from '../app/app-context.ts'
import { isHosted } from '../app/platform.ts'
import type { TextKey } from '../app/texts.ts'
import { FunnelSettings } from '../goals/funnel-settings.tsx'
import { GoalSettings } from '../goals/goal-settings.tsx'
import { Tag, tagOf } from '../overview/first-run.tsx'
import { Copy } from '../parts/controls.tsx'
import { Link } from '../parts/link.tsx'
import { Alerts } from './alerts.tsx'
import { OwnPassword } from './change-password.tsx'
import { Erase } from './erase.tsx'
import { History } from './imports.tsx'
import { Invitations } from './invitations.tsx'
import { LeaveOut } from './leave-out.tsx'
import { MailDesk, MailOptionsForm } from './mail-options.tsx'
import { OwnDigests } from './own-digests.tsx'
import { RefusalRules } from './refusal-rules.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Segments } from './segments.tsx'
import { Sessions } from './sessions.tsx'
import { ShareLinks } from './share-links.tsx'
import { CollectionForm, PrivacyForm } from './site-form.tsx'
import { SiteOptionsForm } from './site-options.tsx'
import { Users } from './users.tsx'

const TrackingCode = () => {
  const { t } = useApp()
  return (
    <section class="card" aria-labelledby="your-tag">
      <h2 id="your-tag">{t('your_tag')}</h2>
      <p class="faint">{t('first_paste')}</p>
      <Tag />
      <Copy text={tagOf()} label={t('copy_tag')} />
    </section>
  )
}

type Page = { id: string; label: TextKey; panels: readonly (() => ComponentChildren)[] }

const account: Page = {
  id: 'account',
  label: 'your_account',
  panels: [OwnPassword, SecondFactor, Sessions, OwnDigests],
}

/** The pages of settings and their panels, from top to bottom; `id` is the `settings_tab` of the address. */
const pages: readonly Page[] = [
  {
    id: 'collection',
    label: 'group_collection',
    panels: [...(isHosted ? [] : [TrackingCode]), CollectionForm, LeaveOut],
  },
  { id: 'site', label: 'site_settings', panels: [SiteOptionsForm, RefusalRules] },
  { id: 'imports', label: 'import_files', panels: [History] },
  { id: 'privacy', label: 'group_privacy', panels: [PrivacyForm, Erase] },
  { id: 'goals', label: 'goals_and_segments', panels: [GoalSettings, FunnelSettings, Segments] },
  { id: 'alerts', label: 'alerts', panels: [Alerts] },
  { id: 'mail', label: 'mail_settings', panels: [MailOptionsForm, MailDesk] },
  // Hosts have users and logins of their own.
  ...(isHosted ? [] : [{ id: 'access', label: 'access', panels: [ShareLinks, Invitations, Users] } as const, account]),
]

/** Those of the site are for administrators; everybody else has their own account. */
export const Settings = () => {
  const { t, state, manages } = useApp()
  const shown = manages ? pages : [account]
  const current = shown.find(({ id }) => id === state.tabs.settings) ?? shown[0]
  return (
    <div class="settings-pages">
      {shown.length > 1 && (
        <nav aria-label={t('view_settings')}>
          {shown.map(({ id, label }) => (
            <Link key={id} to={{ tabs: { ...state.tabs, settings: id } }} current={id === current?.id}>
              {t(label)}
            </Link>
          ))}
        </nav>
      )}
      <div class="stack" key={current?.id}>
        {current?.panels.map((Panel, index) => (
          <Panel key={index} />
        ))}
      </div>
    </div>
  )
}
