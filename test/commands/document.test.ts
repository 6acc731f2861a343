import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { commandLineDocument } from '../support/command-line-document.ts'

const file = 'docs/command-line.md'

test('docs/command-line.md matches the program', () => {
  const expected = commandLineDocument()
  if (process.env.UPDATE === '1') writeFileSync(file, expected)
  assert.fixture(readFileSync(file, 'utf8'), expected, `run: UPDATE=1 npm run test:only commands/document`)
})

test.run()
