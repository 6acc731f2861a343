import { readdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { copyFile, expect, expectSame, expectSound } from '../stage.ts'
import { contentOf, killCommand, makeFile, timed, type Work } from './work.ts'

/** What a restore puts beside the file: the one that was replaced, and a draft that a kill has left. */
const beside = (data: string, what: string): string[] =>
  readdirSync(dirname(data))
    .filter(name => name.includes(`restore.db.${what}`))
    .map(name => `${dirname(data)}/${name}`)

export const restoreWork: Work = {
  name: 'restore',
  prepare: async (stage, dice, size) => {
    const [present, past] = [
      await makeFile(stage, 'restore-present.db', size),
      await makeFile(stage, 'restore-past.db', Math.ceil(size / 2)),
    ]
    const [copy, data] = [stage.path('restore-copy.db'), stage.path('restore.db')]
    await stage.command('backup', copy, '--data', past)
    const either = [await contentOf(stage, present), await contentOf(stage, past)]
    const args = ['restore', copy, '--data', data]
    copyFile(present, data)
    const usual = await timed(() => stage.command(...args))
    return async () => {
      copyFile(present, data)
      const killed = await killCommand(stage, args, usual, dice)
      expectSound(data)
      const content = await contentOf(stage, data)
      expect(either.includes(content), () => 'a restore that was killed left neither the old file nor the new one')
      // Each replaced file is named by its second.
      await wait(1000)
      await stage.command(...args)
      expectSame(await contentOf(stage, data), either[1], 'the restore that came after a kill')
      expectSame(beside(data, 'partial-'), [], 'drafts are left')
      for (const path of beside(data, 'replaced-')) rmSync(path)
      return Number(killed)
    }
  },
}
