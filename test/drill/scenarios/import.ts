import { existsSync } from 'node:fs'
import { expectIntact, expectSame, removeFile } from '../fixture.ts'
import { contentOf, killCommand, type Scenario, timed, writeRecording } from './scenario.ts'

export const importScenario: Scenario = {
  name: 'import',
  prepare: async (fixture, random, size) => {
    const recording = writeRecording(fixture, size)
    const args = (data: string): string[] => ['import', recording, '--format', 'requests', '--data', data]
    const whole = fixture.path('import-whole.db')
    const usual = await timed(() => fixture.command(...args(whole)))
    const expected = await contentOf(fixture, whole)
    const data = fixture.path('import.db')
    return async () => {
      removeFile(data)
      let kills = 0
      for (let left = 1 + random.below(3); left > 0; left--) {
        if (await killCommand(fixture, args(data), usual, random)) kills += 1
        if (existsSync(data)) expectIntact(data)
      }
      await fixture.command(...args(data))
      expectSame(await contentOf(fixture, data), expected, 'an import that was killed and resumed leaves another file')
      return kills
    }
  },
}
