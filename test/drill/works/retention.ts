import { copyFile, expect, expectSame, expectSound } from '../stage.ts'
import { contentOf, killCommand, makeFile, timed, type Work } from './work.ts'

export const retentionWork: Work = {
  name: 'retention',
  prepare: async (stage, dice, size) => {
    const full = await makeFile(stage, 'retention-full.db', size)
    await stage.command('settings', 'set', 'retention_days=30', '--data', full)
    const [whole, data] = [stage.path('retention-whole.db'), stage.path('retention.db')]
    const args = (file: string): string[] => ['cron', 'retention', '--data', file]
    copyFile(full, whole)
    const usual = await timed(() => stage.command(...args(whole)))
    const expected = await contentOf(stage, whole)
    return async () => {
      copyFile(full, data)
      const killed = await killCommand(stage, args(data), usual, dice)
      expectSound(data)
      const text = await stage.command('rebuild', '--data', data)
      expect(text.includes('No figures changed.'), () => `half a purge has changed figures: ${text}`)
      await stage.command(...args(data))
      expectSame(await contentOf(stage, data), expected, 'a purge that was killed and started again gives another file')
      return Number(killed)
    }
  },
}
