import { UsageError } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import { ExpectedError } from '../lib/errors.ts'
import { toSeconds } from '../lib/time.ts'
import { previewRules } from '../reports/rule-preview.ts'
import {
  completeRules,
  createRules,
  type GivenRule,
  loadRules,
  type RefusalRule,
  type RuleField,
  ruleFields,
} from '../settings/refusal-rules.ts'
import type { Call, Command, Group } from './command.ts'
import { withDatabase, withReading } from './database.ts'
import { withReports } from './definitions.ts'
import { jsonFlag, printRows } from './listing.ts'

const none = "There are no rules. Add one with 'footfall rules add path /wp-admin/*'."

const fieldOf = (given: string | undefined): RuleField => {
  const field = ruleFields.find(one => one === given)
  if (field === undefined) throw new UsageError(`There is no field '${given}'. Fields: ${ruleFields.join(', ')}.`)
  return field
}

/** @throws UsageError for what cannot be a rule */
const complete = (given: readonly GivenRule[]): RefusalRule[] => {
  const rules = completeRules(given)
  if (!Array.isArray(rules)) throw new UsageError(rules.message)
  return rules
}

const givenRule = ({ args: [field, pattern = ''], flags }: Call): GivenRule => ({
  ...(flags.name !== undefined && { name: String(flags.name) }),
  field: fieldOf(field),
  pattern,
  action: 'refuse',
})

const printPreview = async (call: Call, rules: readonly RefusalRule[]): Promise<number> => {
  const found = await withReports(call, context => previewRules(rules, context))
  const number = (figure: number | null): string => (figure === null ? '?' : String(figure))
  const rows = found.rules.map(({ name, sessions, views }) => ({
    name,
    visits: number(sessions),
    page_views: number(views),
  }))
  if (call.flags.json === true) call.print(JSON.stringify(found, null, 2))
  else {
    if (rows.length > 0) call.print(`From ${found.from} to ${found.to} it would have refused:`)
    printRows(call, rows, none)
    for (const { name, why } of found.rules) if (why !== null) call.warn(`${name}: ${why}`)
  }
  return 0
}

const previewFlag = { flag: '--preview', about: 'Show what would have been refused in the last 30 days.' }

const list: Command = {
  name: 'list',
  about: 'List the rules.',
  example: 'rules list --preview',
  flags: [previewFlag, jsonFlag],
  run: async call => {
    const rules = await withReading(call, loadRules)
    if (call.flags.preview === true) return printPreview(call, rules)
    printRows(
      call,
      rules.map(({ name, field, pattern }) => ({ name, field, pattern })),
      none,
    )
    return 0
  },
}

const save = (db: Db, { clock }: Call, next: (before: readonly RefusalRule[]) => readonly RefusalRule[]): void =>
  void createRules(db).save(next, 'cli', toSeconds(clock()))

const add: Command = {
  name: 'add',
  arguments: ['<FIELD>', '<PATTERN>'],
  about: `Add a rule. Fields: ${ruleFields.join(', ')}. In the pattern, * stands for any characters.`,
  example: "rules add path '/wp-admin/*'",
  flags: [
    { flag: '--name <NAME>', about: 'Stands in the ledger. Default: the field and the pattern.' },
    { flag: '--preview', about: 'Only show what it would have refused in the last 30 days.' },
    jsonFlag,
  ],
  run: call => {
    const given = givenRule(call)
    if (call.flags.preview === true) return printPreview(call, complete([given]))
    return withDatabase(call, db => {
      save(db, call, before => complete([...before, given]))
      const rule = loadRules(db).at(-1)
      if (call.flags.json === true) call.print(JSON.stringify(rule, null, 2))
      else call.print(`The rule '${rule?.name}' was added.`)
      return 0
    })
  },
}

const remove: Command = {
  name: 'remove',
  arguments: ['<NAME>'],
  about: 'Remove a rule. The ledger keeps the number of its refusals.',
  example: "rules remove 'path /wp-admin/*'",
  run: call =>
    withDatabase(call, db => {
      const [name = ''] = call.args
      save(db, call, before => {
        if (!before.some(rule => rule.name === name))
          throw new ExpectedError(`There is no rule '${name}'. Run 'footfall rules list' to see them.`)
        return before.filter(rule => rule.name !== name)
      })
      call.print(`The rule '${name}' was removed.`)
      return 0
    }),
}

export const rules: Group = {
  name: 'rules',
  about: 'List, add and remove rules for what is not counted. A running service applies them within a second.',
  commands: [list, add, remove],
  defaultCommand: 'list',
}
