import { publicUrlOf, type Config, type Environment } from '../../config/config.ts'
import type { Db } from '../../database/query.ts'
import { listUsers } from '../../identity/users.ts'
import type { WatchOptions } from './watch.ts'

type SiteConfig = Pick<Config, 'siteUrl' | 'publicUrl' | 'rootPath' | 'alertCommand'>

/** What messages say of the site, in the language of the first administrator. */
export const siteOfMessages = (
  db: Db,
  config: SiteConfig,
  { LC_ALL, LANG }: Environment,
): Pick<WatchOptions, 'command' | 'site' | 'languages'> => {
  const url = publicUrlOf(config)
  return {
    command: config.alertCommand,
    site: {
      name: config.siteUrl === null ? 'Footfall' : new URL(config.siteUrl).host,
      url: url === null ? null : `${url}/`,
    },
    languages: () => [
      ...listUsers(db).flatMap(({ role, locale }) => (role === 'administrator' ? [locale] : [])),
      ...[LC_ALL, LANG].flatMap(tag => tag ?? []),
    ],
  }
}
