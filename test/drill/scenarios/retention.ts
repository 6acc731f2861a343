import { openReadOnly } from '../../../src/database/open.ts'
import { copyFile, expect, expectIntact, expectSame } from '../fixture.ts'
import { contentOf, createFile, killCommand, type Scenario, timed } from './scenario.ts'

/** How many texts the file holds. */
const textsOf = (file: string): unknown => {
  const db = openReadOnly(file)
  try {
    return db.prepare('select count(*) from label').pluck().get()
  } finally {
    db.close()
  }
}

export const retentionScenario: Scenario = {
  name: 'retention',
  prepare: async (fixture, random, size) => {
    const full = await createFile(fixture, 'retention-full.db', size)
    await fixture.command('settings', 'set', 'retention_days=30', '--data', full)
    const [whole, data] = [fixture.path('retention-whole.db'), fixture.path('retention.db')]
    const args = (file: string): string[] => ['cron', 'retention', '--data', file]
    copyFile(full, whole)
    const usual = await timed(() => fixture.command(...args(whole)))
    const expected = await contentOf(fixture, whole)
    const texts = textsOf(whole)
    return async () => {
      copyFile(full, data)
      const killed = await killCommand(fixture, args(data), usual, random)
      expectIntact(data)
      const text = await fixture.command('rebuild', '--data', data)
      expect(text.includes('No figures changed.'), () => `an interrupted purge changed figures: ${text}`)
      await fixture.command(...args(data))
      expectSame(await contentOf(fixture, data), expected, 'a purge that was killed and repeated leaves another file')
      expect(textsOf(data) === texts, () => `a purge that was killed leaves ${textsOf(data)} texts, not ${texts}`)
      return Number(killed)
    }
  },
}
