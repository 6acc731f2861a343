// Share links from the command line, while the service runs.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { type Running, start, temporaryFolder } from '../support/program.ts'

const folder = temporaryFolder()
const data = folder.path('a.db')
let service: Running

const run = (args: readonly string[], input = '') => footfallHere(['share-link', ...args, '--data', data], { input })
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''
const rows = async (): Promise<Record<string, string | null>[]> => JSON.parse((await run(['list', '--json'])).stdout)

const open = async (token: string, password?: string): Promise<{ status: number; body: any }> => {
  const answer = await fetch(`${service.url}/analytics/v1/share-links/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, password }),
  })
  return { status: answer.status, body: await answer.json() }
}

test.before(async () => {
  service = await start(['--data', data])
})
test.after(async () => {
  service.process.kill('SIGTERM')
  await service.ended
  folder.remove()
})

test('a link is created, opens, is shown again, and ends with its revocation', async () => {
  assert.match(
    (await run(['list'])).stderr,
    /^There are no share links\. Create one with 'footfall share-link create NAME'\.\n$/,
  )
  const made = await run(['create', 'For the board', '--filters', 'country=DE&device=mobile', '--expires', '90d'])
  assert.is(made.status, 0, made.stderr)
  assert.match(made.stderr, /^Append this to the dashboard's address/)
  const link = lastLine(made.stdout)
  assert.match(link, /^#share=[\w-]{24}$/)
  const token = link.slice('#share='.length)
  const { start: begun, ...opened } = (await open(token)).body
  assert.is(begun.first_day, null)
  assert.equal(opened, {
    name: 'For the board',
    filters: { country: 'DE', device: 'mobile' },
    segment: null,
    annotations: false,
    goals: false,
    key: null,
  })
  const [row] = await rows()
  assert.equal(
    [row?.name, row?.filters, row?.password, row?.status],
    ['For the board', 'country=DE&device=mobile', 'no', 'active'],
  )
  const uuid = row?.uuid ?? ''
  assert.is(lastLine((await run(['show', uuid])).stdout), link)
  assert.is((await run(['revoke', uuid])).stdout, `Share link ${uuid} was revoked.\n`)
  assert.is((await open(token)).status, 404)
  for (const command of ['show', 'revoke']) {
    const { status, stderr } = await run([command, uuid])
    assert.equal([status, stderr], [1, `There is no share link ${uuid}. Run 'footfall share-link list' to see them.\n`])
  }
})

test('a password comes from the standard input', async () => {
  const { stdout } = await run(['create', 'Guarded', '--annotations', '--password-stdin'], 'between us only\n')
  const token = lastLine(stdout).slice('#share='.length)
  assert.equal([(await open(token)).status, (await open(token, 'between us only')).status], [401, 200])
  assert.equal(
    (await rows()).map(({ annotations, password, expires_at }) => [annotations, password, expires_at]),
    [['yes', 'yes', null]],
  )
})

test('a link says whether it shows goals and annotations', async () => {
  const { stdout } = await run(['create', 'With goals', '--goals'])
  const { body } = await open(lastLine(stdout).slice('#share='.length))
  assert.equal([body.goals, body.annotations], [true, false])
  const row = (await rows()).find(({ name }) => name === 'With goals')
  assert.equal([row?.goals, row?.annotations], ['yes', 'no'])
  assert.is((await run(['revoke', row?.uuid ?? ''])).status, 0)
})

const refused: [args: string[], input: string, says: RegExp][] = [
  [['create', 'x', '--expires', 'soon'], '', /^--expires: 'soon' is not a time: use 12h, 90d or 52w, /],
  [['create', 'x', '--expires', '2020-01-01'], '', /^--expires: '2020-01-01' is in the past\.\n$/],
  [['create', 'x', '--filters', 'device=fridge'], '', /device/],
  [['create', 'x', '--filters', 'colour=red'], '', /colour/],
  [['create', 'x', '--password-stdin'], 'short\n', /^The password is too short/],
  [['create', ' x'], '', /^The name has 1 to 100 characters/],
]
for (const [args, input, says] of refused)
  test(`share-link ${args.join(' ')} is refused`, async () => {
    const before = (await rows()).length
    const { status, stdout, stderr } = await run(args, input)
    assert.match(stderr, says)
    assert.equal([status, stdout, (await rows()).length], [2, '', before])
  })

test.run()
