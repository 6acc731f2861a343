import { setTimeout as wait } from 'node:timers/promises'
import { fillShop, shopKey, startShop } from '../../support/wc-shop.ts'
import type { Running } from '../../support/program.ts'
import { expectSame, expectSound, removeFile, type Api, type Stage } from '../stage.ts'
import { contentOf, type Work } from './work.ts'

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

export const backfillWork: Work = {
  name: 'backfill',
  prepare: async (stage: Stage, dice, size) => {
    const shop = await startShop()
    stage.atEnd(shop.close)
    const orders = Math.ceil(size / 10)
    fillShop(shop, orders, 60)
    const serve = (data: string): Promise<Running> => stage.serve(data, ['--woocommerce-url', shop.url], env)
    const begin = async (data: string): Promise<Running> => {
      const running = await serve(data)
      await (await stage.api(running, data))('/revenue/backfill', {})
      return running
    }
    const finish = async (running: Running, data: string): Promise<string> => {
      expectSame(await finished(await stage.api(running, data)), 'done', 'the import of orders')
      await stop(running)
      return contentOf(stage, data)
    }
    const whole = stage.path('backfill-whole.db')
    const expected = await finish(await begin(whole), whole)
    const requests = shop.seen.length
    /** Waits for a request of the import; false if that ends before. */
    const asked = async (api: Api, count: number): Promise<boolean> => {
      while (shop.seen.length < count) {
        if ((await api('/revenue/wc-status')).data.backfill.state === 'done') return false
        await wait(2)
      }
      return true
    }
    let number = 0
    return async () => {
      const data = stage.path(`backfill-${(number += 1)}.db`)
      let running = await begin(data)
      let kills = 0
      for (let left = 1 + dice.below(3); left > 0; left--) {
        if (await asked(await stage.api(running, data), shop.seen.length + dice.below(Math.ceil(requests / 2))))
          kills += 1
        running.process.kill('SIGKILL')
        await running.ended
        expectSound(data)
        running = await serve(data)
      }
      expectSame(await finish(running, data), expected, 'an import of orders that was killed gives another file')
      removeFile(data)
      return kills
    }
  },
}
