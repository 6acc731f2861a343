// Random traffic through the real pipeline, compared with a small independent model of the contract's rules.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createPipeline, type Pipeline } from '../model/pipeline.ts'
import { createCalendar, createModel, type Mode, type Model, type PageFigures } from '../model/rules.ts'
import { addressOf, agentOf, type Step, steps } from '../model/traffic.ts'
import { checkAsync, seed } from '../support/property.ts'

/** Evenings before days of 23 or 25 hours, days that begin late, and days far from UTC. */
const places = [
  { zone: 'UTC', start: '2026-03-10T20:00:00Z' },
  { zone: 'Europe/Berlin', start: '2026-03-28T21:00:00Z' },
  { zone: 'Europe/Berlin', start: '2026-10-24T20:00:00Z' },
  { zone: 'America/New_York', start: '2026-03-08T02:00:00Z' },
  { zone: 'America/New_York', start: '2026-11-01T02:00:00Z' },
  { zone: 'Pacific/Kiritimati', start: '2026-05-01T08:00:00Z' },
  { zone: 'Pacific/Pago_Pago', start: '2026-05-01T09:00:00Z' },
  { zone: 'Asia/Beirut', start: '2026-03-28T19:00:00Z' },
  { zone: 'Asia/Beirut', start: '2026-10-24T18:00:00Z' },
  { zone: 'Africa/Cairo', start: '2026-04-23T20:00:00Z' },
  { zone: 'Africa/Cairo', start: '2026-10-29T18:00:00Z' },
  { zone: 'Asia/Kathmandu', start: '2026-12-31T16:00:00Z' },
  // In 2024 its clocks still went forward at midnight.
  { zone: 'America/Asuncion', start: '2023-10-01T01:00:00Z' },
  { zone: 'America/Santiago', start: '2026-09-06T01:00:00Z' },
  { zone: 'America/Havana', start: '2026-03-08T02:00:00Z' },
  { zone: 'America/Nuuk', start: '2026-03-28T22:00:00Z' },
] as const

const refusalHeaders = { dnt: { dnt: '1' }, gpc: { 'sec-gpc': '1' }, bot: {}, off: {} } as const

const send = (
  pipeline: Pipeline,
  model: Model,
  mode: Mode,
  given: Extract<Step, { do: 'send' }>['send'],
  choice: number,
) => {
  const { kind, visitor, age, page, id, name, engagedSeconds, scroll, consent, visitorId, refusal } = given
  const expected = model.take({ ...given, at: pipeline.clock.now, mode })
  const body = {
    ...(kind === 'event' ? { name, event_id: id } : { pvid: id }),
    ...(kind === 'hit' ? { page_url: `https://www.${page}` } : {}),
    engagement_time: engagedSeconds,
    scroll_depth: scroll,
    consent_granted: consent,
    visitor_id: visitorId,
    age: age === 0 ? undefined : age,
  }
  const got = pipeline.send({
    kind,
    body,
    address: addressOf(visitor, choice),
    userAgent: refusal === 'bot' ? 'Googlebot/2.1' : agentOf(visitor),
    headers: refusal === null ? {} : refusalHeaders[refusal],
  })
  return { expected, got: Promise.resolve(got).then(({ outcome }) => outcome), kind, at: pipeline.clock.now }
}

const figures = (rows: any[]): Map<string, PageFigures> => new Map(rows.map(row => [row.page, row]))

/** Nothing here must survive a power cut, and a disk would take most of the time. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const sorted = (value: object): string => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

/** As assert.equal, with the difference in the message. */
const same = (got: object, expected: object, what: string): void => {
  if (sorted(got) !== sorted(expected))
    throw new Error(`${what}\nreceived ${sorted(got)}\nexpected ${sorted(expected)}`)
}

/** Every figure of every day, as the reports return it. */
const compare = async (pipeline: Pipeline, model: Model): Promise<void> => {
  for (const day of model.days()) {
    const { totals } = await pipeline.summary(day)
    const { visitors, sessions, views, bounces, total_duration: seconds } = totals
    same({ visitors, sessions, views, bounces, seconds }, model.day(day), `/summary of ${day}`)
    const hosts = await pipeline.hosts(day)
    same(
      Object.fromEntries(
        hosts.map(({ key, visitors, sessions, views, bounces }: any) => [key, { visitors, sessions, views, bounces }]),
      ),
      Object.fromEntries(model.hosts(day)),
      `/dimensions/host of ${day}`,
    )
    for (const metric of ['sessions', 'views', 'bounces'])
      assert.is(
        hosts.reduce((all: number, row: any) => all + row[metric], 0),
        totals[metric],
        `${metric} of hosts`,
      )
    const got = figures(await pipeline.pages(day))
    const expected = model.pages(day)
    same([...got.keys()].sort(), [...expected.keys()].sort(), `/pages of ${day}`)
    for (const [page, { seconds, timed, scrolled, scrollSum, ...counts }] of expected) {
      const row: any = got.get(page)
      same(
        { ...row, title: null, share: 0 },
        {
          page,
          title: null,
          ...counts,
          total_duration: seconds,
          share: 0,
          avg_time_on_page: timed === 0 ? null : Math.round(seconds / timed),
          avg_scroll_depth: scrolled === 0 ? null : Math.round(scrollSum / scrolled),
        },
        `${page} in /pages of ${day}`,
      )
    }
  }
  const written: Record<string, Record<string, number>> = {}
  for (const { day, outcome, requests } of pipeline.rows('select * from ledger')) {
    const text = String(day).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')
    written[text] = { ...written[text], [outcome]: requests }
  }
  for (const counts of Object.values(written)) {
    const { received, accepted = 0, repeated = 0, trimmed: _, ...refused } = counts
    assert.is(received, accepted + repeated + Object.values(refused).reduce((sum, one) => sum + one, 0))
  }
  for (const [day, counts] of model.ledger) same(written[day] ?? {}, Object.fromEntries(counts), `the ledger of ${day}`)
  assert.is(Object.keys(written).length, model.ledger.size)
}

/** The steps, short enough to read in a failure. */
const story = (todo: readonly Step[]): string =>
  todo
    .map(step =>
      step.do === 'send'
        ? `${step.send.kind} ${Object.entries(step.send)
            .filter(([key, value]) => value !== null && value !== 0 && !['kind', 'who'].includes(key))
            .map(([key, value]) => `${key}=${value}`)
            .join(' ')}`
        : Object.values(step).join(' '),
    )
    .join('\n  ')

const run = async (place: (typeof places)[number], mode: Mode, todo: readonly Step[]): Promise<void> => {
  const folder = mkdtempSync(join(memory, 'footfall-model-'))
  const start = Date.parse(place.start) / 1000
  const pipeline = createPipeline({ folder, zone: place.zone, start })
  const model = createModel(place.zone)
  const calendar = createCalendar(place.zone)
  pipeline.set({ consent_mode: mode })
  const sent: ReturnType<typeof send>[] = []
  const to = (at: number): void => {
    pipeline.jobs()
    pipeline.clock.now = Math.max(at, pipeline.clock.now)
    pipeline.jobs()
  }
  try {
    for (const step of todo) {
      if (step.do === 'wait') to(pipeline.clock.now + step.seconds)
      else if (step.do === 'midnight')
        to(calendar.midnightAfter(pipeline.clock.now + Math.max(0, -step.offset)) + step.offset)
      else if (step.do === 'restart') pipeline.restart()
      else if (step.do === 'flush') pipeline.flush()
      else if (step.do === 'jobs') pipeline.settle()
      else sent.push(send(pipeline, model, mode, step.send, sent.length))
    }
    pipeline.settle()
    for (const [index, { expected, got, kind, at }] of sent.entries())
      assert.is(await got, expected, `the ${index + 1}th request, ${kind} at ${new Date(at * 1000).toISOString()}`)
    await compare(pipeline, model)
    assert.equal(pipeline.drifted(), [], 'days that a rebuild changes')
    assert.equal(pipeline.errors, [])
  } catch (error) {
    throw new Error(
      `${error instanceof Error ? error.message : error}\n${place.zone} from ${place.start}, ${mode}:\n  ${story(todo)}`,
    )
  } finally {
    pipeline.close()
    rmSync(folder, { recursive: true })
  }
}

const scale = Number(process.env.RUNS || 1)
const parameters = (runs: number) => ({
  numRuns: Math.ceil(runs * scale),
  seed,
  reporter,
  interruptAfterTimeLimit: 12_000 * scale,
})
const reporter = <T>(details: fc.RunDetails<T>): void => {
  if (process.env.RUNS) console.log(`${details.numRuns} runs`)
  if (details.failed)
    throw new Error(
      `\nSEED=${details.seed}, after ${details.numRuns} runs: ${details.errorInstance instanceof Error ? details.errorInstance.message : ''}`,
    )
}
const place = fc.constantFrom(...places)

test('visits without ids from a queue: all figures of every day match the model', () =>
  checkAsync(
    fc.asyncProperty(
      place,
      fc.constantFrom<Mode>('cookieless', 'disabled-until-consent'),
      steps({ withAge: false }),
      run,
    ),
    parameters(300),
  ))

test('with records dated back: all figures of every day match the model', () =>
  checkAsync(
    fc.asyncProperty(
      place,
      fc.constantFrom<Mode>('cookieless', 'disabled-until-consent'),
      steps({ withAge: true }),
      run,
    ),
    parameters(300),
  ))

test('with consent to recognition on later days: all figures of every day match the model', () =>
  checkAsync(fc.asyncProperty(place, fc.constant<Mode>('full'), steps({ withAge: false }), run), parameters(200)))

test.run()
