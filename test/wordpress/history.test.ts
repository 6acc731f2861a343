// `wp footfall history`: the tables of another plugin as files that the preview of the import recognises.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { needs, wordpress } from '../support/needs.ts'
import { startWordPress, type WordPress } from '../support/wordpress.ts'

const test = needs(...wordpress)

let site: WordPress
test.before(async () => {
  site = await startWordPress({ connected: false })
})
test.after(() => site.stop())

const sql = (...statements: string[]): Promise<string> =>
  site.wp('eval', `global $wpdb; foreach ( ${JSON.stringify(statements)} as $one ) { $wpdb->query( $one ); }`)

const previewOf = async (folder: string) => {
  const { status, stdout, stderr } = await footfallHere([
    'import',
    folder,
    '--dry-run',
    '--json',
    '--data',
    join(site.folder, `${Date.now()}.db`),
  ])
  assert.is(status, 0, stderr)
  return stdout
}

test('Koko: what its tables hold is recognised, with each row', async () => {
  const folder = join(site.folder, 'koko')
  mkdirSync(folder)
  const failed = await site.wp('footfall', 'history', 'koko', `--to=${folder}`).catch(error => error.stderr)
  assert.match(String(failed), /There is no table wp_koko_analytics_site_stats/)
  await sql(
    'create table wp_koko_analytics_site_stats (date date primary key, visitors int, pageviews int)',
    'create table wp_koko_analytics_paths (id int primary key, path varchar(255))',
    'create table wp_koko_analytics_post_stats (date date, path_id int, post_id int, visitors int, pageviews int)',
    'create table wp_koko_analytics_referrer_labels (id int primary key, value varchar(255))',
    'create table wp_koko_analytics_referrer_stats (date date, id int, visitors int, pageviews int)',
    "insert into wp_koko_analytics_site_stats values ('2026-03-01', 7, 16), ('2026-03-02', 8, 13)",
    `insert into wp_koko_analytics_paths values (1, '/'), (2, '/tea, green')`,
    "insert into wp_koko_analytics_post_stats values ('2026-03-01', 1, 0, 3, 4), ('2026-03-02', 2, 0, 4, 5)",
    "insert into wp_koko_analytics_referrer_labels values (1, 'google.com')",
    "insert into wp_koko_analytics_referrer_stats values ('2026-03-01', 1, 2, 2)",
  )
  assert.match(await site.wp('footfall', 'history', 'koko', `--to=${folder}`), /Success: The tables are in/)
  const found = await previewOf(folder)
  assert.match(found, /"koko"/)
  assert.match(found, /29/)
  const again = await site.wp('footfall', 'history', 'koko', `--to=${folder}`).catch(error => error.stderr)
  assert.match(String(again), /site_stats\.csv could not be written, or is there already/)
})

test('Statify: more rows than a page of them, each once', async () => {
  const folder = join(site.folder, 'statify')
  mkdirSync(folder)
  await sql('create table wp_statify (id int primary key, created date, referrer varchar(255), target varchar(255))')
  await site.wp(
    'eval',
    `global $wpdb; for ( $i = 0; $i < 6; $i++ ) { $rows = array(); for ( $j = 1; $j <= 1000; $j++ ) { $rows[] = '(' . ( $i * 1000 + $j ) . ",'2026-03-01','','/a')"; } $wpdb->query( 'insert into wp_statify values ' . implode( ',', $rows ) ); }`,
  )
  await site.wp('footfall', 'history', 'statify', `--to=${folder}`)
  const lines = readFileSync(join(folder, 'statify.csv'), 'utf8').trim().split('\n')
  assert.equal([lines[0], lines.length, new Set(lines).size], ['id,created,referrer,target', 6001, 6001])
  assert.match(await previewOf(folder), /"statify"/)
  assert.equal(site.warnings(), [])
})

test.run()
