import { UsageError } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import { identityKey } from '../identity/key.ts'
import { nameRule, passwordRule } from '../identity/rules.ts'
import {
  type Counter,
  counterFigures,
  counterProblem,
  createShareLinks,
  type Filters,
  isOrigin,
  listShareLinks,
  type NewLink,
  type ShareLinks,
} from '../identity/share-links.ts'
import { ExpectedError } from '../lib/errors.ts'
import { readExpiry } from '../lib/expiry.ts'
import { dateOf, timeText, toSeconds } from '../lib/time.ts'
import { periodNames } from '../reports/named-range.ts'
import { chooseZone } from '../rollup/zone.ts'
import type { Call, Command, Group } from './command.ts'
import { withDatabase, withReading } from './database.ts'
import { filterText, readFilters, withSegment } from './filters.ts'
import { jsonFlag, printFragment, printRows } from './listing.ts'

const linksOf = (db: Db, { clock }: Call): ShareLinks => createShareLinks({ db, clock, key: identityKey(db) })

const unknownLink = (uuid: string): ExpectedError =>
  new ExpectedError(`There is no share link ${uuid}. Run 'footfall share-link list' to see them.`)

const printLink = (call: Call, token: string): void => printFragment(call, `#share=${token}`)

/** @throws UsageError for a time that is invalid, or has passed */
const expiryOf = ({ flags, clock }: Call, db: Db): number | null => {
  if (flags.expires === undefined) return null
  const { at, problem } = readExpiry(String(flags.expires), toSeconds(clock()), chooseZone(db, null))
  if (problem !== null) throw new UsageError(`--expires: ${problem}`)
  return at
}

/** @throws UsageError for a counter that a link cannot have */
const counterOf = ({ flags }: Call, filters: Filters): Counter | null => {
  if (flags.counter === undefined) return null
  const figure = counterFigures.find(one => one === flags.counter)
  if (figure === undefined) throw new UsageError(`--counter takes views or visitors, not '${String(flags.counter)}'.`)
  const period = periodNames.find(name => name === flags.counterPeriod) ?? null
  if (flags.counterPeriod !== undefined && period === null)
    throw new UsageError(`--counter-period takes ${periodNames.join(', ')}, not '${String(flags.counterPeriod)}'.`)
  const since = flags.counterSince === undefined ? null : String(flags.counterSince)
  if (since !== null && dateOf(since) === null)
    throw new UsageError(`--counter-since takes a day such as 2026-01-01, not '${since}'.`)
  const page = flags.counterPage === undefined ? '*' : String(flags.counterPage)
  const counter: Counter = { figure, page, period, since, round: flags.counterHundreds === true ? 'hundreds' : 'exact' }
  const problem = counterProblem(counter, filters)
  if (problem !== null) throw new UsageError(problem)
  return counter
}

const frameOf = ({ flags }: Call): string[] => {
  const origins = String(flags.frame ?? '')
    .split(',')
    .map(origin => origin.trim())
    .filter(origin => origin !== '')
  const wrong = origins.find(origin => !isOrigin(origin))
  if (wrong !== undefined)
    throw new UsageError(`--frame takes origins such as https://www.example.org, without a path, not '${wrong}'.`)
  return origins
}

const passwordOf = async ({ flags, readLine }: Call): Promise<string | null> => {
  if (flags.passwordStdin !== true) return null
  const password = (await readLine()) ?? ''
  const problem = passwordRule(password)
  if (problem !== null) throw new UsageError(problem)
  return password
}

const create: Command = {
  name: 'create',
  example: 'share-link create "Product pages" --filters "page=/product/*"',
  arguments: ['<NAME>'],
  about: 'Create a link that shows reports about visits to anyone who has it.',
  flags: [
    { flag: '--filters <QUERY>', about: "Filters that always apply, such as 'country=DE&device=mobile'." },
    { flag: '--goals', about: 'Show goals and funnels as well.' },
    {
      flag: '--expires <TIME>',
      about: 'When it expires: 12h, 90d, 52w, or the end of a day such as 2026-12-31. (default: never)',
    },
    { flag: '--annotations', about: 'Show annotations, whose texts may be internal.' },
    {
      flag: '--counter <FIGURE>',
      about: 'Show page views or visitors to everybody, at /analytics/v1/counter/ and the id of the link.',
    },
    { flag: '--counter-page <PATTERN>', about: "Pages that it counts, such as '/blog/*'. (default: all)" },
    { flag: '--counter-period <NAME>', about: 'Period that it counts, such as 30d. (default: all)' },
    { flag: '--counter-since <DAY>', about: 'Day from which it counts, such as 2026-01-01, instead.' },
    { flag: '--counter-hundreds', about: 'Show whole hundreds alone.' },
    { flag: '--frame <ORIGINS>', about: 'Origins whose pages may frame the dashboard, separated by commas.' },
    { flag: '--password-stdin', about: 'Protect it by a password: the first line of standard input.' },
  ],
  run: async call => {
    const [name = ''] = call.args
    if (nameRule(name) !== null)
      throw new UsageError('The name has 1 to 100 characters, no line breaks, and no space at its ends.')
    const filters = readFilters(String(call.flags.filters ?? ''))
    return withDatabase(call, async db => {
      const expiresAt = expiryOf(call, db)
      const wanted: NewLink = {
        name,
        filters: withSegment(db, filters),
        goals: call.flags.goals === true,
        annotations: call.flags.annotations === true,
        expiresAt,
        password: await passwordOf(call),
        counter: counterOf(call, filters),
        frame: frameOf(call),
      }
      const { uuid, token } = await linksOf(db, call).create(wanted, 'cli')
      call.print(`Share link ${uuid} was created.`)
      printLink(call, token)
      return 0
    })
  },
}

const list: Command = {
  name: 'list',
  example: 'share-link list',
  about: 'List the share links.',
  flags: [jsonFlag],
  run: call =>
    withReading(call, db => {
      const rows = listShareLinks(db, toSeconds(call.clock())).map(
        ({ uuid, name, filters, goals, annotations, hasPassword, createdAt, expiresAt, expired, counter, frame }) => ({
          uuid,
          name,
          filters: filterText(db, filters) || null,
          annotations: annotations ? 'yes' : 'no',
          password: hasPassword ? 'yes' : 'no',
          goals: goals ? 'yes' : 'no',
          counter: counter === null ? null : `${counter.figure} of ${counter.page}`,
          frame: frame.join(',') || null,
          created_at: timeText(createdAt),
          expires_at: expiresAt === null ? null : timeText(expiresAt),
          status: expired ? 'expired' : 'active',
        }),
      )
      printRows(call, rows, "There are no share links. Create one with 'footfall share-link create NAME'.")
      return 0
    }),
}

const show: Command = {
  name: 'show',
  example: 'share-link show 3f0c7a52-1d8e-4b6a-9c4f-2e5d8a7b6c10',
  arguments: ['<UUID>'],
  about: 'Show a share link again.',
  run: call =>
    withDatabase(call, db => {
      const [uuid = ''] = call.args
      const link = linksOf(db, call).show(uuid, 'cli')
      if (link === undefined) throw unknownLink(uuid)
      if (link.expired) call.warn('This link has expired.')
      printLink(call, link.token)
      return 0
    }),
}

const revoke: Command = {
  name: 'revoke',
  example: 'share-link revoke 3f0c7a52-1d8e-4b6a-9c4f-2e5d8a7b6c10',
  arguments: ['<UUID>'],
  about: 'Revoke a share link, effective immediately.',
  run: call =>
    withDatabase(call, db => {
      const [uuid = ''] = call.args
      if (!linksOf(db, call).revoke(uuid, 'cli')) throw unknownLink(uuid)
      call.print(`Share link ${uuid} was revoked.`)
      return 0
    }),
}

export const shareLink: Group = {
  name: 'share-link',
  about: 'Create, list, show and revoke links that show reports without an account.',
  commands: [create, list, show, revoke],
}
