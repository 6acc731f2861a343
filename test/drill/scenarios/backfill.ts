import { setTimeout as wait } from 'node:timers/promises'
import type { Running } from '../../support/program.ts'
import { fillShop, shopKey, startShop } from '../../support/wc-shop.ts'
import { type Api, expectIntact, expectSame, type Fixture, removeFile } from '../fixture.ts'
import { contentOf, type Scenario } from './scenario.ts'

const env = { FOOTFALL_WOOCOMMERCE_KEY: shopKey.key, FOOTFALL_WOOCOMMERCE_SECRET: shopKey.secret }

const finished = async (api: Api): Promise<string> => {
  for (;;) {
    const {
      data: {
        backfill: { state },
      },
    } = await api('/revenue/wc-status')
    if (state !== 'running' && state !== 'pending') return state
    await wait(50)
  }
}

const stop = async ({ process: child, ended }: Running): Promise<void> => {
  child.kill('SIGTERM')
  expectSame(await ended, 0, 'the stop')
}

export const backfillScenario: Scenario = {
  name: 'backfill',
  prepare: async (fixture: Fixture, random, size) => {
    const shop = await startShop()
    fixture.onRemove(shop.close)
    const orders = Math.ceil(size / 10)
    fillShop(shop, orders, 60)
    const serve = (data: string): Promise<Running> => fixture.serve(data, ['--woocommerce-url', shop.url], env)
    const begin = async (data: string): Promise<Running> => {
      const running = await serve(data)
      await (await fixture.api(running, data))('/revenue/backfill', {})
      return running
    }
    const finish = async (running: Running, data: string): Promise<string> => {
      expectSame(await finished(await fixture.api(running, data)), 'done', 'the import of orders')
      await stop(running)
      return contentOf(fixture, data)
    }
    const whole = fixture.path('backfill-whole.db')
    const expected = await finish(await begin(whole), whole)
    const requests = shop.seen.length
    /** Waits until the import has sent this many requests. Resolves with false if it ends before. */
    const waitForRequests = async (api: Api, count: number): Promise<boolean> => {
      while (shop.seen.length < count) {
        if ((await api('/revenue/wc-status')).data.backfill.state === 'done') return false
        await wait(2)
      }
      return true
    }
    let number = 0
    return async () => {
      const data = fixture.path(`backfill-${(number += 1)}.db`)
      let running = await begin(data)
      let kills = 0
      for (let left = 1 + random.below(3); left > 0; left--) {
        if (
          await waitForRequests(
            await fixture.api(running, data),
            shop.seen.length + random.below(Math.ceil(requests / 2)),
          )
        )
          kills += 1
        running.process.kill('SIGKILL')
        await running.ended
        expectIntact(data)
        running = await serve(data)
      }
      expectSame(await finish(running, data), expected, 'an interrupted import of orders leaves another file')
      removeFile(data)
      return kills
    }
  },
}
