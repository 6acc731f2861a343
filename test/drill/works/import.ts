import { contentOf, killCommand, timed, writeRecording, type Work } from './work.ts'
import { expectSame, expectSound, removeFile } from '../stage.ts'
import { existsSync } from 'node:fs'

export const importWork: Work = {
  name: 'import',
  prepare: async (stage, dice, size) => {
    const recording = writeRecording(stage, size)
    const args = (data: string): string[] => ['import', recording, '--format', 'requests', '--data', data]
    const whole = stage.path('import-whole.db')
    const usual = await timed(() => stage.command(...args(whole)))
    const expected = await contentOf(stage, whole)
    const data = stage.path('import.db')
    return async () => {
      removeFile(data)
      let kills = 0
      for (let left = 1 + dice.below(3); left > 0; left--) {
        if (await killCommand(stage, args(data), usual, dice)) kills += 1
        if (existsSync(data)) expectSound(data)
      }
      await stage.command(...args(data))
      expectSame(await contentOf(stage, data), expected, 'an import that was killed and went on gives another file')
      return kills
    }
  },
}
