// What a real DuckDB reads from an export in Parquet is what the reports say, of a whole year with a shop.
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tables } from '../../src/archive/parquet/columns.ts'
import { footfallHere } from '../support/command.ts'
import { duckdb, type Found } from '../support/duckdb.ts'
import { temporaryFolder } from '../support/program.ts'
import { seed } from '../support/property.ts'
import { keepService, type Running } from '../support/service.ts'

const folder = temporaryFolder()
const data = folder.path('year.db')
const out = folder.path('parquet')
const at = '2026-04-02T12:00:00Z'
const year = 'from=2025-04-01&to=2026-03-31'

let running: Running
const service = keepService({ file: data, start: at }, async started => {
  running = started
})

test.before(async () => {
  const filled = ['--data', data, '--to', '2026-03-31', '--days', '365', '--visits', '3000', '--seed', String(seed)]
  assert.is((await footfallHere(['demo', ...filled, '--timezone', 'Europe/Berlin'], { at })).status, 0)
  await service.open()
  // Beside the service, which has the file.
  const { status, stdout, stderr } = await footfallHere(
    ['export', '--format', 'parquet', '--out', out, '--data', data],
    { at },
  )
  assert.equal([status, stdout, stderr], [0, `Written to ${out}: 2025-04-01 to 2026-03-31.\n`, ''])
})
test.after(async () => {
  await service.close()
  folder.remove()
})

const inFolder = (name: string): string => `'${out}/*/${name}.parquet'`
const ask = async (sql: string): Promise<Found[]> =>
  (
    await duckdb(
      ...['visits', 'views', 'events', 'orders'].map(name => `create view ${name} as from ${inFolder(name)}`),
      sql,
    )
  ).at(-1) ?? []

/** All rows of a list. */
const list = async (path: string): Promise<Found[]> => {
  const rows: Found[] = []
  for (let total = 1; rows.length < total; ) {
    const { body, headers } = await running.api(`${path}?${year}&limit=100&offset=${rows.length}`)
    total = Number(headers.get('x-wp-total') ?? 0)
    rows.push(...body.data)
  }
  return rows
}

const byKey = (rows: readonly Found[], key: string, fields: readonly string[]): [unknown, ...unknown[]][] =>
  rows
    .map((row): [unknown, ...unknown[]] => [row[key], ...fields.map(field => row[field])])
    .filter(([, ...figures]) => figures.some(figure => figure !== 0))
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))

const figures = ['visitors', 'sessions', 'views', 'bounces']

test('visitors, visits, page views and bounces by day', async () => {
  const { body } = await running.api(`/summary?${year}&interval=day`)
  const found = await ask(`
    select cast(day as varchar) as date, visitors, sessions, views, bounces, total_duration
    from (
      select day, count(distinct visitor_id) as visitors, count(*) as views,
        coalesce(sum(visible_seconds), 0)::bigint as total_duration
      from views group by day
    )
    full join (select day, count(*) as sessions, count(*) filter (where bounced) as bounces from visits group by day)
    using (day)`)
  const fields = [...figures, 'total_duration']
  assert.is(found.length, 365)
  assert.equal(byKey(found, 'date', fields), byKey(body.data.series, 'date', fields))
})

test('by page', async () => {
  const found = await ask(`
    with viewed as (
      select page, count(distinct (day, visitor_id)) as visitors, count(distinct (day, visit_id)) as sessions,
        count(*) as views
      from views group by page
    ),
    entered as (
      select entry_page as page, count(*) as entries, count(*) filter (where bounced) as bounces
      from visits group by entry_page
    )
    select page, visitors, sessions, views, coalesce(entries, 0) as entries, coalesce(bounces, 0) as bounces
    from viewed left join entered using (page)`)
  const fields = [...figures, 'entries']
  const reported = byKey(await list('/pages'), 'page', fields)
  assert.ok(reported.length > 20)
  assert.equal(byKey(found, 'page', fields), reported)
})

for (const dimension of ['channel', 'country', 'device', 'language'])
  test(`by ${dimension}`, async () => {
    const found = await ask(`
      with viewed as (
        select v.${dimension} as key, count(distinct (w.day, w.visitor_id)) as visitors, count(*) as views
        from views w join visits v using (visit_id) group by all
      ),
      began as (
        select ${dimension} as key, count(*) as sessions, count(*) filter (where bounced) as bounces
        from visits group by all
      )
      select viewed.key, visitors, sessions, views, bounces
      from viewed join began on viewed.key is not distinct from began.key`)
    const reported = byKey(await list(`/dimensions/${dimension}`), 'key', figures)
    assert.ok(reported.length > 2)
    assert.equal(byKey(found, 'key', figures), reported)
  })

test('events by name', async () => {
  const found = await ask(`
    select name, count(*) as total, count(distinct (day, visitor_id)) as visitors from events group by name`)
  const fields = ['total', 'visitors']
  assert.equal(byKey(found, 'name', fields), byKey(await list('/events'), 'name', fields))
})

test('revenue by day and by channel', async () => {
  const major = (sum: string): string => `(sum(${sum}) / 10 ** any_value(minor_digits))::double`
  const sums = `count(*) as orders, ${major('net_minor')} as revenue, ${major('total_minor')} as gross_revenue`
  const days = await ask(`
    select cast(day as varchar) as date, ${sums} from orders where counted and currency = 'EUR' group by day`)
  const fields = ['orders', 'revenue', 'gross_revenue']
  const { body } = await running.api(`/revenue/timeseries?${year}&interval=day`)
  assert.ok(days.length > 30)
  assert.equal(byKey(days, 'date', fields), byKey(body.data, 'date', fields))
  const channels = await ask(`
    select channel, ${sums} from orders where counted and currency = 'EUR' group by channel`)
  const reported = (await running.api(`/revenue/by-channel?${year}`)).body.data
  assert.equal(byKey(channels, 'channel', fields.slice(0, 2)), byKey(reported, 'channel', fields.slice(0, 2)))
  const [refunds] = await ask(`select ${major('refunded_minor')} as total from orders where counted`)
  assert.ok(Number(refunds?.total) > 0)
})

const duckTypes = {
  integer: 'BIGINT',
  number: 'DOUBLE',
  text: 'VARCHAR',
  json: 'VARCHAR',
  time: 'TIMESTAMP WITH TIME ZONE',
  day: 'DATE',
  boolean: 'BOOLEAN',
}

for (const { name, columns } of tables.filter(table => table.name !== 'sums'))
  test(`${name}: names, types and nulls as README.md in the folder has them`, async () => {
    const [described = [], schema = [], nulls = []] = await duckdb(
      `describe from ${inFolder(name)}`,
      `select distinct name, repetition_type from parquet_schema(${inFolder(name)}) where type is not null`,
      `select ${columns.map(column => `count(*) - count(${column.name}) as ${column.name}`).join(', ')} from ${inFolder(name)}`,
    )
    assert.equal(
      described.map(({ column_name, column_type }) => [column_name, column_type]),
      [...columns.map(column => [column.name, duckTypes[column.type]]), ['day', 'DATE']],
    )
    assert.equal(
      new Map(schema.map(row => [row.name, row.repetition_type === 'OPTIONAL'])),
      new Map(columns.map(column => [column.name, column.nullable])),
    )
    assert.equal(
      columns.filter(column => !column.nullable && nulls[0]?.[column.name] !== 0).map(column => column.name),
      [],
    )
    const readme = readFileSync(`${out}/README.md`, 'utf8')
    for (const column of columns) assert.match(readme, `| \`${column.name}\` | `)
  })

test('times are UTC, days the site’s, texts as they are, and unknown is null', async () => {
  const [row] = await ask(`
    select count(*) filter (where day <> site_day) as elsewhere,
      count(*) filter (where day <> (timezone('Europe/Berlin', viewed_at))::date) as other_day,
      count(*) filter (where day <> viewed_at::date) as utc_day
    from views`)
  assert.equal([row?.elsewhere, row?.other_day], [0, 0])
  assert.ok(Number(row?.utc_day) > 0)
  const [properties] = await ask(`select count(*) as bad from events where properties not like '{%}'`)
  assert.is(properties?.bad, 0)
  const [texts] = await ask(`
    select count(*) filter (where utm_source = '' or country = '' or entry_host = '') as empty,
      count(*) filter (where utm_source is null) as untagged
    from visits`)
  assert.is(texts?.empty, 0)
  assert.ok(Number(texts?.untagged) > 0)
})

test('the lines of the documentation do what they say', async () => {
  const document = readFileSync('docs/beyond.md', 'utf8')
  const block = /```sql\n(create view visits as from [\s\S]*?)```/.exec(document)?.[1] ?? ''
  assert.ok(existsSync(`${out}/README.md`))
  const lines = block.trim().split('\n')
  assert.is(lines.length, 5)
  const answers = await duckdb(...lines.map(line => line.replace("'parquet/", `'${out}/`)))
  const { body } = await running.api(`/summary?${year}&interval=day`)
  const [days = [], channels = []] = answers.slice(3)
  assert.equal(byKey(days, 'site_day', ['visitors', 'views']), byKey(body.data.series, 'date', ['visitors', 'views']))
  const reported = (await running.api(`/revenue/by-channel?${year}`)).body.data
  assert.equal(byKey(channels, 'channel', ['orders', 'revenue']), byKey(reported, 'channel', ['orders', 'revenue']))
})

test.run()
