// What long commands show while they work: a bar on a terminal, now and then a line elsewhere.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createProgress } from '../../src/import/progress.ts'

/** What is written about a minute of work, shown every second. */
const written = (isTTY: boolean): string[] => {
  const lines: string[] = []
  let now = 0
  const progress = createProgress({ isTTY, write: text => lines.push(text) }, 'Exporting', () => now)
  for (let second = 1; second <= 60; second++) {
    now = second * 1000
    progress.show(second / 100, second * 50)
  }
  progress.clear()
  return lines
}

test('a bar that is renewed and cleared on a terminal', () => {
  const lines = written(true)
  assert.is(lines.length, 61)
  assert.match(lines[59] ?? '', /^\r\u001b\[KExporting █{18}░{12} 60 % {2}49 a second, 40 s left$/)
  assert.is(lines[60], '\r\u001b[K')
})

test('a line every half minute on a pipe or in a file', () => {
  assert.equal(written(false), [
    'Exporting: 30 %, 48 a second, 70 s left\n',
    'Exporting: 60 %, 49 a second, 40 s left\n',
  ])
})

test.run()
