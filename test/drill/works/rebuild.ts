import { connect } from '../../../src/database/connect.ts'
import { copyFile, expectSame, expectSound } from '../stage.ts'
import { contentOf, killCommand, makeFile, timed, type Work } from './work.ts'

/** Rollups that are wrong on every day, so that there is something to derive. */
const spoil = (data: string): void => {
  const db = connect(data)
  db.exec(
    'update site_day set views = views + 1; update page_rollup set views = views + 1; delete from event_rollup where true',
  )
  db.close()
}

export const rebuildWork: Work = {
  name: 'rebuild',
  prepare: async (stage, dice, size) => {
    const right = await makeFile(stage, 'rebuild-right.db', size)
    const expected = await contentOf(stage, right)
    const [spoiled, data] = [stage.path('rebuild-spoiled.db'), stage.path('rebuild.db')]
    copyFile(right, spoiled)
    spoil(spoiled)
    copyFile(spoiled, data)
    const args = ['rebuild', '--data', data]
    const usual = await timed(() => stage.command(...args))
    return async () => {
      copyFile(spoiled, data)
      const killed = await killCommand(stage, args, usual, dice)
      expectSound(data)
      await stage.command(...args)
      expectSame(
        await contentOf(stage, data),
        expected,
        'a rebuild that was killed and started again gives other figures',
      )
      return Number(killed)
    }
  },
}
