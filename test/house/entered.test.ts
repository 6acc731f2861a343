// How many files one must know to follow a request through the main thread.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { filesEntered, holdTimers } from '../support/entered.ts'
import { withService } from '../support/service.ts'

holdTimers()

/** Raised only knowingly: a file more is a file more to read. */
const mostFiles = { hit: 45, report: 33 }

test('a report enters few files before a worker reads it', () =>
  withService({}, async ({ api, hit, settled }) => {
    await hit({ page_url: 'https://example.org/tea' })
    await settled()
    const path = '/pages?from=2026-03-10&to=2026-03-10'
    // The first request makes what the others find made.
    await api(path)
    const { all, before } = await filesEntered(() => api(path))
    const files = [...before.keys()].sort()
    console.log(
      [`/pages enters ${all.size} files, ${files.length} of them before a worker reads:`, ...files].join('\n'),
    )
    assert.ok(files.length > 0 && files.length <= mostFiles.report, `${files.length} files`)
  }))

test('a hit enters few files', () =>
  withService({}, async ({ hit }) => {
    const view = { page_url: 'https://example.org/tea' }
    await hit(view)
    const { all } = await filesEntered(() => hit(view))
    const files = [...all.keys()].sort()
    console.log([`a hit enters ${files.length} files:`, ...files].join('\n'))
    assert.ok(files.length > 0 && files.length <= mostFiles.hit, `${files.length} files`)
  }))

test.run()
