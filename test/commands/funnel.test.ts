// Goals and funnels from the command line, beside a running service: saved, previewed, listed, removed.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfall, start, temporaryFolder, type Running } from '../support/program.ts'
import { firefox } from '../support/service.ts'
import { sendRecord } from '../support/records.ts'

const folder = temporaryFolder()
const data = folder.path('a.db')
let service: Running

const run = (...args: string[]) => footfall([...args, '--data', data])
const listed = (): unknown => JSON.parse(run('funnel', 'list', '--json').stdout)

const send = async (path: string, body: object): Promise<void> => {
  const headers = { 'content-type': 'text/plain', 'user-agent': firefox }
  const { status } = await sendRecord(`${service.url}/analytics/v1/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  assert.is(status, 204)
}

test.before(async () => {
  service = await start(['--data', data])
  for (const page of ['/cart', '/help', '/checkout']) await send('hit', { page_url: page })
  await send('event', { name: 'purchase', properties: { plan: 'pro' } })
})
test.after(async () => {
  service.process.kill('SIGTERM')
  await service.ended
  folder.remove()
})

test('a funnel is added, listed as it is written, reported, and removed by its name', () => {
  assert.match(run('funnel', 'list').stderr, /There are no funnels. Add one with 'footfall funnel add/)
  const steps = ['/cart/', '/checkout,/pay', 'event:purchase (plan=pro)']
  assert.is(run('funnel', 'add', 'Order', ...steps).stdout, 'Funnel 1 was added.\n')
  assert.is(run('funnel', 'add', 'At once', '/cart', 'event:purchase', '--strict').stdout, 'Funnel 2 was added.\n')
  assert.equal(listed(), [
    { id: '2', name: 'At once', steps: '/cart > event:purchase', strict: 'yes' },
    { id: '1', name: 'Order', steps: '/cart > /checkout,/pay > event:purchase (plan=pro)', strict: 'no' },
  ])
  const sessions = (id: number): number[] =>
    JSON.parse(run('report', `funnels/${id}`, '--json').stdout).data.steps.map((step: any) => step.sessions)
  assert.equal(
    [sessions(1), sessions(2)],
    [
      [1, 1, 1],
      [1, 0],
    ],
  )
  assert.is(run('funnel', 'remove', 'at ONCE').stdout, 'Funnel 2 was removed.\n')
  const again = run('funnel', 'remove', 'At once')
  assert.equal(
    [again.status, again.stderr],
    [1, "There is no funnel At once. Run 'footfall funnel list' to see them.\n"],
  )
})

test('a preview counts the last 30 days, and saves nothing', () => {
  const before = listed()
  const { steps, conversion } = JSON.parse(run('funnel', 'preview', '/cart', 'event:purchase', '--json').stdout)
  assert.equal(
    { steps, conversion },
    {
      steps: [
        { step: 1, sessions: 1 },
        { step: 2, sessions: 1 },
      ],
      conversion: 1,
    },
  )
  const told = run('funnel', 'preview', '/cart', '/help', '/cart')
  assert.match(told.stdout, /1 +\/cart +1\n +2 +\/help +1\n +3 +\/cart +0\n\n[\d-]+ to [\d-]+: 0\.0% came through\.\n/)
  assert.match(
    run('goal', 'preview', '--event', 'purchase').stdout,
    /^1 session from [\d-]+ to [\d-]+ would have reached it, 100\.0% of all\.\n$/,
  )
  const unknown = run('goal', 'preview', '--page', '/nowhere')
  assert.equal([unknown.status, unknown.stderr], [0, 'No page fits /nowhere so far.\n'])
  assert.equal(listed(), before)
  assert.match(run('goal', 'list').stderr, /There are no goals/)
})

const refusals: readonly (readonly [args: string[], why: RegExp])[] = [
  [['add', 'One', '/cart'], /A funnel has from 2 to 8 steps/],
  [['add', 'Same', '/cart', '/cart/'], /must not all be the same/],
  [['add', 'Page', '/cart', 'thanks'], /Step 2: A pattern of pages must contain a \//],
  [['add', 'Property', '/cart', 'event:buy (plan)'], /The property of event:buy \(plan\) is written KEY=VALUE/],
  [['add', 'Order', '/cart', '/thanks'], /taken|already/],
  [['preview', '/cart'], /A funnel has from 2 to 8 steps/],
]

for (const [args, why] of refusals)
  test(`footfall funnel ${args.join(' ')} is refused`, () => {
    const { status, stderr } = run('funnel', ...args)
    assert.is(status, 2)
    assert.match(stderr, why)
  })

test.run()
