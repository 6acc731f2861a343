import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { quoted } from '../../../src/database/copy-check.ts'
import { copyBeforePath } from '../../../src/database/migrate.ts'
import type { Db } from '../../../src/database/query.ts'
import { newestVersion, versionOf } from '../../../src/database/schema.ts'
import { writeBaseFile } from '../../support/base-file.ts'
import { copyFile, expectIntact, expectSame, type Fixture, inspect, killAfter } from '../fixture.ts'
import { createFile, type Scenario, timed } from './scenario.ts'

/** They write many rows, both to existing tables and to a new one, and make a table again. */
const migrations = [
  `create table visit_copy (id integer primary key, page_id integer not null) strict;
  insert into visit_copy (id, page_id) select id, page_id from view;
  alter table view add column note text;
  update view set note = hex(id) where true;`,
  `create table new_goal (
    id integer primary key autoincrement, name text, kind text, pattern text, threshold integer, property text,
    value_from text, value real, position integer, created_at integer
  ) strict;
  insert into new_goal select * from goal;
  drop table goal;
  alter table new_goal rename to goal;`,
]

/** Bundled with the drill and its test. */
const child = join(process.argv[1] ?? '', '../migrate-child.mjs')

const commandOf = (data: string): string[] => [process.execPath, child, data, ...migrations]

const begin = (data: string) => {
  const [file = '', ...args] = commandOf(data)
  return spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

const migrate = async (data: string): Promise<void> => {
  const [status] = await once(begin(data), 'close')
  expectSame(status, 0, 'the exit code of a migration')
}

/** A digest of the schema and of every row, but for the mark that says that the log is still to be emptied of salts. */
const digestOf = (db: Db): string => {
  const hash = createHash('sha256')
  const tables = db.prepare('select name, type, sql from sqlite_schema order by name').all() as {
    name: string
    type: string
  }[]
  hash.update(JSON.stringify(tables))
  for (const { name } of tables.filter(({ type }) => type === 'table'))
    for (const row of db.prepare(`select * from ${quoted(name)}`).iterate() as Iterable<{ name?: unknown }>)
      if (row.name !== 'salts_in_log') hash.update(JSON.stringify(row))
  return hash.digest('hex')
}

/** @param make returns the path of the old file */
const scenarioOf = (name: string, make: (fixture: Fixture, size: number) => string | Promise<string>): Scenario => ({
  name,
  prepare: async (fixture, random, size) => {
    const old = await make(fixture, size)
    const data = fixture.path('migration.db')
    copyFile(old, data)
    const version = inspect(data, versionOf)
    const copy = copyBeforePath(data, version)
    const usual = await timed(() => migrate(data))
    const [before, after] = [inspect(old, digestOf), inspect(data, digestOf)]
    return async () => {
      copyFile(old, data)
      rmSync(copy, { force: true })
      const killed = await (fixture.powerCut?.(commandOf(data)) ??
        killAfter(begin(data), random.below(Math.ceil(usual * 1.1))))
      expectIntact(data)
      const isOld = inspect(data, versionOf) === version
      expectSame(
        inspect(data, digestOf),
        isOld ? before : after,
        'a killed migration leaves the old file or the new one',
      )
      await migrate(data)
      expectIntact(data)
      expectSame(inspect(data, versionOf), newestVersion() + migrations.length, 'the version of the schema')
      expectSame(inspect(data, digestOf), after, 'a migration that was killed and repeated leaves another file')
      if (existsSync(copy)) expectIntact(copy)
      return Number(killed)
    }
  },
})

export const migrationScenario = scenarioOf('migration', (fixture, size) =>
  createFile(fixture, 'migration-old.db', size),
)

export const baseMigrationScenario = scenarioOf('migration of 0.1.0', ({ path }) => {
  const old = path('migration-base.db')
  writeBaseFile(old)
  return old
})
