import { existsSync, rmSync } from 'node:fs'
import { connect } from '../../../src/database/connect.ts'
import { quoted } from '../../../src/database/copy-check.ts'
import { migrations } from '../../../src/database/migrate.ts'
import { openDatabase } from '../../../src/database/open.ts'
import type { Db } from '../../../src/database/query.ts'
import { copyFile, expectSame, expectSound, look } from '../stage.ts'
import { contentOf, killCommand, makeFile, timed, type Work } from './work.ts'

const columnsOf = (db: Db, table: string): string =>
  (db.prepare(`select name from pragma_table_info('${table}')`).pluck().all() as string[]).map(quoted).join(', ')

/** The same rows in a file of the first schema. */
const age = (data: string, target: string): void => {
  openDatabase(target, { list: migrations.slice(0, 1) }).db.close()
  const db = connect(target)
  db.prepare('attach ? as source').run(data)
  const tables = db
    .prepare("select name from main.sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[]
  db.transaction(() => {
    for (const table of tables) {
      const columns = columnsOf(db, table)
      db.exec(
        `delete from main.${quoted(table)}; insert into main.${quoted(table)} (${columns}) select ${columns} from source.${quoted(table)}`,
      )
    }
  })()
  db.exec('detach source')
  db.close()
}

export const migrationWork: Work = {
  name: 'migration',
  prepare: async (stage, dice, size) => {
    const newest = await makeFile(stage, 'migration-newest.db', size)
    const [old, data] = [stage.path('migration-old.db'), stage.path('migration.db')]
    age(newest, old)
    const copy = `${data}.schema-1`
    const migrate = ['settings', 'get', '--data', data]
    copyFile(old, data)
    const usual = await timed(() => stage.command(...migrate))
    const expected = await contentOf(stage, data)
    return async () => {
      copyFile(old, data)
      rmSync(copy, { force: true })
      const killed = await killCommand(stage, migrate, usual, dice)
      expectSound(data)
      await stage.command(...migrate)
      expectSound(data)
      expectSame(
        look(data, db => db.pragma('user_version', { simple: true })),
        migrations.length,
        'the version of the schema',
      )
      expectSame(
        await contentOf(stage, data),
        expected,
        'a migration that was killed and started again gives another file',
      )
      if (existsSync(copy)) expectSound(copy)
      return Number(killed)
    }
  },
}
