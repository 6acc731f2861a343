import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until, within } from './wait.ts'

const errorOf = (work: Promise<unknown>): Promise<string> => work.then(String, String)

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
})

test.run()
