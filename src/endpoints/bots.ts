import * as v from 'valibot'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { whoOf } from '../identity/who.ts'
import { toSeconds } from '../lib/time.ts'
import { choiceEntries } from '../settings/suspects.ts'
import type { Context } from './context.ts'

const output = v.object(choiceEntries)

export const botsEndpoints: readonly Endpoint<Context>[] = [
  endpoint({
    method: 'PUT',
    path: '/bots',
    can: 'manage_options',
    tag: 'Operation',
    summary: 'Count visits that look automated, or leave them out',
    description:
      'Changes the given keys. Days whose visits are kept are recalculated in the background, see `recalculating` of ' +
      'GET /bots; days that only have sums keep theirs. A visit with a purchase is never suspect.',
    body: v.strictObject({
      suspects: v.optional(choiceEntries.suspects),
      ignored: v.optional(choiceEntries.ignored),
    }),
    output,
    handle: ({ suspects, clock }: Context, { body, identity }) => {
      const changes = {
        ...(body.suspects && { suspects: body.suspects }),
        ...(body.ignored && { ignored: body.ignored }),
      }
      const choice = suspects.save(changes, whoOf(identity), toSeconds(clock()))
      return { data: { suspects: choice.suspects, ignored: [...choice.ignored] } }
    },
  }),
]
