import { readdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { copyFile, expect, expectIntact, expectSame } from '../fixture.ts'
import { contentOf, createFile, killCommand, type Scenario, timed } from './scenario.ts'

/** Files of a restore next to the database: replaced databases, or partial ones that a kill left. */
const siblings = (data: string, kind: string): string[] =>
  readdirSync(dirname(data))
    .filter(name => name.includes(`restore.db.${kind}`))
    .map(name => `${dirname(data)}/${name}`)

export const restoreScenario: Scenario = {
  name: 'restore',
  prepare: async (fixture, random, size) => {
    const [present, past] = [
      await createFile(fixture, 'restore-present.db', size),
      await createFile(fixture, 'restore-past.db', Math.ceil(size / 2)),
    ]
    const [copy, data] = [fixture.path('restore-copy.db'), fixture.path('restore.db')]
    await fixture.command('backup', copy, '--data', past)
    const either = [await contentOf(fixture, present), await contentOf(fixture, past)]
    const args = ['restore', copy, '--data', data]
    copyFile(present, data)
    const usual = await timed(() => fixture.command(...args))
    return async () => {
      copyFile(present, data)
      const killed = await killCommand(fixture, args, usual, random)
      expectIntact(data)
      const content = await contentOf(fixture, data)
      expect(either.includes(content), () => 'a restore that was killed left neither the old file nor the new one')
      // The name of a replaced file contains the time in seconds.
      await wait(1000)
      await fixture.command(...args)
      expectSame(await contentOf(fixture, data), either[1], 'the restore after a kill')
      expectSame(siblings(data, 'partial-'), [], 'partial files are left')
      for (const path of siblings(data, 'replaced-')) rmSync(path)
      return Number(killed)
    }
  },
}
