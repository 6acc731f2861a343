import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { copyFile, expect, expectIntact, expectSame } from '../fixture.ts'
import { contentOf, createFile, killCommand, type Scenario, timed } from './scenario.ts'

export const backupScenario: Scenario = {
  name: 'backup',
  prepare: async (fixture, random, size) => {
    const [present, past] = [
      await createFile(fixture, 'backup-present.db', size),
      await createFile(fixture, 'backup-past.db', Math.ceil(size / 2)),
    ]
    const [old, copy] = [fixture.path('backup-old.db'), fixture.path('backup.db')]
    await fixture.command('backup', old, '--data', past)
    const args = ['backup', copy, '--force', '--data', present]
    copyFile(old, copy)
    const usual = await timed(() => fixture.command(...args))
    const either = [await contentOf(fixture, old), await contentOf(fixture, copy)]
    return async () => {
      copyFile(old, copy)
      const killed = await killCommand(fixture, args, usual, random)
      expectIntact(copy)
      expectIntact(present)
      const content = await contentOf(fixture, copy)
      expect(either.includes(content), () => 'a backup that was killed left neither the old copy nor the new one')
      await fixture.command(...args)
      expectSame(await contentOf(fixture, copy), either[1], 'the backup after a kill')
      const drafts = readdirSync(dirname(copy)).filter(name => name.includes('.partial-'))
      expectSame(drafts, [], 'partial files are left')
      return Number(killed)
    }
  },
}
