// A row of GA4 whose first cell begins with # is a row.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { movingInto, rowsOf, samples } from '../support/moving.ts'

const preamble = `# ----------------------------------------
# Pages and screens: Page path and screen class
# Start date: 20260301
# End date: 20260303
# ----------------------------------------

`

test('a page that begins with # is a row, and so are those after it', () =>
  withFolder(async folder => {
    const moving = movingInto(folder)
    const file = moving.write(
      'pages.csv',
      `${preamble}Page path and screen class,Date,Views,Active users\n/,20260301,4,3\n#tag,20260301,2,2\n# two,20260301,1,1\n/b,20260301,3,2\n`,
    )
    const { stdout, stderr } = await moving.take([file, `${samples}/ga4/traffic.csv`], '--format', 'ga4')
    const pages = rowsOf(await moving.report('pages')).map(({ page, views }) => [page, views])
    assert.ok(
      pages.some(([page, views]) => page === '/b' && views === 3),
      `${JSON.stringify(pages)} ${stdout} ${stderr}`,
    )
  }))

test.run()
