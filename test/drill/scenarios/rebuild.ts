import { connect } from '../../../src/database/connect.ts'
import { copyFile, expectIntact, expectSame } from '../fixture.ts'
import { contentOf, createFile, killCommand, type Scenario, timed } from './scenario.ts'

/** Makes the rollups of every day wrong, so that all are rebuilt. */
const corrupt = (data: string): void => {
  const db = connect(data)
  db.exec(
    'update site_day set views = views + 1; update page_rollup set views = views + 1; delete from event_rollup where true',
  )
  db.close()
}

export const rebuildScenario: Scenario = {
  name: 'rebuild',
  prepare: async (fixture, random, size) => {
    const intact = await createFile(fixture, 'rebuild-intact.db', size)
    const expected = await contentOf(fixture, intact)
    const [corrupted, data] = [fixture.path('rebuild-corrupted.db'), fixture.path('rebuild.db')]
    copyFile(intact, corrupted)
    corrupt(corrupted)
    copyFile(corrupted, data)
    const args = ['rebuild', '--data', data]
    const usual = await timed(() => fixture.command(...args))
    return async () => {
      copyFile(corrupted, data)
      const killed = await killCommand(fixture, args, usual, random)
      expectIntact(data)
      await fixture.command(...args)
      expectSame(
        await contentOf(fixture, data),
        expected,
        'a rebuild that was killed and repeated leads to other figures',
      )
      return Number(killed)
    }
  },
}
