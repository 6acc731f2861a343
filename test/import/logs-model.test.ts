// Random requests, written out as servers log them, count as the rules of test/model/rules.ts have it.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { host, type LogForm, logForms, type Request } from '../model/foreign/access-logs.ts'
import { now, zones } from '../model/histories.ts'
import { createModel } from '../model/rules.ts'
import { addressOf, agentOf, visitors } from '../model/traffic.ts'
import { withFolder } from '../support/folder.ts'
import { daysOf, movingInto, rowsOf } from '../support/moving.ts'
import { checkAsync } from '../support/property.ts'

/** More of them with RUNS=10. */
const scale = Number(process.env.RUNS || 1)

/** Targets, the pages that they are, and whether they are one by their path alone, where the log has no type. */
const targets = [
  ['/', '/', true],
  ['/a?x=1', '/a', true],
  ['/b/c/', '/b/c', true],
  // Clients that encode nothing send it as it is.
  ['/über-uns', '/über-uns', true],
  ['/index.php', '/index.php', true],
  ['/photo.html.jpg', '/photo.html.jpg', false],
  ['/xmlrpc.php', null, false],
  ['/feed', '/feed', false],
  ['/blog/feed/', '/blog/feed', false],
  ['/wp-json/x', null, false],
] as const

type Step = Omit<Request, 'at' | 'path' | 'ip' | 'agent'> & {
  pause: number
  visitor: number
  choice: number
  target: number
  isBot: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  pause: fc.constantFrom(0, 0, 1, 20, 600, 1799, 1800, 1801, 5400),
  visitor: fc.nat(visitors.length - 1),
  choice: fc.nat(5),
  target: fc.oneof(fc.nat(4), fc.nat(targets.length - 1)),
  method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'POST', 'HEAD'),
  status: fc.constantFrom(200, 200, 200, 304, 301, 404, 500),
  type: fc.constantFrom('text/html; charset=utf-8', 'application/xhtml+xml', 'application/json', 'image/jpeg'),
  referrer: fc.constantFrom('', 'https://www.google.com/', 'https://blog.example.net/a"b\\c'),
  dnt: fc.constantFrom(false, false, false, true),
  gpc: fc.constantFrom(false, false, false, true),
  isBot: fc.constantFrom(false, false, false, false, true),
})

const start = Date.parse('2026-03-28T21:30:00Z') / 1000

/** The page of a request that counts; null for one that is skipped. */
const pageOf = (form: LogForm, { method, status, type }: Request, target: number): string | null => {
  const [, page, isByPath] = targets[target] ?? targets[0]
  if (method !== 'GET' || (status !== 200 && status !== 304)) return null
  if (!form.isRich) return isByPath ? page : null
  return type.startsWith('text/html') || type.startsWith('application/xhtml') ? page : null
}

const counted = (stdout: string): Record<string, number> =>
  Object.fromEntries(
    [...stdout.matchAll(/^ *([\d,]+) {2}(accepted|dnt|gpc|bot|skipped|imported before)\b/gm)].map(
      ([, count = '', what = '']) => [what, Number(count.replaceAll(',', ''))],
    ),
  )

for (const form of logForms)
  test(`${form.title}: requests for pages count as they would have live`, () =>
    checkAsync(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
        fc.constantFrom(...zones),
        fc.nat(40),
        (steps, zone, cut) =>
          withFolder(async folder => {
            const moving = movingInto(folder)
            const model = createModel(zone)
            const expected: Record<string, number> = {}
            const lines: string[] = []
            let at = start
            for (const [index, { pause, visitor, choice, target, isBot, ...given }] of steps.entries()) {
              at += pause
              const [path] = targets[target] ?? targets[0]
              const agent = isBot ? 'Googlebot/2.1' : agentOf(visitor)
              const request: Request = { ...given, at, path, ip: addressOf(visitor, choice), agent }
              if (!form.has(request)) continue
              lines.push(form.line(request, index))
              const page = pageOf(form, request, target)
              const refusal = isBot ? 'bot' : form.isRich && given.gpc ? 'gpc' : form.isRich && given.dnt ? 'dnt' : null
              const outcome =
                page === null
                  ? 'skipped'
                  : model.take({
                      kind: 'hit',
                      at,
                      who: `network ${visitor === 1 ? 0 : visitor} agent ${visitor}`,
                      mode: 'cookieless',
                      refusal,
                      consent: null,
                      visitorId: null,
                      age: 0,
                      page: `${host}${page}`,
                      id: null,
                      name: '',
                      engagedSeconds: null,
                      scroll: null,
                    })
              expected[outcome] = (expected[outcome] ?? 0) + 1
            }
            if (lines.length === 0) return
            const flags = ['--format', 'access-log', '--site-url', `https://${host}`, '--timezone', zone]
            const take = (path: string, data: string) => moving.run(['import', path, ...flags, '--data', data], now)
            const whole = moving.write('access.log', `${lines.join('\n')}\n`)
            const { status, stdout, stderr } = await take(whole, moving.data)
            // An import of which everything was refused for one reason says so.
            const [reason = '', ...others] = Object.keys(expected).filter(what => what !== 'skipped')
            if (others.length === 0 && ['bot', 'dnt', 'gpc'].includes(reason)) {
              assert.is(status, 1)
              assert.match(stderr, `all ${expected[reason]} requests were refused as ${reason}`)
            } else {
              assert.equal([status, stderr], [0, ''])
            }
            assert.equal(Object.entries(counted(stdout)).sort(), Object.entries(expected).sort())
            for (const day of model.days()) {
              const { visitors, sessions, views, bounces, seconds } = model.day(day)
              assert.equal((await daysOf(moving, day, day))[0], [visitors, sessions, views, bounces, seconds], day)
              const pages = rowsOf(await moving.report('pages?limit=100&by=host', day, day))
              assert.equal(
                pages.map(row => [row.page, row.views, row.sessions, row.entries, row.exits, row.bounces]).sort(),
                [...model.pages(day)]
                  .map(([page, row]) => [page, row.views, row.sessions, row.entries, row.exits, row.bounces])
                  .sort(),
                `pages of ${day}`,
              )
            }
            // A log that has grown: only the new lines count.
            const grown = `${folder}/grown.db`
            const part = lines.slice(0, cut)
            if (part.length === 0 || part.length === lines.length) return
            const before = counted((await take(moving.write('part.log', `${part.join('\n')}\n`), grown)).stdout)
            const after = counted((await take(whole, grown)).stdout)
            assert.is(after['imported before'], part.length)
            for (const what of ['accepted', 'skipped', 'bot', 'dnt', 'gpc'])
              assert.is((before[what] ?? 0) + (after[what] ?? 0), expected[what] ?? 0, what)
          }),
      ),
      { numRuns: Math.ceil(16 * scale) },
    ))

for (const [late, isTaken] of [
  [599, true],
  [600, true],
  [601, false],
] as const)
  test(`a line ${late} seconds late ${isTaken ? 'counts' : 'refuses the log'}`, () =>
    withFolder(async folder => {
      const moving = movingInto(folder)
      const [form] = logForms
      const lines = [start, start - late].map((at, index) =>
        form?.line(
          {
            at,
            ip: '203.0.113.7',
            agent: agentOf(0),
            method: 'GET',
            status: 200,
            path: '/',
            type: '',
            referrer: '',
            dnt: false,
            gpc: false,
          },
          index,
        ),
      )
      const path = moving.write('late.log', `${lines.join('\n')}\n`)
      const { status, stdout, stderr } = await moving.take(path, '--format', 'access-log')
      assert.is(status, isTaken ? 0 : 1, stderr)
      if (isTaken) assert.is(counted(stdout).accepted, 2)
      else assert.match(stderr, /Line 2 is earlier than a line before it/)
    }))

test.run()
