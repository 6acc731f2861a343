import { UsageError } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import { dropControls } from '../lib/controls.ts'
import { goalBody, readGoalBody } from '../reports/goals/body.ts'
import type { Goal } from '../reports/goals/definitions.ts'
import { previewGoal } from '../reports/goals/preview.ts'
import { createSavedGoals } from '../reports/goals/saved-goals.ts'
import type { Call, Command, Group, OwnFlag } from './command.ts'
import { withDatabase, withReading } from './database.ts'
import { orUsageError, percentText, readDefinition, readProperty, removeNamed, withReports } from './definitions.ts'
import { count, jsonFlag, printRows } from './listing.ts'

/** What a goal is recognised by, in the order of --help. */
const ruleFlags = ['page', 'event', 'scroll', 'seconds'] as const

const numberOf = (name: string, value: unknown): number => {
  const number = Number(value)
  if (!Number.isFinite(number)) throw new UsageError(`--${name} takes a number, not '${String(value)}'.`)
  return number
}

type Rule = { kind: Goal['kind']; pattern: string; threshold: number | null }

/** `--scroll` and `--seconds` are of the pages of `--page`, by default of all. */
const ruleOf = ({ flags }: Call): Rule => {
  const given = ruleFlags.filter(name => flags[name] !== undefined)
  const kinds = given.filter(name => name !== 'page')
  if (kinds.length > 1 || given.length === 0 || (kinds[0] === 'event' && flags.page !== undefined))
    throw new UsageError('Give --page or --event, or --scroll or --seconds with or without --page.')
  const [kind = 'page'] = kinds
  if (kind === 'event') return { kind, pattern: String(flags.event), threshold: null }
  const pattern = String(flags.page ?? '/*')
  return kind === 'page'
    ? { kind, pattern, threshold: null }
    : { kind, pattern, threshold: numberOf(kind, flags[kind]) }
}

const propertyOf = ({ flags }: Call): { key: string; value: string } | null =>
  flags.property === undefined ? null : readProperty(String(flags.property), '--property')

const worthOf = ({ flags }: Call) => {
  if (flags.value !== undefined && flags.valueFrom !== undefined)
    throw new UsageError('--value and --value-from cannot be combined.')
  if (flags.value !== undefined) return { value_from: 'fixed', value: numberOf('value', flags.value) }
  return flags.valueFrom === undefined ? {} : { value_from: String(flags.valueFrom) }
}

const goalOf = (call: Call, name: string) =>
  readDefinition(call, goalBody, { name, ...ruleOf(call), property: propertyOf(call), ...worthOf(call) }, readGoalBody)

const goalsOf = (db: Db, { clock }: Call) => createSavedGoals(db, clock)

const ruleOptions: readonly OwnFlag[] = [
  { flag: '--page <PAGES>', about: "Pages, such as '/thanks' or '/blog/*'; several are separated by commas." },
  { flag: '--event <NAMES>', about: 'Names of events; * stands for any characters.' },
  { flag: '--property <KEY=VALUE>', about: 'Only events with this value of the property.' },
  { flag: '--scroll <PERCENT>', about: 'Page views that reached this percentage of the page. (default pages: all)' },
  { flag: '--seconds <SECONDS>', about: 'Visits that spent so long on the pages. (default pages: all)' },
]

const add: Command = {
  name: 'add',
  arguments: ['<NAME>'],
  about: 'Add a goal. It counts at once, also on earlier days.',
  example: "goal add Thanks --page '/thanks*'",
  flags: [
    ...ruleOptions,
    { flag: '--value <AMOUNT>', about: 'What each visit that reaches the goal is worth.' },
    {
      flag: '--value-from <SOURCE>',
      about: "Take the value from the event's own (event), or from the visit's orders (order).",
    },
  ],
  run: call => {
    const goal = goalOf(call, call.args[0] ?? '')
    return withDatabase(call, db => {
      const { id } = orUsageError(() => goalsOf(db, call).add(goal, 'cli'))
      call.print(`Goal ${id} was added.`)
      return 0
    })
  },
}

const valueText = ({ valueFrom, value }: Goal): string | null =>
  valueFrom === 'none' ? null : valueFrom === 'fixed' ? String(value) : valueFrom

const list: Command = {
  name: 'list',
  about: 'List the goals.',
  example: 'goal list',
  flags: [jsonFlag],
  run: call =>
    withReading(call, db => {
      const rows = goalsOf(db, call)
        .list()
        .map(goal => ({
          id: String(goal.id),
          name: goal.name,
          kind: goal.kind,
          pattern: goal.pattern,
          threshold: goal.threshold === null ? null : String(goal.threshold),
          property: goal.property === null ? null : `${goal.property.key}=${goal.property.value}`,
          value: valueText(goal),
        }))
      printRows(call, rows, "There are no goals. Add one with 'footfall goal add NAME --page /thanks'.")
      return 0
    }),
}

const remove: Command = {
  name: 'remove',
  arguments: ['<GOAL>'],
  about: 'Remove a goal, named by its id or its name.',
  example: 'goal remove Thanks',
  run: call =>
    withDatabase(call, db => {
      removeNamed(call, 'goal', goalsOf(db, call))
      return 0
    }),
}

const preview: Command = {
  name: 'preview',
  about: 'Show what a goal would have counted in the last 30 days. Saves nothing.',
  example: 'goal preview --event signup',
  flags: [...ruleOptions, jsonFlag],
  run: call => {
    const goal = goalOf(call, 'Preview')
    return withReports(call, async context => {
      const { warnings = [], ...counted } = await previewGoal(goal, context)
      const { from, to, sessions, conversion_rate: rate } = counted
      if (call.flags.json === true) call.print(JSON.stringify(counted, null, 2))
      else
        call.print(
          `${count(sessions, 'visit')} from ${from} to ${to} would have reached it, ${percentText(rate)} of all.`,
        )
      for (const warning of warnings) call.warn(dropControls(warning))
      return 0
    })
  },
}

export const goal: Group = {
  name: 'goal',
  about: 'Add, preview, list and remove goals.',
  commands: [add, preview, list, remove],
}
