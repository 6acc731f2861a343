// While the service runs: previews and lists on the command line, lists and the undo over the API.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { later, movingInto, samples } from '../support/moving.ts'
import { withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

test('a service lists imports, and undoes one in the background', () =>
  withFolder(async folder => {
    const moving = movingInto(folder)
    await moving.take(
      moving.write('zone.csv', 'date,visitors,pageviews,bounces,visits,visit_duration\n2026-02-01,1,1,1,1,0\n'),
    )
    const before = await moving.export()
    assert.is((await moving.take(join(samples, 'umami'), '--from', '2026-03-01')).status, 0)
    await withService({ file: moving.data, start: later }, async ({ api, hit, settled }) => {
      const listed = await api('/imports')
      assert.equal(
        listed.body.map(({ id, format, grain, state, from, to, days }: Record<string, unknown>) => [
          id,
          format,
          grain,
          state,
          from,
          to,
          days,
        ]),
        [
          [2, 'umami', 'visits', 'done', '2026-03-01', '2026-03-03', 3],
          [1, 'plausible', 'sums', 'done', '2026-02-01', '2026-02-01', 1],
        ],
      )
      const shown = await api('/summary?from=2026-03-01&to=2026-03-03')
      assert.is(shown.body.meta.imported[0].kind, 'umami')
      const preview = await moving.take(join(samples, 'koko'), '--dry-run')
      assert.is(preview.status, 1)
      assert.match(preview.stdout, /Left out +2026-03-01 to 2026-03-03: have data already/)
      assert.match((await moving.run(['import', '--list'])).stdout, /umami +visits +done/)
      assert.is((await moving.take(join(samples, 'koko'))).status, 1)
      assert.is((await api('/imports/9', { method: 'DELETE' })).status, 404)
      assert.is((await api('/imports/2', { method: 'DELETE', as: 'reader' })).status, 403)
      const undoing = await api('/imports/2', { method: 'DELETE' })
      assert.equal([undoing.status, undoing.body.state], [202, 'undoing'])
      assert.is((await hit({ page_url: 'https://example.org/now' })).status, 204)
      await until(async () => assert.is((await api('/imports')).body[0].state, 'undone'))
      assert.is((await api('/imports/2', { method: 'DELETE' })).body.code, 'rest_import_undone')
      const after = await api('/summary?from=2026-03-01&to=2026-03-03')
      assert.equal([after.body.meta.imported, after.body.data.totals.views], [undefined, 0])
      await settled()
      const today = await api('/summary?from=2026-03-20&to=2026-03-20')
      assert.is(today.body.data.totals.views, 1)
      assert.equal(
        (await api('/audit')).body.slice(0, 1).map(({ action }: { action: string }) => action),
        ['import_undone'],
      )
    })
    const exported = await moving.run([
      'export',
      join(folder, 'old.ndjson'),
      '--format',
      'archive',
      '--to',
      '2026-03-19',
    ])
    assert.is(exported.status, 0)
    const old = (await moving.read(join(folder, 'old.ndjson'))).split('\n')
    assert.equal(old.slice(1, -2), before.split('\n').slice(1, -2))
  }))

test.run()
