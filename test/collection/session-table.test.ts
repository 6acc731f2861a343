// Sessions in arrays of numbers, held against plain objects: many come and go, change their visitors, and give their memory back.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { NewSession } from '../../src/collection/store/session.ts'
import { createSessionTable } from '../../src/collection/store/session-table.ts'

const names = [
  'visitor_id',
  'rekeyed_visitor_id',
  'entry_view_id',
  'exit_view_id',
  'started_at',
  'ended_at',
  'seen_at',
  'views',
  'events',
  'entry_page_id',
  'exit_page_id',
  'origin_id',
  'client_id',
  'campaign_id',
  'place_id',
  'screen_id',
  'language_id',
  'timezone_id',
] as const satisfies readonly (keyof NewSession)[]

type Plain = NewSession & { id: number }

const textOf = (session: Plain): string => `${session.id}: ${names.map(name => session[name]).join()}`
const inOrder = (ids: readonly number[]): string => [...ids].sort((a, b) => a - b).join()

const word = fc.integer({ min: 1, max: 2 ** 32 - 1 })
const long = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const orNone = (id: fc.Arbitrary<number>) => fc.option(id, { nil: null })
const visitor = fc.integer({ min: 1, max: 40 })
const given: fc.Arbitrary<NewSession> = fc.record({
  visitor_id: visitor,
  rekeyed_visitor_id: orNone(visitor),
  entry_view_id: long,
  exit_view_id: long,
  started_at: word,
  ended_at: word,
  seen_at: word,
  views: word,
  events: fc.nat(),
  entry_page_id: word,
  exit_page_id: word,
  origin_id: word,
  client_id: word,
  campaign_id: orNone(word),
  place_id: orNone(word),
  screen_id: orNone(word),
  language_id: orNone(word),
  timezone_id: orNone(word),
})

type Step =
  | { do: 'add'; sessions: NewSession; times: number }
  | { do: 'move'; at: number; to: number }
  | { do: 'leave' | 'remove'; from: number; share: number }
  | { do: 'trim' }
  | { do: 'clear' }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('add' as const),
        sessions: given,
        times: fc.constantFrom(1, 3, 900, 1024, 1500),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('move' as const), at: fc.nat(), to: visitor }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('remove' as const), from: fc.nat(), share: fc.constantFrom(1, 2, 3) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('leave' as const), from: fc.nat(), share: fc.constantFrom(1, 2, 3) }),
    },
    { weight: 3, arbitrary: fc.constant<Step>({ do: 'trim' }) },
    { weight: 1, arbitrary: fc.constant<Step>({ do: 'clear' }) },
  ),
  { minLength: 3, maxLength: 20 },
)

test('what the table says is what was put into it', () =>
  fc.assert(
    fc.property(steps, todo => {
      const table = createSessionTable()
      /** By their slots. */
      const plain = new Map<number, Plain>()
      /** Those that their visitors have no more, but that are still there. */
      const gone = new Set<number>()
      let nextId = 1
      for (const step of todo) {
        if (step.do === 'add') {
          for (let n = 0; n < step.times; n++) {
            const { slot } = table.add({ ...step.sessions, visitor_id: step.sessions.visitor_id + n }, nextId)
            assert.not(plain.has(slot), 'a slot is given away twice')
            plain.set(slot, { ...step.sessions, visitor_id: step.sessions.visitor_id + n, id: nextId++ })
          }
        } else if (step.do === 'move') {
          const movable = [...plain].filter(([slot]) => !gone.has(slot))
          const [slot, known] = movable[step.at % Math.max(1, movable.length)] ?? []
          if (slot === undefined || known === undefined) continue
          const session = table.at(slot)
          table.move(session, () => {
            session.rekeyed_visitor_id = step.to
          })
          known.rekeyed_visitor_id = step.to
        } else if (step.do === 'leave' || step.do === 'remove') {
          for (const slot of [...plain.keys()].filter(slot => (slot + step.from) % step.share === 0)) {
            const session = table.at(slot)
            if (!gone.has(slot)) table.leave(session)
            gone.add(slot)
            if (step.do === 'leave') continue
            table.remove(session)
            plain.delete(slot)
            gone.delete(slot)
          }
        } else if (step.do === 'trim') {
          table.trim()
        } else {
          table.clear()
          plain.clear()
          gone.clear()
        }
      }
      for (const [slot, known] of plain) assert.is(textOf(table.at(slot)), textOf(known))
      const seen: number[] = []
      table.each(session => {
        seen.push(session.id)
      })
      assert.is(inOrder(seen), inOrder([...plain.values()].map(({ id }) => id)))
      const ofVisitors = Map.groupBy(
        [...plain].filter(([slot]) => !gone.has(slot)).map(([, known]) => known),
        known => known.rekeyed_visitor_id ?? known.visitor_id,
      )
      for (let one = 1; one < 1600; one++) {
        assert.is(inOrder(table.of(one).map(({ id }) => id)), inOrder((ofVisitors.get(one) ?? []).map(({ id }) => id)))
      }
    }),
    { numRuns: 60 },
  ))

const one: NewSession = {
  visitor_id: 1,
  rekeyed_visitor_id: null,
  entry_view_id: 1,
  exit_view_id: 1,
  started_at: 1,
  ended_at: 1,
  seen_at: 1,
  views: 1,
  events: 0,
  entry_page_id: 1,
  exit_page_id: 1,
  origin_id: 1,
  client_id: 1,
  campaign_id: null,
  place_id: null,
  screen_id: null,
  language_id: null,
  timezone_id: null,
}

test('a slot that was let go reads as one that waits for nothing, also when its memory was given back', () => {
  const table = createSessionTable()
  const session = table.add(one, 1)
  session.waits = 'grown'
  assert.is(table.at(session.slot).waits, 'grown')
  session.waits = null
  table.leave(session)
  table.remove(session)
  table.trim()
  assert.is(table.at(session.slot).waits, null)
  assert.equal(table.of(1), [])
})

test('memory that no session needs is given back', () => {
  const table = createSessionTable()
  for (let id = 1; id <= 2000; id++) table.add({ ...one, visitor_id: id }, id)
  for (let slot = 0; slot < 2000; slot++) {
    table.leave(table.at(slot))
    table.remove(table.at(slot))
  }
  // With memory of its own again, the first slot comes first; else the one that was let go last.
  table.trim()
  assert.is(table.add(one, 2001).slot, 0)
})

test.run()
