// Goals and funnels from the command line, while the service runs: saved, previewed, listed, removed.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { type Running, start, temporaryFolder } from '../support/program.ts'
import { sendRecord } from '../support/records.ts'
import { firefox } from '../support/service.ts'
import { until } from '../support/wait.ts'

const folder = temporaryFolder()
const data = folder.path('a.db')
let service: Running

const run = (...args: string[]) => footfallHere([...args, '--data', data])
const listed = async (): Promise<unknown> => JSON.parse((await run('funnel', 'list', '--json')).stdout)

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
  // Reports follow a little later.
  await until(async () => assert.match((await run('goal', 'preview', '--event', 'purchase')).stdout, '100.0% of all'))
})
test.after(async () => {
  service.process.kill('SIGTERM')
  await service.ended
  folder.remove()
})

test('a funnel is added, listed as it is written, reported, and removed by its name', async () => {
  assert.match((await run('funnel', 'list')).stderr, /There are no funnels. Add one with 'footfall funnel add/)
  const steps = ['/cart/', '/checkout,/pay', 'event:purchase (plan=pro)']
  assert.is((await run('funnel', 'add', 'Order', ...steps)).stdout, 'Funnel 1 was added.\n')
  assert.is(
    (await run('funnel', 'add', 'At once', '/cart', 'event:purchase', '--strict')).stdout,
    'Funnel 2 was added.\n',
  )
  assert.equal(await listed(), [
    { id: '2', name: 'At once', steps: '/cart > event:purchase', strict: 'yes' },
    { id: '1', name: 'Order', steps: '/cart > /checkout,/pay > event:purchase (plan=pro)', strict: 'no' },
  ])
  const sessions = async (id: number): Promise<number[]> =>
    JSON.parse((await run('report', `funnels/${id}`, '--json')).stdout).data.steps.map((step: any) => step.sessions)
  assert.equal(
    [await sessions(1), await sessions(2)],
    [
      [1, 1, 1],
      [1, 0],
    ],
  )
  assert.is((await run('funnel', 'remove', 'at ONCE')).stdout, 'Funnel 2 was removed.\n')
  const again = await run('funnel', 'remove', 'At once')
  assert.equal(
    [again.status, again.stderr],
    [1, "There is no funnel At once. Run 'footfall funnel list' to see them.\n"],
  )
})

test('a preview counts the last 30 days, and saves nothing', async () => {
  const before = await listed()
  const { steps, conversion } = JSON.parse((await run('funnel', 'preview', '/cart', 'event:purchase', '--json')).stdout)
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
  const told = await run('funnel', 'preview', '/cart', '/help', '/cart')
  assert.match(told.stdout, /1 +\/cart +1\n +2 +\/help +1\n +3 +\/cart +0\n\n[\d-]+ to [\d-]+: 0\.0% came through\.\n/)
  assert.match(
    (await run('goal', 'preview', '--event', 'purchase')).stdout,
    /^1 visit from [\d-]+ to [\d-]+ would have reached it, 100\.0% of all\.\n$/,
  )
  const unknown = await run('goal', 'preview', '--page', '/nowhere')
  assert.equal([unknown.status, unknown.stderr], [0, 'No page fits /nowhere so far.\n'])
  assert.equal(await listed(), before)
  assert.match((await run('goal', 'list')).stderr, /There are no goals/)
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
  test(`footfall funnel ${args.join(' ')} is refused`, async () => {
    const { status, stderr } = await run('funnel', ...args)
    assert.is(status, 2)
    assert.match(stderr, why)
  })

test.run()
