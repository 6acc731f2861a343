import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { leftPatience, littlePatience, patience, until, within } from './wait.ts'

const errorOf = (work: Promise<unknown>): Promise<string> => work.then(String, String)

test('until something has failed, waiting takes as long as on the busiest machine', async () => {
  await until(() => 1)
  await within('a promise', Promise.resolve(1))
  assert.is(leftPatience(), patience)
})

test('waiting ends by itself, with the name of what did not come', async () => {
  const never = new Promise(() => {})
  assert.is(await errorOf(within('the next hit', never, 0.01)), 'Error: Waited 0.01 seconds for the next hit.')
  assert.is(await within('the next hit', Promise.resolve(1)), 1)
})

test('trying ends by itself, with the last error', async () => {
  let tries = 0
  const fail = (): never => {
    throw new Error(`try ${++tries}`)
  }
  assert.match(await errorOf(until(fail, 0.01)), /^Error: try \d+$/)
  assert.is(await until(() => 2), 2)
  assert.is(leftPatience(), littlePatience, 'after a failure')
})

test.run()
