// Random traffic: who does what, when, with ids that repeat, records dated back, and pauses around half an hour and
// midnight.
import fc from 'fast-check'
import type { Arrival, Mode } from './rules.ts'

export type Step =
  | { do: 'wait'; seconds: number }
  /** To some seconds before or after the next midnight. */
  | { do: 'midnight'; offset: number }
  | { do: 'restart' }
  | { do: 'flush' }
  | { do: 'jobs' }
  | { do: 'send'; send: Omit<Arrival, 'at' | 'mode'> & { visitor: number } }

/**
 * Two in one network, so that only the agent distinguishes them; one whose neighbour is the same visitor; IPv6; no
 * address.
 */
export const visitors = [
  { addresses: ['203.0.113.7', '203.0.113.99', '::ffff:203.0.113.8'], agent: 'Firefox/140.0' },
  { addresses: ['203.0.113.7'], agent: 'Chrome/140.0.0.0' },
  { addresses: ['2001:db8:1:2::3', '2001:db8:1:ffff::1'], agent: 'Firefox/140.0' },
] as const

const userAgent = (agent: string): string => `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 ${agent}`
export const agentOf = (visitor: number): string => userAgent(visitors[visitor]?.agent ?? '')
export const addressOf = (visitor: number, choice: number): string => {
  const { addresses } = visitors[visitor] ?? visitors[0]
  return addresses[choice % addresses.length] ?? addresses[0]
}

const ids = [
  'short-01',
  'short-02',
  'short-03',
  'a-long-id-of-21-chars',
  'b-long-id-of-21-chars',
  'c-long-id-of-21-chars',
  'exactly-16-chars',
  'only-15-charac-',
]
const eventIds = ['short-e1', 'short-e2', 'e-long-id-of-21-chars', 'f-long-id-of-21-chars']
/** Of two hosts, between which visits go. */
const pages = ['a.example/', 'a.example/a', 'a.example/b', 'b.example/', 'b.example/a']
const names = ['not_found', 'signup', 'download']

const pause = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(0, 0, 1, 20, 300) },
  { weight: 4, arbitrary: fc.constantFrom(1200, 1798, 1799, 1800, 1801, 1802, 2400) },
  { weight: 1, arbitrary: fc.constantFrom(5400, 7200, 20_000, 86_400, 172_800) },
)
const offset = fc.constantFrom(-2400, -1700, -900, -1, 0, 1, 600, 1200, 1799, 1800, 1801, 2400)
const age = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constantFrom(1, 30, 900, 1800, 1801, 3600) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3600 }) },
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null, freq: 3 })

const send = (withAge: boolean) =>
  fc
    .record({
      visitor: fc.integer({ min: 0, max: visitors.length - 1 }),
      kind: fc.oneof(
        { weight: 4, arbitrary: fc.constant('hit' as const) },
        { weight: 2, arbitrary: fc.constant('event' as const) },
        { weight: 3, arbitrary: fc.constant('engagement' as const) },
      ),
      age: withAge ? age : fc.constant(0),
      page: fc.constantFrom(...pages),
      id: maybe(fc.constantFrom(...ids)),
      eventId: maybe(fc.constantFrom(...eventIds)),
      name: fc.constantFrom(...names),
      engagedSeconds: maybe(fc.integer({ min: 0, max: 900 })),
      scroll: maybe(fc.integer({ min: 0, max: 100 })),
      consent: fc.constantFrom(null, null, true, true, false),
      refusal: fc.oneof(
        { weight: 15, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constantFrom('dnt' as const, 'gpc' as const, 'bot' as const) },
      ),
      withVisitorId: fc.boolean(),
    })
    .map(
      ({ visitor, eventId, id, kind, withVisitorId, ...rest }): Step => ({
        do: 'send',
        send: {
          ...rest,
          kind,
          visitor,
          who: `network ${visitor === 1 ? 0 : visitor} agent ${visitor}`,
          // An engagement update must name its view.
          id: kind === 'event' ? eventId : kind === 'engagement' ? (id ?? ids[3] ?? null) : id,
          visitorId: withVisitorId ? `browser-number-000${visitor}` : null,
        },
      }),
    )

export const steps = ({ withAge }: { withAge: boolean }): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      { weight: 12, arbitrary: send(withAge) },
      { weight: 6, arbitrary: pause.map((seconds): Step => ({ do: 'wait', seconds })) },
      { weight: 2, arbitrary: offset.map((offset): Step => ({ do: 'midnight', offset })) },
      { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'restart' }, { do: 'flush' }, { do: 'jobs' }) },
    ),
    { minLength: 5, maxLength: 60, size: 'max' },
  )

export const modes: readonly Mode[] = ['cookieless', 'disabled-until-consent', 'full']
