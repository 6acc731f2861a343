// `wp footfall history`: the tables of another plugin as files of which the import makes what it makes of the plugin's own.
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { needs, wordpress } from '../support/needs.ts'
import { startWordPress, until, type WordPress } from '../support/wordpress.ts'
import { cookieOf } from './admin.ts'

const test = needs(...wordpress)

let site: WordPress
test.before(async () => {
  site = await startWordPress({ connected: false })
})
test.after(() => site.stop())

const newFolder = (name: string): string => {
  const folder = join(site.folder, name)
  mkdirSync(folder)
  return folder
}

const history = (plugin: string, folder: string): Promise<string> =>
  site.wp('footfall', 'history', plugin, `--to=${folder}`)

const refusalOf = async (plugin: string, ...flags: string[]): Promise<string> =>
  String(await site.wp('footfall', 'history', plugin, ...flags).catch(error => error.stderr))

const refusal = (plugin: string, folder: string): Promise<string> => refusalOf(plugin, `--to=${folder}`)

const footfall = async (...args: string[]): Promise<string> => {
  const { status, stdout, stderr } = await footfallHere(args)
  assert.is(status, 0, stderr)
  return stdout
}

const range = ['--from', '2026-03-01', '--to', '2026-03-03', '--json']

/** What the preview says of a folder's tables, and what reports say once they are imported. */
const importedOf = async (folder: string, name: string) => {
  const data = ['--data', join(site.folder, `${name}.db`)]
  const { format, files, months } = JSON.parse(await footfall('import', folder, '--dry-run', '--json', ...data))
  await footfall('import', folder, ...data)
  const reports = ['pages', 'sources', 'dimensions/country', 'dimensions/browser', 'dimensions/device']
  const figures: unknown[] = []
  for (const report of reports) figures.push(JSON.parse(await footfall('report', report, ...range, ...data)).data)
  return {
    format,
    months,
    tables: files.map(({ table, rows }: { table: string; rows: number }) => `${table}: ${rows}`).sort(),
    figures,
  }
}

type Table = { name: string; columns: string[]; rows: string[][] }

const tablesOf = (folder: string): Table[] =>
  globSync(`${folder}/*`).flatMap(path => {
    const text = readFileSync(path, 'utf8')
    if (!path.endsWith('.ndjson')) {
      const [columns = [], ...rows] = parse(text) as string[][]
      return [{ name: basename(path, '.csv').replace(/^wp_/, ''), columns, rows }]
    }
    // A line with the table and its columns, then lines with rows.
    const tables: Table[] = []
    for (const line of text
      .trim()
      .split('\n')
      .map(one => JSON.parse(one)))
      if (Array.isArray(line)) tables.at(-1)?.rows.push(...line)
      else tables.push({ name: line.table, columns: line.columns, rows: [] })
    return tables
  })

/** Makes the tables of a plugin, with numbers as numbers. */
const fill = async (tables: readonly Table[]): Promise<void> => {
  for (const { name, columns, rows } of tables) {
    const isNumber = (at: number): boolean => rows.every(row => /^\d+$/.test(row[at] ?? ''))
    const types = columns.map((column, at) => `${column} ${isNumber(at) ? 'bigint' : 'varchar(255)'}`)
    const file = join(site.folder, `${name}.json`)
    writeFileSync(
      file,
      JSON.stringify(rows.map(row => Object.fromEntries(columns.map((column, at) => [column, row[at]])))),
    )
    const code = `
      global $wpdb;
      $table = $wpdb->prefix . '${name}';
      $wpdb->query( "create table $table (${types.join(', ')})" );
      foreach ( json_decode( file_get_contents( '${file}' ), true ) as $row ) { $wpdb->insert( $table, $row ); }
      echo $wpdb->get_var( "select count(*) from $table" );`
    assert.is((await site.wp('eval', code)).trim(), String(rows.length), name)
  }
}

for (const plugin of ['koko', 'statify', 'wp-statistics'])
  test(`${plugin}: its tables become the same history as its own files`, async () => {
    const own = `test/fixtures/moving/${plugin}`
    const folder = newFolder(plugin)
    assert.match(await refusal(plugin, folder), `This site has no tables of ${plugin}.`)
    await fill(tablesOf(own))
    assert.match(await history(plugin, folder), /Success: Choose these files/)
    const made = await importedOf(folder, `${plugin} by tables`)
    assert.is(made.format, plugin)
    assert.equal(made, await importedOf(own, `${plugin} by files`))
    const written = readdirSync(folder)
      .map(name => readFileSync(join(folder, name), 'utf8'))
      .join('')
    assert.not.match(written, /UAString|user_id|\bip\b|#hash#/)

    const names = readdirSync(folder)
    assert.match(await refusal(plugin, folder), /could not be written, or is there already/)
    assert.equal(readdirSync(folder), names)
  })

test('rows of more than a page are there once each, and a folder that cannot be written is said', async () => {
  await site.wp(
    'eval',
    `global $wpdb;
    $table = $wpdb->prefix . 'statify';
    $wpdb->query( "delete from $table" );
    foreach ( array_chunk( range( 1, 6000 ), 1000 ) as $ids ) {
      $rows = array_map( function ( $id ) { return "($id, '2026-03-01', '', '/a')"; }, $ids );
      $wpdb->query( "insert into $table values " . implode( ',', $rows ) );
    }`,
  )
  const folder = newFolder('pages')
  assert.match(await history('statify', folder), /statify\.csv: 6000 rows/)
  const lines = readFileSync(join(folder, 'statify.csv'), 'utf8').trim().split('\n')
  assert.equal([lines[0], lines.length, new Set(lines).size], ['id,created,referrer,target', 6001, 6001])
  assert.match(await refusal('statify', join(site.folder, 'nowhere')), /statify\.csv could not be written/)
  assert.equal(site.warnings(), [])
})

/** What waits for an import at the service, by name. */
const waiting = async (): Promise<{ id: string; name: string }[]> => {
  const { body } = await site.direct('/uploads')
  assert.ok(body.every(({ bytes, received }: { bytes: number; received: number }) => bytes === received))
  return body.sort((one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1))
}

/** Presses the button of a plugin on the page "Connection". @returns where it leads */
const press = async (plugin: string): Promise<string> => {
  const { cookie = '' } = await cookieOf(site, 'admin')
  const page = await (
    await fetch(`${site.url}/wp-admin/admin.php?page=footfall-connection`, { headers: { cookie } })
  ).text()
  const form = page.split('<form').find(one => one.includes(`name="send-${plugin}"`)) ?? ''
  const _wpnonce = /name="_wpnonce" value="(\w+)"/.exec(form)?.[1] ?? ''
  const answer = await fetch(`${site.url}/wp-admin/admin-post.php`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: 'footfall_history', plugin, _wpnonce }),
    headers: { cookie },
  })
  assert.is(answer.status, 302)
  return answer.headers.get('location') ?? ''
}

test('its tables are sent to the service, whose dashboard previews and imports them', async () => {
  const unconnected = await refusalOf('koko', '--send')
  assert.match(unconnected, /Footfall is not connected yet/, unconnected)
  await site.connect()
  assert.match(await refusalOf('koko'), /Name a folder with --to, or add --send/)
  assert.match(await site.wp('footfall', 'history', 'statify', '--send'), /statify\.csv: 6000 rows/)
  const [statify, ...others] = await waiting()
  assert.equal([statify?.name, others.length], ['statify.csv', 0])
  assert.is((await site.direct(`/uploads/${statify?.id}`, { method: 'DELETE' })).status, 204)

  assert.match(await press('koko'), /admin\.php\?page=footfall&import=1$/)
  const files = await waiting()
  assert.equal(
    files.map(({ name }) => name),
    readdirSync(join(site.folder, 'koko')).sort(),
  )
  const shown = await fetch(`${site.url}/wp-admin/admin.php?page=footfall&import=1`, {
    headers: { cookie: (await cookieOf(site, 'admin')).cookie ?? '' },
  })
  assert.match(await shown.text(), /view=settings(&#038;|&amp;)settings_tab=imports/)
  const job = (body: object) =>
    site.direct('/imports', {
      method: 'POST',
      body: JSON.stringify({ uploads: files.map(({ id }) => id), ...body }),
      headers: { 'content-type': 'application/json' },
    })
  const done = () =>
    until(
      async () => (await site.direct('/imports/current')).body,
      ({ state }) => state !== 'running',
    )
  assert.is((await job({ preview: true })).status, 202)
  const { report } = await done()
  const made = await importedOf(join(site.folder, 'koko'), 'koko by files of tables')
  assert.equal([report.format, report.months], [made.format, made.months])
  assert.is((await job({})).status, 202)
  assert.is((await done()).state, 'done')
  assert.equal((await site.direct('/pages?from=2026-03-01&to=2026-03-03')).body.data, made.figures[0])
  assert.equal(await waiting(), [])
  assert.equal(
    readdirSync(tmpdir()).filter(name => /^footfall-[0-9a-f]{32}$/.test(name)),
    [],
    'nothing is left of the files',
  )
})

test('tables of more rows than a page may send are sent by the command', async () => {
  await site.wp(
    'eval',
    `global $wpdb;
    $table = $wpdb->prefix . 'statify';
    for ( $made = 6000; $made <= 200000; $made *= 2 ) { $wpdb->query( "insert into $table select id + $made, created, referrer, target from $table" ); }`,
  )
  const { cookie = '' } = await cookieOf(site, 'admin')
  const page = await fetch(`${site.url}/wp-admin/admin.php?page=footfall-connection`, { headers: { cookie } })
  const text = await page.text()
  assert.match(text, /Statify: 200,000\+ rows\s+· That takes longer than a page may/)
  assert.not.match(text, /name="send-statify"/)
  assert.match(text, /name="send-koko"/)
})

test('a service that does not answer is said on the page, and somebody who may not send sends nothing', async () => {
  const { cookie = '' } = await cookieOf(site, 'admin')
  const send = (fields: Record<string, string>) =>
    fetch(`${site.url}/wp-admin/admin-post.php`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ action: 'footfall_history', plugin: 'koko', ...fields }),
      headers: { cookie },
    })
  assert.is((await send({ _wpnonce: 'of-nobody' })).status, 403)
  site.service.process.kill('SIGTERM')
  await site.service.ended
  assert.match(await press('koko'), /page=footfall-connection$/)
  const page = await fetch(`${site.url}/wp-admin/admin.php?page=footfall-connection`, { headers: { cookie } })
  assert.match(await page.text(), /The Footfall service does not answer at /)
  assert.equal(site.warnings(), [])
})

test.run()
