// Version 0.1.0 and today's as Debian packages, one installed after the other on this machine: what the first counted, and who may read
// it, is there with the second.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { differences, holdAnswers, recorded, today, writeBaseFile } from '../support/base-file.ts'
import { send } from '../support/base-request.ts'
import {
  data,
  isMachineFree,
  makeStateDirectory,
  removeService,
  takeMachine,
  whileServing,
} from '../support/installed.ts'
import { temporaryFolder } from '../support/program.ts'
import { expect, expectSame } from './fixture.ts'

/** The last commit of version 0.1.0. */
const commit = '82dad1e9'
const base = resolve('dist/base-0.1.0')
const options = '/etc/footfall/footfall.env'

const run = (command: string, args: readonly string[], cwd = '.'): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 30 })

/** The package of version 0.1.0, built by what that commit builds with, once. */
const packageOfBase = (): string => {
  const file = join(base, 'dist/packages/footfall_0.1.0_amd64.deb')
  if (existsSync(file)) return file
  rmSync(base, { recursive: true, force: true })
  mkdirSync(base, { recursive: true })
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', base], { input: archive })
  run('npm', ['ci'], base)
  run('npm', ['run', 'package', '--', 'x64'], base)
  return file
}

/** The package of the executable that is built. */
const packageOfToday = (): string => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const file = resolve(`dist/packages/footfall_${version}_amd64.deb`)
  const isPacked = existsSync(file) && statSync(file).mtimeMs > statSync('dist/footfall').mtimeMs
  if (!isPacked) run(process.execPath, ['packaging/package.mjs', 'x64'])
  return file
}

const versionOf = (): string => run('dpkg-query', ['-W', 'footfall']).trim().split('\t')[1] ?? ''

/** Hands a file to the service, as if it had written it. */
const giveToService = (folder: string): void => {
  makeStateDirectory()
  writeBaseFile(data, folder)
  const { uid, gid } = statSync('/var/lib/footfall')
  chownSync(data, uid, gid)
  chmodSync(data, 0o600)
}

/** Reports of fixed days, asked from the installed service; an answer says when it was made. */
const holdReports = async (
  url: string,
  requests: ReturnType<typeof recorded>,
  expected: (path: string, answered: { status: number; answer: unknown }) => unknown,
): Promise<number> => {
  const reports = requests.filter(({ about, path }) => about === undefined && path.includes('from='))
  for (const { at: _, status, answer, ...request } of reports) {
    const given = await send(url, request)
    const found = differences(
      { status: given.status, answer: given.answer },
      expected(request.path, { status, answer }),
    ).filter(line => !line.startsWith('/answer/meta/generated_at '))
    expectSame(found.slice(0, 3), [], request.path)
  }
  return reports.length
}

const upgrade = async (print: (line: string) => void, [older, newer]: readonly [string, string]): Promise<void> => {
  const folder = temporaryFolder()
  const made = folder.path('made')
  mkdirSync(made)
  try {
    takeMachine()
    run('dpkg', ['--install', older])
    print(`${versionOf()} is installed`)
    run(process.execPath, ['test/fixtures/base-0.1.0/make.mjs', '/usr/bin/footfall', made])
    const requests = recorded(made)
    print(`its file is filled, and ${requests.length} answers are recorded`)
    giveToService(made)
    writeFileSync(options, 'FOOTFALL_LOG_LEVEL=warn\n')
    await whileServing(async url => {
      print(`it answers ${await holdReports(url, requests, (_, answered) => answered)} reports as its user`)
    })

    run('dpkg', ['--install', newer])
    print(`${versionOf()} is installed over it`)
    expect(versionOf() !== '0.1.0', () => 'the version is still that of the old package')
    expectSame(readFileSync(options, 'utf8'), 'FOOTFALL_LOG_LEVEL=warn\n', 'the options')
    await whileServing(async url => {
      print(`it migrates the file, and answers ${await holdReports(url, requests, today)} reports alike`)
    })
    expectSame(statSync(data).mode & 0o777, 0o600, 'the mode of the file')
    const copy = folder.path('copy.db')
    for (const ending of ['', '.salts']) if (existsSync(data + ending)) copyFileSync(data + ending, copy + ending)
    await holdAnswers(copy, requests)
    print(
      `at their own moments, all ${requests.length} requests of reports, logins, tokens and links are answered alike`,
    )
  } finally {
    removeService()
    folder.remove()
  }
}

export const runUpgrade = async (print: (line: string) => void): Promise<void> => {
  expect(process.getuid?.() === 0 && isMachineFree(), () => 'upgrade needs root, on a Debian (x64) without Footfall')
  await upgrade(print, [packageOfBase(), packageOfToday()])
}
