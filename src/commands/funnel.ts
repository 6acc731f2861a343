import type { Db } from '../database/query.ts'
import type { Funnel } from '../reports/goals/definitions.ts'
import { funnelBody, readFunnelBody } from '../reports/goals/funnel-body.ts'
import { previewFunnel } from '../reports/goals/preview.ts'
import type { StepRule } from '../reports/goals/rules.ts'
import { createSavedFunnels } from '../reports/goals/saved-funnels.ts'
import type { Call, Command, Group } from './command.ts'
import { withDatabase, withReading } from './database.ts'
import { orUsageError, percentText, readDefinition, readProperty, removeNamed, withReports } from './definitions.ts'
import { jsonFlag, printRows } from './listing.ts'

/** `/cart`, `event:signup`, or `event:signup (plan=pro)`. */
const stepOf = (text: string): StepRule => {
  const [, event, property] = /^event:(.+?)(?: \((.+)\))?$/s.exec(text) ?? []
  if (event === undefined) return { kind: 'page', pattern: text, property: null }
  return {
    kind: 'event',
    pattern: event,
    property: property === undefined ? null : readProperty(property, `The property of ${text}`),
  }
}

const stepText = ({ kind, pattern, property }: StepRule): string =>
  [
    kind === 'page' ? pattern : `event:${pattern}`,
    ...(property === null ? [] : [`(${property.key}=${property.value})`]),
  ].join(' ')

const funnelOf = (call: Call, name: string, steps: readonly string[]) =>
  readDefinition(
    call,
    funnelBody,
    { name, steps: steps.map(stepOf), strict: call.flags.strict === true },
    readFunnelBody,
  )

const funnelsOf = (db: Db, { clock }: Call) => createSavedFunnels(db, clock)

const strictFlag = { flag: '--strict', about: 'Allow no other page view between two steps.' }
const steps = "Steps are pages, such as '/cart' or '/blog/*', and events: event:signup, or 'event:signup (plan=pro)'."

const add: Command = {
  name: 'add',
  arguments: ['<NAME>', '<STEPS...>'],
  about: `Add a funnel of 2 to 8 steps. It counts at once, also on earlier days. ${steps}`,
  example: 'funnel add Order /cart /checkout event:purchase',
  flags: [strictFlag],
  run: call => {
    const [name = '', ...given] = call.args
    const funnel = funnelOf(call, name, given)
    return withDatabase(call, db => {
      const { id } = orUsageError(() => funnelsOf(db, call).add(funnel, 'cli'))
      call.print(`Funnel ${id} was added.`)
      return 0
    })
  },
}

const preview: Command = {
  name: 'preview',
  arguments: ['<STEPS...>'],
  about: `Show what a funnel would have counted in the last 30 days. Saves nothing. ${steps}`,
  example: 'funnel preview /cart event:purchase',
  flags: [strictFlag, jsonFlag],
  run: call => {
    const funnel = funnelOf(call, 'Preview', call.args)
    return withReports(call, async context => {
      const found = await previewFunnel(funnel, context)
      if (call.flags.json === true) call.print(JSON.stringify(found, null, 2))
      else {
        const rows = found.steps.map(({ step, sessions }, index) => ({
          step: String(step),
          name: stepText(funnel.steps[index] ?? { kind: 'page', pattern: '', property: null }),
          sessions: String(sessions),
        }))
        printRows(call, rows, '')
        call.print(`\n${found.from} to ${found.to}: ${percentText(found.conversion)} came through.`)
      }
      return 0
    })
  },
}

const rowOf = ({ id, name, steps: own, strict }: Funnel) => ({
  id: String(id),
  name,
  steps: own.map(stepText).join(' > '),
  strict: strict ? 'yes' : 'no',
})

const list: Command = {
  name: 'list',
  about: 'List the funnels.',
  example: 'funnel list',
  flags: [jsonFlag],
  run: call =>
    withReading(call, db => {
      const rows = funnelsOf(db, call).list().map(rowOf)
      printRows(call, rows, "There are no funnels. Add one with 'footfall funnel add NAME /cart /thanks'.")
      return 0
    }),
}

const remove: Command = {
  name: 'remove',
  arguments: ['<FUNNEL>'],
  about: 'Remove a funnel, named by its id or its name.',
  example: 'funnel remove Order',
  run: call =>
    withDatabase(call, db => {
      removeNamed(call, 'funnel', funnelsOf(db, call))
      return 0
    }),
}

export const funnel: Group = {
  name: 'funnel',
  about: 'Add, preview, list and remove funnels.',
  commands: [add, preview, list, remove],
}
