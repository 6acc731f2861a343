// Checks every statement of src/sql against the schema of a fresh file: its parameters, its columns and its plan.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createNamedLabels } from '../../src/database/named-labels.ts'
import { openDatabase } from '../../src/database/open.ts'
import { type Db, type Query, queries } from '../../src/database/query.ts'
import { createTempTables } from '../../src/rollup/derive.ts'
import { visitGroups, visitTable } from '../../src/rollup/statements.ts'
import { rollupTables } from '../../src/rollup/tables.ts'
import '../../src/reports/segment-reader.ts'
import '../../src/commands.ts'
import { createSelectedOrders } from '../../src/shop/selected-orders.ts'
import { withFolder } from '../support/folder.ts'
import { holdGolden } from '../support/golden.ts'
import { sqlFiles, statement, statementTexts } from '../support/statements.ts'

/**
 * A fresh file as the program's connections see it, and as that of segments does, where temporary tables take the place
 * of the file's.
 */
const open = (folder: string): { plain: Db; segment: Db; close: () => void } => {
  const [plain, segment] = [openDatabase(join(folder, 'test.db')).db, openDatabase(join(folder, 'test.db')).db]
  for (const db of [plain, segment]) {
    createTempTables(db)
    createNamedLabels(db)
    for (const name of [
      'period.tables',
      'erasure.begin.script',
      'sweep.begin.script',
      'import.stage.script',
      'archive.older.begin.script',
    ])
      db.exec(statement(name))
  }
  segment.exec(statement('segment.tables'))
  createSelectedOrders(segment)
  return { plain, segment, close: () => [plain, segment].forEach(db => db.close()) }
}
const ofSegments = /^segment\./

/** Of two statements with the same text the first by name. */
const names = new Map([...statementTexts].reverse().map(([name, sql]) => [sql, name]))
const nameOf = ({ sql, name }: Query): string => name ?? names.get(sql) ?? 'unknown'

/**
 * A script (a name that ends in `.script`) is several statements without parameters, each ended by a semicolon at the
 * end of its line.
 */
const scripts = [...statementTexts]
  .filter(([name]) => name.endsWith('.script'))
  .map(([name, text]) => ({ name, statements: text.split(/;$/m).filter(part => part.trim() !== '') }))

const named = (text: string): string[] =>
  [...new Set([...text.replace(/--.*$/gm, '').matchAll(/@(\w+)/g)].map(match => match[1] ?? ''))].sort()

/** Statements that are made from the data of src/rollup/tables.ts. */
const made = queries.filter(({ name }) => name !== undefined)

test('every query is a statement of src/sql, or is made from the rollup tables', () => {
  assert.equal(
    queries.filter(query => nameOf(query) === 'unknown').map(({ sql }) => sql),
    [],
  )
  assert.equal(new Set(made.map(nameOf)).size, made.length)
  assert.equal(
    made
      .filter(query => !/^(rollup|archive\.rollup)/.test(nameOf(query)) || statementTexts.has(nameOf(query)))
      .map(nameOf),
    [],
  )
})

test('every statement takes the parameters that its schema names, and returns the columns of its rows', () =>
  withFolder(path => {
    const { plain, segment, close } = open(path)
    for (const query of queries) {
      const statement = (ofSegments.test(nameOf(query)) ? segment : plain).prepare(query.sql)
      assert.equal(named(query.sql), Object.keys(query.params.entries).sort(), nameOf(query))
      const columns = statement.reader ? statement.columns().map(column => column.name) : []
      assert.equal(columns.sort(), Object.keys(query.row.entries).sort(), nameOf(query))
    }
    close()
  }))

test('every statement of a script prepares, takes no parameters and returns no rows', () =>
  withFolder(path => {
    const { plain, close } = open(path)
    for (const { name, statements } of scripts)
      for (const sql of statements) {
        assert.is(plain.prepare(sql).reader, false, name)
        assert.equal(named(sql), [], name)
      }
    close()
  }))

test('a first line says what one row of a reading statement is', () => {
  const silent = [...statementTexts].filter(([, text]) => /^\s*(with|select)\b/.test(text))
  assert.equal(
    silent.map(([name]) => name),
    [],
  )
})

/** The table that a column of this name refers to. */
const referred: Readonly<Record<string, string>> = {
  title_id: 'label',
  screen_id: 'label',
  language_id: 'label',
  name_id: 'label',
  key_id: 'label',
  value_id: 'label',
  campaign_id: 'campaign',
  client_id: 'client',
  entry_page_id: 'page',
  event_id: 'event',
  exit_page_id: 'page',
  funnel_id: 'funnel',
  goal_id: 'goal',
  host_id: 'host',
  import_id: 'import',
  landing_page_id: 'page',
  last_event_id: 'event',
  order_id: 'shop_order',
  origin_id: 'origin',
  page_id: 'page',
  place_id: 'place',
  product_id: 'shop_product',
  rekeyed_visitor_id: 'visitor',
  resource_id: 'the CMS',
  session_id: 'session',
  user_id: 'user',
  variation_id: 'shop_product',
  view_id: 'view',
  visitor_id: 'visitor',
}
/** What goes with its labels: it does not keep them. */
const keptByOthers = ['event_key', 'event_value']

test('the view of named labels has every column that refers to a label', () =>
  withFolder(path => {
    const { plain, close } = open(path)
    const columns = plain
      .prepare(
        `select t.name as "table", c.name as "column"
        from pragma_table_list t
        join pragma_table_info(t.name) c
        where t.schema = 'main' and t.type = 'table' and c.name glob '*_id'`,
      )
      .all()
      .map(row => Object.values(row as object).map(String) as [string, string])
    close()
    assert.equal(
      columns.filter(([, column]) => referred[column] === undefined),
      [],
    )
    const view = statement('label.named.script')
    const named = [...view.matchAll(/^select (\w+)(?: as id)? from main\.(\w+)/gm)].map(
      match => `${match[2]}.${match[1]}`,
    )
    assert.equal(
      [
        ...columns
          .filter(([table, column]) => referred[column] === 'label' && !keptByOthers.includes(table))
          .map(names => names.join('.')),
        // By its kind.
        'revenue_period.key',
      ].sort(),
      named.sort(),
    )
  }))

test('no statement deletes or updates a whole table by mistake', () => {
  const migrations = globSync('src/sql/migrations/*.sql').map(file => [file, readFileSync(file, 'utf8')] as const)
  const careless = [...statementTexts, ...migrations, ...made.map(query => [nameOf(query), query.sql] as const)]
    .flatMap(([name, text]) => text.split(/;$/m).map(sql => ({ name, sql })))
    .filter(({ sql }) => /^\s*(delete|update)\b/m.test(sql) && !/\bwhere\b|^delete from temp\./m.test(sql))
  assert.equal(
    careless.map(({ name }) => name),
    [],
  )
})

/** Tables and indexes of raw rows, which only these may open; reports read rollups. */
const rawTables = ['session', 'view', 'visitor', 'recent_id', 'event', 'event_property']
const rawReaders =
  /^(bots|left-out|privacy|realtime|rollup|session|view|visitor|event|event-property|recent-id|recent-session|purge|forget|erasure|diagnostics|self-test|zone|import|raw-from|tail|segment|archive|cross|restore|packed-day|sweep)\./

test('reports read rollups only', () =>
  withFolder(path => {
    const { plain: db, close } = open(path)
    const rootOwner = new Map(
      db
        .prepare('select rootpage, tbl_name from sqlite_schema')
        .raw()
        .all()
        .map(row => (Array.isArray(row) ? [row[0], row[1]] : [])) as [number, string][],
    )
    const opened = (sql: string): string[] => {
      const names = queries.find(query => query.sql === sql)?.params.entries ?? {}
      const values = Object.fromEntries(Object.keys(names).map(name => [name, null]))
      const codes = db.prepare(`explain ${sql}`).all(values) as { opcode: string; p2: number; p3: number }[]
      return (
        codes
          // Temporary tables have page numbers of their own.
          .filter(({ opcode, p3 }) => /^(OpenRead|OpenWrite|ReopenIdx)$/.test(opcode) && p3 === 0)
          .map(({ p2 }) => rootOwner.get(p2) ?? '')
      )
    }
    for (const query of queries.filter(one => !rawReaders.test(nameOf(one)))) {
      assert.equal(
        opened(query.sql).filter(table => rawTables.includes(table)),
        [],
        nameOf(query),
      )
    }
    close()
  }))

/**
 * Rollups that the statements of a report about a segment find under temporary names, and what these are derived from.
 */
const derived = [
  ...rollupTables.map(({ name }) => name),
  'period',
  'day_event',
  'revenue_period',
  ...visitGroups.map(visitTable),
]
/** The statements that reports may run, and the fills of rollups, which reports about segments run. */
const filesOfReports = new Set(
  globSync('src/reports/{,of/}*.ts').flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/'[./]+\/sql\/(.+\.sql)'/g)].map(([, name]) => name),
  ),
)
const ofReports = new Set(
  sqlFiles
    .filter(({ file }) => filesOfReports.has(file))
    .flatMap(({ statements }) => statements.map(({ fullName }) => fullName))
    .filter(name => !/^(segment|period)\./.test(name)),
)
const fills = new Set(rollupTables.flatMap(table => table.fills))

test('the tables that a statement is said to read are those that it opens', () =>
  withFolder(path => {
    const { segment: db, close } = open(path)
    const tables = new Map(
      db.prepare('select rootpage, tbl_name from temp.sqlite_schema where rootpage > 0').raw().all() as [
        number,
        string,
      ][],
    )
    for (const query of queries.filter(one => fills.has(one) || ofReports.has(nameOf(one)))) {
      const { sql, params, reads } = query
      const values = Object.fromEntries(Object.keys(params.entries).map(parameter => [parameter, null]))
      const codes = db.prepare(`explain ${sql}`).all(values) as { opcode: string; p2: number; p3: number }[]
      const opened = codes
        .filter(({ opcode, p3 }) => opcode === 'OpenRead' && p3 === 1)
        .map(({ p2 }) => (tables.get(p2) ?? '').replace(/^new_/, ''))
        .filter(table => derived.includes(table))
      assert.equal([...reads].sort(), [...new Set(opened)].sort(), nameOf(query))
    }
    close()
  }))

test('query plans are those of the golden file', () =>
  withFolder(path => {
    const { plain, segment, close } = open(path)
    const plans = queries.map(query => {
      const values = Object.fromEntries(Object.keys(query.params.entries).map(name => [name, null]))
      const rows = (ofSegments.test(nameOf(query)) ? segment : plain)
        .prepare(`explain query plan ${query.sql}`)
        .all(values) as { detail: string }[]
      return `${nameOf(query)}\n${rows.map(({ detail }) => `  ${detail}`).join('\n')}`
    })
    for (const { name, statements } of scripts.filter(({ name }) => !/\.begin\.script$/.test(name)))
      for (const [index, sql] of statements.entries()) {
        const rows = plain.prepare(`explain query plan ${sql}`).all() as { detail: string }[]
        plans.push(`${name} ${index + 1}\n${rows.map(({ detail }) => `  ${detail}`).join('\n')}`)
      }
    holdGolden('plans.txt', `${[...new Set(plans)].sort().join('\n')}\n`)
    close()
  }))

test.run()
