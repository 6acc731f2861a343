// Users and application passwords from the command line, while the service runs.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { footfallHere } from '../support/command.ts'
import { type Running, start, temporaryFolder } from '../support/program.ts'

const folder = temporaryFolder()
const data = folder.path('a.db')
let service: Running

const run = (line: string, input = '') => footfallHere([...line.split(' '), '--data', data], { input })

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

const rowsOf = async (line: string): Promise<Record<string, string | null>[]> =>
  JSON.parse((await run(`${line} --json`)).stdout)

const apiStatus = async (login: string, password: string, path = '/realtime'): Promise<number> => {
  const headers = { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` }
  return (await fetch(`${service.url}/analytics/v1${path}`, { headers })).status
}

test.before(async () => {
  service = await start(['--data', data])
})
test.after(async () => {
  service.process.kill('SIGTERM')
  await service.ended
  folder.remove()
})

test('user add prints a generated password alone on the last line', async () => {
  const { status, stdout } = await run('user add bob')
  assert.is(status, 0)
  assert.match(lastLine(stdout), /^[A-Za-z0-9]{24}$/)
})

test('user add --password-stdin takes the first line of the standard input and shows no password', async () => {
  const { status, stdout, stderr } = await run(
    'user add carol --role editor --locale de --password-stdin',
    'correct horse\nbattery\n',
  )
  const notice = 'The role editor gives no access to Footfall. To let the user read reports, use --role viewer.\n'
  assert.equal({ status, stdout, stderr }, { status: 0, stdout: "User 'carol' was added.\n", stderr: notice })
})

test('a viewer may read reports with an application password, and nothing says otherwise', async () => {
  const { status, stderr } = await run('user add vera --role viewer --password-stdin', 'correct horse\n')
  assert.equal([status, stderr], [0, ''])
  const password = lastLine((await run('app-password create vera --name reports')).stdout)
  assert.is(await apiStatus('vera', password), 200)
  assert.is(await apiStatus('vera', password, '/settings'), 403)
  assert.match(
    (await run('user change vera --role customer')).stderr,
    /^The role customer gives no access to Footfall\./,
  )
  assert.is(await apiStatus('vera', password), 403)
  await run('user remove vera')
})

test('a user is held to filters, which hold passwords as well, until they are lifted', async () => {
  const held = ['user', 'add', 'hedda', '--role', 'viewer', '--filters', 'device=phone&page=/a', '--data', data]
  assert.is((await footfallHere(held)).status, 0)
  const password = lastLine((await run('app-password create hedda --name reports')).stdout)
  const statuses = async () => [
    await apiStatus('hedda', password, '/pages'),
    await apiStatus('hedda', password, '/realtime'),
  ]
  assert.equal(await statuses(), [200, 403])
  const [row] = (await rowsOf('user list')).filter(({ login }) => login === 'hedda')
  assert.is(row?.filters, 'device=mobile&page=/a')
  const refused = await run('user change hedda --role administrator')
  assert.is(refused.status, 1)
  assert.match(refused.stderr, /An administrator sees all visits/)
  assert.is((await run('user change hedda --filters contry=DE')).status, 2)
  const changed = await run('user change hedda --filters device=tablet')
  assert.is(changed.stdout, "User 'hedda' has the role viewer and the locale en, held to device=tablet.\n")
  assert.equal(await statuses(), [200, 403])
  const lifted = await footfallHere(['user', 'change', 'hedda', '--filters', '', '--data', data])
  assert.is(lifted.stdout, "User 'hedda' has the role viewer and the locale en.\n")
  assert.equal(await statuses(), [200, 200])
  await run('user remove hedda')
})

test('user invite prints the end of a link that makes one user, until it is withdrawn', async () => {
  const accept = async (token: string, login: string): Promise<number> => {
    const body = JSON.stringify({ token, login, password: 'correct horse battery' })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${service.url}/analytics/v1/invitations/accept`, { method: 'POST', headers, body })).status
  }
  const invite = async (name: string): Promise<string> => {
    const { status, stdout } = await run(`user invite ${name} --filters device=phone`)
    assert.is(status, 0)
    return /^#invite=([\w-]{43})$/.exec(lastLine(stdout))?.[1] ?? ''
  }
  const [used, withdrawn] = [await invite('Ida'), await invite('Pia')]
  assert.is(await accept(used, 'ida'), 201)
  const [user] = (await rowsOf('user list')).filter(({ login }) => login === 'ida')
  assert.equal([user?.role, user?.filters], ['viewer', 'device=mobile'])
  const left = await rowsOf('user invitations')
  assert.equal(
    left.map(({ name, role, filters }) => [name, role, filters]),
    [['Pia', 'viewer', 'device=mobile']],
  )
  const gone = await run(`user withdraw ${left[0]?.uuid}`)
  assert.is(gone.stdout, `Invitation ${left[0]?.uuid} was withdrawn.\n`)
  assert.equal([await accept(withdrawn, 'pia'), await accept(used, 'eve')], [404, 404])
  assert.is((await run(`user withdraw ${left[0]?.uuid}`)).status, 1)
  assert.match((await run('user invite Eve --role administrator --filters device=phone')).stderr, /sees all visits/)
  assert.match((await run('user invite Eve --role admin')).stderr, /Did you mean administrator/)
  await run('user remove ida')
})

test('user list shows who there is, for people and for programs', async () => {
  const { stdout } = await run('user list')
  assert.match(
    stdout,
    /^LOGIN +ROLE +LOCALE +FILTERS +CREATED AT\nadmin +administrator +en +- +20\S+Z\nbob +administrator +en .*\ncarol +editor +de /,
  )
  const rows = await rowsOf('user list')
  assert.equal(
    rows.map(({ login }) => login),
    ['admin', 'bob', 'carol'],
  )
  assert.equal(Object.keys(rows[0] ?? {}), ['login', 'role', 'locale', 'filters', 'created_at'])
})

test('user password changes it', async () => {
  assert.match(lastLine((await run('user password bob')).stdout), /^[A-Za-z0-9]{24}$/)
  assert.is(
    (await run('user password carol --password-stdin', 'another horse\n')).stdout,
    "The password of 'carol' was changed.\n",
  )
})

test('user change sets another role or language, and keeps the last administrator', async () => {
  assert.is(
    (await run('user change carol --role administrator --locale fr')).stdout,
    "User 'carol' has the role administrator and the locale fr.\n",
  )
  assert.is(
    (await run('user change CAROL --role editor')).stdout,
    "User 'carol' has the role editor and the locale fr.\n",
  )
  await run('user change bob --role editor')
  const { status, stderr } = await run('user change admin --role editor')
  assert.match(
    stderr,
    "'admin' is the last administrator and cannot be given another role. Add another administrator first.",
  )
  assert.is(status, 1)
})

test('user password logs out everywhere, at once', async () => {
  const logIn = (password: string) =>
    fetch(`${service.url}/analytics/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ login: 'carol', password }),
    })
  const answer = await logIn('another horse')
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  const stays = async (): Promise<number> =>
    (await fetch(`${service.url}/analytics/v1/session`, { headers: { cookie } })).status
  assert.is(await stays(), 200)
  await run('user password carol --password-stdin', 'a third horse\n')
  assert.is(await stays(), 401)
  assert.equal([(await logIn('another horse')).status, (await logIn('a third horse')).status], [401, 200])
})

test('user remove removes, and keeps the last administrator', async () => {
  assert.is((await run('user remove bob')).stdout, "User 'bob' was removed.\n")
  assert.equal(
    (await rowsOf('user list')).map(({ login }) => login),
    ['admin', 'carol'],
  )
  const { status, stderr } = await run('user remove admin')
  assert.match(stderr, "'admin' is the last administrator and cannot be removed")
  assert.is(status, 1)
})

test('an application password works at once, in groups of four, and ends with its revocation', async () => {
  const { status, stdout } = await footfallHere([
    'app-password',
    'create',
    'admin',
    '--name',
    'My dashboard',
    '--data',
    data,
  ])
  const password = lastLine(stdout)
  assert.is(status, 0)
  assert.match(password, /^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/)
  assert.is(await apiStatus('admin', password), 200)

  const [row = {}, ...more] = await rowsOf('app-password list')
  assert.is(more.length, 0)
  assert.equal([row.login, row.name], ['admin', 'My dashboard'])
  assert.match(
    (await run('app-password list admin')).stdout,
    /^UUID +LOGIN +NAME +SCOPES +FILTERS +EXPIRES AT +STATUS +CREATED AT +LAST USED AT +LAST ADDRESS\n\S+ +admin +My dashboard +all +- +- +active /,
  )
  assert.equal(await rowsOf('app-password list carol'), [])

  assert.is((await run(`app-password revoke ${row.uuid}`)).stdout, `Application password ${row.uuid} was revoked.\n`)
  assert.is(await apiStatus('admin', password), 401)
  const { stdout: list, stderr } = await run('app-password list')
  assert.equal(
    { list, stderr },
    {
      list: '',
      stderr: "There are no application passwords. Create one with 'footfall app-password create LOGIN --name NAME'.\n",
    },
  )
})

test('an application password has scopes, filters and an expiry', async () => {
  const limits = ['--scope', 'reports', '--expires', '90d', '--filters', 'page=/a,/b&device=mobile']
  const { stdout } = await footfallHere([
    'app-password',
    'create',
    'admin',
    '--name',
    'Agency',
    ...limits,
    '--data',
    data,
  ])
  assert.is(await apiStatus('admin', lastLine(stdout)), 403)
  await run('app-password create admin --name Shop --scope orders --scope content,metrics')
  const listed = await rowsOf('app-password list')
  const [agency = {}, shop = {}] = ['Agency', 'Shop'].map(called => listed.find(({ name }) => name === called) ?? {})
  const { scopes, filters, expires_at, created_at, status } = agency
  assert.equal([scopes, filters, status], ['reports', 'page=/a,/b&device=mobile', 'active'])
  assert.is(Date.parse(expires_at ?? '') - Date.parse(created_at ?? ''), 90 * 86_400_000)
  assert.equal([shop.scopes, shop.filters, shop.expires_at], ['orders,content,metrics', null, null])
})

const tooEasy =
  /^The password is too easy to guess: it must not be one of the 1,000 most common passwords, nor the login\.\n$/
const refused: [line: string, input: string, status: number, says: RegExp][] = [
  ['user add admin', '', 1, /^The login 'admin' is already in use\.\n$/],
  ['user add dave --password-stdin', 'short\n', 1, /^The password is too short: use at least 8 characters\.\n$/],
  ['user add dave --password-stdin', 'Qwertyuiop\n', 1, tooEasy],
  ['user add grandmother --password-stdin', 'GrandMother\n', 1, tooEasy],
  ['user password admin --password-stdin', '12345678\n', 1, tooEasy],
  ['user add dave --password-stdin', '', 2, /^The first line of standard input is empty; it must be the password\.\n$/],
  ['user add dave --password-stdin', '\nsecond line\n', 2, /^The first line of standard input is empty/],
  ['user add a/b', '', 1, /^'a\/b' is not a valid login: /],
  ['user add dave --role viewr', '', 2, /^'viewr' is not a role\. Did you mean viewer\? The roles are administrator, /],
  ['user add dave --role admin', '', 2, /^'admin' is not a role\. Did you mean administrator\? /],
  ['user add dave --role Chief!', '', 2, /^'Chief!' is not a role\. The roles are administrator, viewer, editor, /],
  ['user add dave --role=', '', 2, /^'' is not a role\. The roles are /],
  ['user add dave --locale x', '', 1, /^'x' is not a valid locale: /],
  ['user password nobody', '', 1, /^There is no user 'nobody'\. Run 'footfall user list' to see all users\.\n$/],
  [
    'user change nobody --role editor',
    '',
    1,
    /^There is no user 'nobody'\. Run 'footfall user list' to see all users\.\n$/,
  ],
  ['user change admin', '', 2, /^Nothing to change: use --role, --locale or --filters\.\n$/],
  ['user change admin --role shop-manager', '', 2, /^'shop-manager' is not a role\. Did you mean shop_manager\? /],
  ['user remove nobody', '', 1, /^There is no user 'nobody'\./],
  ['app-password create nobody --name x', '', 1, /^There is no user 'nobody'\./],
  ['app-password list nobody', '', 1, /^There is no user 'nobody'\./],
  [
    'app-password create admin --name x --scope reports,ordres',
    '',
    2,
    /^'ordres' is not a scope\. Did you mean orders\?/,
  ],
  ['app-password create admin --name x --scope all --scope push', '', 2, /^The scope all includes the others/],
  ['app-password create admin --name x --expires soon', '', 2, /^--expires takes a number of hours, days or weeks/],
  ['app-password create admin --name x --expires 0d', '', 2, /^A password expires in the future/],
  ['app-password create admin --name x --filters country=DE', '', 2, /^Filters hold reports only/],
  ['app-password create admin --name x --scope reports --filters contry=DE', '', 2, /contry/],
  [
    'app-password revoke 1',
    '',
    1,
    /^There is no application password 1\. Run 'footfall app-password list' to see them\.\n$/,
  ],
]

for (const [line, input, status, says] of refused) {
  test(`'footfall ${line}' is refused with a sentence, exit code ${status}`, async () => {
    const result = await run(line, input)
    assert.match(result.stderr, says)
    assert.is(result.stdout, '')
    assert.is(result.status, status)
  })
}

test('without a database there is nothing to change', async () => {
  const { status, stdout, stderr } = await footfallHere(['user', 'list'], {
    env: { FOOTFALL_DATA: folder.path('none.db') },
  })
  assert.is(
    stderr,
    `There is no database ${folder.path('none.db')}. Start 'footfall serve' first, or name the file with --data.\n`,
  )
  assert.is(stdout, '')
  assert.is(status, 1)
})

test('user totp says whether there is a second factor, and --reset removes it', async () => {
  assert.is((await run('user totp carol')).stdout, "User 'carol' has no second factor.\n")
  assert.is((await run('user totp carol --reset')).stdout, "User 'carol' had no second factor.\n")
  const db = connect(data, {})
  const id = db.prepare("select id from user where login = 'carol'").pluck().get()
  db.prepare("insert into user_totp values (?, x'c0ffee', 1773144000, 0)").run(id)
  db.prepare("insert into recovery_code values (x'c0ffee', ?)").run(id)
  assert.is(
    (await run('user totp carol')).stdout,
    "User 'carol' has a second factor since 2026-03-10T12:00:00Z; recovery codes left: 1.\n",
  )
  assert.is((await run('user totp carol --reset')).stdout, "User 'carol' has no second factor any more.\n")
  assert.is(db.prepare('select count(*) from recovery_code').pluck().get(), 0)
  db.close()
  assert.is((await run('user totp nobody')).status, 1)
})

test.run()
