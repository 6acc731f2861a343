// The table of docs/operate.md on commands beside a running service.
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { commands } from '../../src/commands.ts'
import { footfallBeside } from '../support/program.ts'
import { withService } from '../support/service.ts'

const table = readFileSync('docs/operate.md', 'utf8')
const commandsOf = (row: string): string[] => {
  const [, cell = ''] = new RegExp(`^\\| ${row}[^|]*\\| (.+) \\|$`, 'm').exec(table) ?? []
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command)
}
const rows = ['work on the file', 'want it stopped', 'ask it', 'need no file'].map(commandsOf)

test('every command is in it', () => {
  const names = new Set(rows.flat().map(command => command.split(' ', 1).join('')))
  assert.equal([...names].sort(), commands.map(({ name }) => name).sort())
})

test('those that want the service stopped are refused beside it', () =>
  withService({}, async ({ file }) => {
    const input = `${file}.ndjson`
    writeFileSync(input, '')
    const copy = `${file}.copy`
    assert.is((await footfallBeside(['backup', copy, '--data', file])).status, 0)
    const rest: Record<string, string[]> = {
      import: [input, '--format', 'archive'],
      restore: [copy],
      serve: ['--port', '0'],
    }
    const [, stopped = []] = rows
    assert.ok(stopped.length > 0)
    for (const command of stopped) {
      const { status, stderr } = await footfallBeside([command, ...(rest[command] ?? []), '--data', file])
      assert.is(status, 1, command)
      assert.match(stderr, /in use by process \d+ \(footfall serve\)/, command)
    }
  }))

test.run()
