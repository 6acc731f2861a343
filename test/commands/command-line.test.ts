// The frame of the command line: help, versions, and what happens to a line that cannot be meant.
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runCommandLine } from '../../src/commands/cli.ts'
import type { Terminal } from '../../src/commands/command.ts'
import { commands } from '../../src/commands.ts'
import { connect } from '../../src/database/connect.ts'
import { footfallHere } from '../support/command.ts'
import { needs } from '../support/needs.ts'
import { footfall, programs, sources, start, temporaryFolder } from '../support/program.ts'

const folder = temporaryFolder()
test.after(folder.remove)

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const versionLine = new RegExp(
  `^footfall ${version.replaceAll('.', '\\.')} \\(node v\\d+\\.\\d+\\.\\d+, sqlite 3\\.\\d+\\.\\d+\\)\n$`,
)

for (const program of programs) {
  needs(...program.needs)(`${program.name} prints its version and those of Node and SQLite`, () => {
    for (const words of [['version'], ['--version'], ['-V']]) {
      const { status, stdout, stderr } = footfall(words, { program })
      assert.match(stdout, versionLine)
      assert.is(stderr, '')
      assert.is(status, 0)
    }
  })
}

const helpful: [line: string, shows: RegExp][] = [
  ['--help', /^Usage: footfall [\s\S]*serve[\s\S]*user[\s\S]*app-password[\s\S]*version/],
  ['help', /^Usage: footfall /],
  ['help serve', /^Usage: footfall serve /],
  ['serve --help', /--port <PORT> +Port[\s\S]*\(default: 8787\)[\s\S]*Environment:[\s\S]*FOOTFALL_ADMIN_PASSWORD/],
  ['serve -h', /^Usage: footfall serve /],
  ['user --help', /add[\s\S]*list[\s\S]*remove[\s\S]*password/],
  ['user add --help', /--role[\s\S]*administrator[\s\S]*--password-stdin[\s\S]*--data/],
  ['app-password --help', /create[\s\S]*list[\s\S]*revoke/],
  ['app-password create --help', /--name/],
  ['version --help', /^Usage: footfall version/],
]

for (const [line, shows] of helpful) {
  test(`'footfall ${line}' helps on the standard output`, async () => {
    const { status, stdout, stderr } = await footfallHere(line.split(' '))
    assert.match(stdout, shows)
    assert.is(stderr, '')
    assert.is(status, 0)
  })
}

test('help fits a terminal of 80 columns and shows no secret as a flag', () => {
  const { stdout } = footfall(['serve', '--help'])
  assert.equal(
    stdout.split('\n').filter(line => line.length > 80),
    [],
  )
  assert.not.match(stdout, '--admin-password')
})

const wrong: [line: string, says: string][] = [
  ['', 'Usage: footfall'],
  ['user', 'Usage: footfall user'],
  ['srve', "Unknown command 'srve'. Did you mean serve?\nRun 'footfall --help'"],
  ['frobnicate', "Unknown command 'frobnicate'.\nRun 'footfall --help'"],
  ['help srve', 'Usage: footfall'],
  ['nonsense --help', "Unknown command 'nonsense'.\nRun 'footfall --help'"],
  ['user ad --help', "Unknown command 'ad'. Did you mean add?\nRun 'footfall user --help'"],
  ['user ad bob', "Unknown command 'ad'. Did you mean add?\nRun 'footfall user --help'"],
  ['--prot 1', "Unknown option '--prot'.\nRun 'footfall --help'"],
  ['serve --prot 1', "Unknown option '--prot'. Did you mean --port?\nRun 'footfall serve --help'"],
  ['serve --admin-password x', "Unknown option '--admin-password'."],
  ['serve now', "Too many arguments for 'serve'."],
  ['serve --port', "Option '--port <PORT>' argument missing."],
  ['serve --port 70000', "--port takes a whole number from 0 to 65535, not '70000'."],
  ['serve --timezone Berlin', "--timezone takes an IANA time zone such as Europe/Berlin, not 'Berlin'."],
  ['user add', "Missing required argument 'LOGIN'.\nRun 'footfall user add --help'"],
  ['app-password create bob', "Required option '--name <NAME>' not specified."],
  ['version --port 1', "Unknown option '--port'."],
]

for (const [line, says] of wrong) {
  test(`'footfall ${line}' cannot be meant: exit code 2 and a hint`, async () => {
    const { status, stdout, stderr } = await footfallHere(line.split(' ').filter(word => word !== ''))
    assert.ok(stderr.startsWith(says), stderr)
    assert.is(stdout, '')
    assert.is(status, 2)
  })
}

/** As a shell divides a line; the examples quote whole words or the value of a flag. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? '')

test('each command shows an example, which its own parser takes', async () => {
  const said: string[] = []
  const terminal: Terminal = {
    env: {},
    clock: Date.now,
    print: line => said.push(line),
    warn: line => said.push(line),
    readLine: async () => undefined,
    readLines: async function* () {},
    logFailure: () => {},
    showStacks: () => {},
  }
  for (const entry of commands) {
    const group = 'run' in entry ? null : entry
    for (const command of 'run' in entry ? [entry] : entry.commands) {
      const { example, name } = command
      const calls: string[] = []
      const noted = { ...command, run: () => calls.push(name) - 1 }
      const parsed = group === null ? noted : { ...group, commands: [noted] }
      assert.is(await runCommandLine([parsed], wordsOf(example), terminal), 0, `${example}: ${said.join()}`)
      assert.equal(calls, [name], example)
      assert.ok(wordsOf(example).length > 0 && `  footfall ${example}`.length <= 80, example)
      assert.match(
        (await footfallHere([...(group === null ? [] : [group.name]), name, '--help'])).stdout,
        `Example:\n  footfall ${example}\n`,
      )
    }
  }
  assert.equal(said, [])
})

test('the log of the service is JSON from its first line, if it is to be', async () => {
  const data = folder.path('json.db')
  const {
    process: child,
    ended,
    output,
  } = await start(['--data', data, '--log-format', 'json'], {
    env: { FOOTFALL_PROT: '1' },
  })
  child.kill('SIGTERM')
  await ended
  const lines = output.stderr
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.match(lines[0].message, 'Unknown environment variable FOOTFALL_PROT is ignored.')
  assert.equal([lines[0].level, lines.at(-1).message], ['warn', 'stopped'])
})

test('diagnostics say nothing about files of other programs', () => {
  const other = folder.path('other.db')
  connect(other).exec('create table t (a)').close()
  const { status, stdout, stderr } = footfall(['diagnostics', '--data', other])
  assert.equal([status, stdout], [1, ''])
  assert.is(stderr, `${other} is a database of another program. Name another file with --data.\n`)
  writeFileSync(other, 'no database at all '.repeat(1000))
  assert.match(footfall(['diagnostics', '--data', other]).stdout, /was never Footfall's, name another file with --data/)
})

test('a wrong variable of the environment is a wrong command line, and named', () => {
  const { status, stderr } = footfall(['serve'], { env: { FOOTFALL_PORT: 'http' } })
  assert.is(stderr, "FOOTFALL_PORT takes a whole number from 0 to 65535, not 'http'.\n")
  assert.is(status, 2)
})

test('an unknown variable of the environment is a warning', () => {
  const { status, stderr } = footfall(['user', 'list'], {
    env: { FOOTFALL_PROT: '1', FOOTFALL_DATA: folder.path('none.db') },
  })
  assert.match(stderr, 'Unknown environment variable FOOTFALL_PROT is ignored. Did you mean FOOTFALL_PORT?\n')
  assert.match(
    stderr,
    `There is no database ${folder.path('none.db')}. Start 'footfall serve' first, or name the file with --data.\n`,
  )
  assert.is(status, 1)
})

const bugs: [what: string, code: string][] = [
  ['an exception that nobody catches', "setTimeout(() => { throw new TypeError('it is broken') }, 0)"],
  ['a rejection that nobody handles', "Promise.reject(new TypeError('it is broken'))"],
]

for (const [index, [what, code]] of bugs.entries()) {
  test(`${what} ends the program with its message alone; only the log level debug shows more`, () => {
    const fault = folder.path(`fault-${index}.cjs`)
    writeFileSync(fault, `if (process.argv[2] === 'serve') setTimeout(() => { ${code} }, 300)`)
    const program = {
      name: 'with a fault',
      command: [process.execPath, '--require', fault, ...sources.command.slice(1)] as const,
    }
    const serve = (level: string) =>
      footfall(['serve', '--port', '0', '--data', folder.path(`fault-${index}.db`), '--log-level', level], { program })
    const { status, stderr } = serve('error')
    assert.is(
      stderr,
      'it is broken\nThis is a bug in Footfall. Please report it with the output of --log-level debug.\n',
    )
    assert.is(status, 1)
    assert.match(serve('debug').stderr, `TypeError: it is broken\n    at `)
  })
}

for (const program of programs)
  needs(...program.needs)(`${program.name}: a reader that goes away is no failure`, () => {
    const [file, ...words] = program.command
    const shell = `set -o pipefail; '${[file, ...words].join("' '")}' serve --help | true`
    const { status, stderr } = footfall(['-c', shell], { program: { name: 'bash', command: ['bash'] } })
    assert.is(stderr, '')
    assert.is(status, 0)
  })

test('an output that cannot be written is one', () => {
  const [file, ...words] = sources.command
  const { status, stderr } = footfall(['-c', `'${[file, ...words].join("' '")}' --help > /dev/full`], {
    program: { name: 'bash', command: ['bash'] },
  })
  assert.is(stderr, '')
  assert.is(status, 1)
})

test.run()
