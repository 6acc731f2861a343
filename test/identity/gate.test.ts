// The gate before password checks: it slows guessing down, and locks no owner out (api.md §2.2).
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ApiError } from '../../src/http/errors.ts'
import { type Claim, createLoginGate } from '../../src/identity/login-gate.ts'
import { createTestClock } from '../support/identity-service.ts'

const wrong = async (): Promise<null> => null
const right = async (): Promise<'in'> => 'in'

type Outcome = 'in' | 'failed' | number

/** An address for each name, in a network of its own. */
const addressOf = (() => {
  const names: string[] = []
  return (name: string): string => {
    if (!names.includes(name)) names.push(name)
    const index = names.indexOf(name)
    return `198.${18 + (index >> 8)}.${index & 255}.7`
  }
})()

/** A gate on a clock that moves only by its waiting, which is counted. */
const createGate = ({ holds = false } = {}) => {
  const time = createTestClock()
  const waits: number[] = []
  const enter = createLoginGate({
    clock: time.clock,
    wait: async milliseconds => {
      if (holds) await new Promise(() => {})
      waits.push(milliseconds)
      time.pass(milliseconds / 1000)
    },
  })
  const claim = async (given: Claim, check: () => Promise<'in' | null>): Promise<Outcome> => {
    try {
      return (await enter(given, check)) ?? 'failed'
    } catch (error) {
      assert.instance(error, ApiError)
      return error instanceof ApiError ? Number(error.headers['Retry-After']) : 0
    }
  }
  const attempt = (login: string, name: string | null, check: () => Promise<'in' | null>): Promise<Outcome> =>
    claim({ login, address: name === null ? null : addressOf(name) }, check)
  return { ...time, waits, attempt, claim }
}

const times = async (count: number, work: (index: number) => Promise<Outcome>): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  for (let index = 0; index < count; index += 1) outcomes.push(await work(index))
  return outcomes
}

const settle = () => new Promise(resolve => setImmediate(resolve))

test('after ten failures an account is refused at that address for 15 minutes, a right password too', async () => {
  const { attempt, pass } = createGate()
  assert.equal(await times(10, () => attempt('admin', 'a', wrong)), Array(10).fill('failed'))
  assert.is(await attempt('Admin', 'a', wrong), 900)
  pass(100)
  assert.is(await attempt('admin', 'a', right), 800)
  pass(800)
  assert.is(await attempt('admin', 'a', right), 'in')
})

test('meanwhile it is open from another address, and another account from this one', async () => {
  const { attempt } = createGate()
  await times(10, () => attempt('admin', 'a', wrong))
  assert.is(await attempt('admin', 'b', right), 'in')
  assert.is(await attempt('other', 'a', right), 'in')
})

test('a right password forgets the failures before it', async () => {
  const { attempt } = createGate()
  await times(9, () => attempt('admin', 'a', wrong))
  assert.is(await attempt('admin', 'a', right), 'in')
  assert.equal(await times(10, () => attempt('admin', 'a', wrong)), Array(10).fill('failed'))
  assert.is(typeof (await attempt('admin', 'a', wrong)), 'number')
})

test('sent all at once, no more than ten are checked', async () => {
  const { attempt } = createGate()
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => attempt('admin', 'a', wrong)))
  assert.is(outcomes.filter(outcome => outcome === 'failed').length, 10)
})

test('in all, one failure a second: a few pass at once, the others wait', async () => {
  const { attempt, waits } = createGate()
  await times(10, index => attempt('admin', `address ${index}`, wrong))
  assert.equal(waits, [])
  await times(60, index => attempt('admin', `other ${index}`, wrong))
  assert.is(
    waits.reduce((sum, wait) => sum + wait, 0),
    60_000,
  )
})

test('an account waits for nobody at an address from which it has logged in', async () => {
  const { attempt, waits } = createGate({ holds: true })
  assert.is(await attempt('admin', 'home', right), 'in')
  void Promise.all(Array.from({ length: 100 }, (_, index) => attempt(`name ${index}`, `bot ${index}`, wrong)))
  await settle()
  assert.is(await attempt('ADMIN', 'home', right), 'in')
  assert.equal(waits, [])
})

test('the last thousand addresses of logins are remembered', async () => {
  const { attempt, waits } = createGate()
  for (let index = 0; index < 1001; index += 1) await attempt('admin', `home ${index}`, right)
  await times(10, index => attempt('admin', `bot ${index}`, wrong))
  waits.length = 0
  assert.is(await attempt('admin', 'home 1', right), 'in')
  assert.equal(waits, [])
  assert.is(await attempt('admin', 'home 0', right), 'in')
  assert.ok(waits.length > 0, 'the first one is a stranger')
})

test('at most twenty wait; an address that has failed less pushes out one that has failed more', async () => {
  const { attempt } = createGate({ holds: true })
  const outcomes: Outcome[] = []
  const bot = (index: number) => attempt(`name ${index}`, 'bot', wrong).then(outcome => outcomes.push(outcome))
  void Promise.all(Array.from({ length: 20 }, (_, index) => bot(index)))
  await settle()
  assert.equal(outcomes, Array(10).fill('failed'), 'the budget is spent')
  void Promise.all(Array.from({ length: 10 }, (_, index) => bot(20 + index)))
  await settle()
  assert.is(outcomes.length, 10, 'twenty wait')
  await bot(30)
  assert.equal(outcomes.slice(10), [20], 'the next of the same address is refused')
  void attempt('admin', 'home', right)
  await settle()
  assert.equal(outcomes.slice(10), [20, 20], 'and one that waits makes room for the owner')
})

test('of twenty that wait none gives way to one that has failed as often', async () => {
  const { attempt } = createGate({ holds: true })
  const outcomes: [string, Outcome][] = []
  const enter = (name: string) => attempt('admin', name, wrong).then(outcome => outcomes.push([name, outcome]))
  for (const from of [0, 10, 20]) {
    for (let index = from; index < from + 10; index += 1) void enter(`early ${index}`)
    await settle()
  }
  assert.is(outcomes.length, 10, 'the budget is spent')
  void enter('late')
  await settle()
  assert.equal(outcomes.slice(10), [['late', 20]])
})

test('a device waits for nobody at any address, and takes no place of those who wait', async () => {
  const { attempt, claim } = createGate({ holds: true })
  const outcomes: Outcome[] = []
  const bot = (index: number) => attempt('admin', `bot ${index}`, wrong).then(outcome => outcomes.push(outcome))
  void Promise.all(Array.from({ length: 20 }, (_, index) => bot(index)))
  await settle()
  void Promise.all(Array.from({ length: 10 }, (_, index) => bot(20 + index)))
  await settle()
  assert.equal(outcomes, Array(10).fill('failed'), 'the budget is spent, and twenty wait')
  for (let index = 0; index < 5; index += 1)
    assert.is(await claim({ login: 'admin', address: addressOf(`trip ${index}`), device: 'phone' }, right), 'in')
  assert.is(outcomes.length, 10)
})

test('failures of a device count: the next strangers wait for them', async () => {
  const { attempt, claim, waits } = createGate()
  const device = { login: 'admin', address: addressOf('owner'), device: 'phone' }
  assert.equal(await times(10, () => claim(device, wrong)), Array(10).fill('failed'))
  assert.is(await claim(device, right), 900)
  assert.equal(waits, [])
  assert.is(await attempt('admin', 'stranger', wrong), 'failed')
  assert.equal(waits, [1000])
})

/** Which of two that wait comes first, after a stranger's failures from these addresses. */
const first = async (failures: readonly string[], addresses: readonly string[]): Promise<string | undefined> => {
  const { clock, pass } = createTestClock()
  let wake = (): void => {}
  const enter = createLoginGate({ clock, wait: () => new Promise(resolve => (wake = resolve)) })
  for (const address of failures) {
    pass(1)
    await enter({ login: 'admin', address }, wrong)
  }
  // Ten from nowhere near: the budget is spent.
  pass(10)
  for (let index = 0; index < 10; index += 1) await enter({ login: 'x', address: `192.0.${index}.1` }, wrong)
  const entered: string[] = []
  for (const address of addresses)
    void enter({ login: 'admin', address }, async () => {
      entered.push(address)
      return null
    })
  pass(1)
  wake()
  await settle()
  assert.is(entered.length, 1)
  return entered[0]
}

const order: [what: string, failures: string[], addresses: string[]][] = [
  ['a /48 without failures before one with one, from another /64', ['2001:db8:1:1::1'], ['2001:db8:1:2::1', '2a00::1']],
  [
    'one failure in a /48 before two',
    ['2a00::1', '2001:db8:1::1', '2001:db8:1:1::1'],
    ['2001:db8:1:2::1', '2a00:0:0:1::1'],
  ],
  ['a /32 without failures before one with one, from another /48', ['2001:db8:1::1'], ['2001:db8:2::1', '2a00::1']],
  ['an IPv4 address without failures before one with one', ['198.51.100.1'], ['198.51.100.1', '198.51.100.2']],
  [
    'a /24 without failures before one with one, from another address',
    ['198.51.100.1'],
    ['198.51.100.2', '203.0.113.1'],
  ],
  [
    'an own failure before twenty of neighbours',
    ['2a00::1', ...Array.from({ length: 20 }, (_, index) => `2001:db8:1:${index}::1`)],
    ['2001:db8:2::1', '2a00:0:0:1::1'],
  ],
  ['of two alike, the one that came first', [], ['2001:db8::1', '2a00::1']],
]
for (const [what, failures, addresses] of order) {
  test(`comes first: ${what}`, async () => {
    const expected = failures.length === 0 ? addresses[0] : addresses[1]
    assert.is(await first(failures, addresses), expected)
  })
}

test('one address that floods with ever new names makes another one wait a moment at most', async () => {
  const { attempt, waits } = createGate()
  const bots = Array.from({ length: 60 }, (_, index) => attempt(`name ${index}`, 'bot', wrong))
  assert.is(await attempt('admin', 'home', right), 'in')
  assert.ok(waits.length <= 1)
  await Promise.all(bots)
})

test('at most two are checked at a time', async () => {
  const { attempt } = createGate()
  let [running, most] = [0, 0]
  const check = async () => {
    running += 1
    most = Math.max(most, running)
    await settle()
    running -= 1
    return null
  }
  await Promise.all(Array.from({ length: 8 }, (_, index) => attempt('admin', `address ${index}`, check)))
  assert.is(most, 2)
})

test('an address that no proxy names shares no count with strangers', async () => {
  const { attempt } = createGate()
  assert.equal(await times(40, () => attempt('admin', null, wrong)), Array(40).fill('failed'))
  assert.is(await attempt('admin', null, right), 'in')
})

test('a check that breaks is not a failure, and frees its place', async () => {
  const { clock, pass } = createTestClock()
  const enter = createLoginGate({ clock, wait: async milliseconds => pass(milliseconds / 1000) })
  for (let index = 0; index < 12; index += 1) {
    const error = await enter({ login: 'admin', address: addressOf('a') }, () =>
      Promise.reject(new Error('disk')),
    ).catch((thrown: unknown) => thrown)
    assert.is(error instanceof Error ? error.message : '', 'disk')
  }
  assert.is(await enter({ login: 'admin', address: addressOf('a') }, right), 'in')
})

test('a clock that jumps back refuses nobody for longer', async () => {
  const { attempt, pass } = createGate()
  await times(10, () => attempt('admin', 'a', wrong))
  pass(-86_400)
  assert.is(await attempt('admin', 'a', right), 'in')
})

test.run()
