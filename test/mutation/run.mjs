// `npm run mutation -- FOLDER… [--tests WORD,…] [--lines NUMBER] [--seed NUMBER]`: changes the code of folders of src by Stryker, one
// small fault at a time, and runs their tests: what survives is held by none of them. `--lines` takes so many lines at random instead of
// all. The tests are those below test/ with the same path or that of a folder above it; of them all that need no other program.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { dist, root } from '../../bundle.mjs'

const fail = message => {
  console.error(`mutation: ${message}`)
  process.exit(2)
}

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: 'string' }, lines: { type: 'string' }, seed: { type: 'string', default: '1' } },
})
if (folders.length === 0) fail('name a folder: npm run mutation -- src/reports/goals --lines 40')

const filesIn = folder => {
  const files = globSync(`${folder}/**/*.ts`, { cwd: root }).sort()
  return files.length > 0 ? files : fail(`${folder} has no .ts files`)
}

/** The beginning of the paths of its tests: with the same path, or that of the nearest folder above it. */
const wordOf = path => {
  const word = `test/${path}`
  if (globSync([`${word}*.test.ts`, `${word}/**/*.test.ts`], { cwd: root }).length > 0) return word
  return path.includes('/') ? wordOf(dirname(path)) : fail(`src/${path} has no tests below test/: name them by --tests`)
}

/** Numbers from 0 to below 1, the same for the same seed. */
const randomFrom = seed => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const isCode = line => !/^\s*(?:$|\/\/|\/?\*|import |export \{|\}|\]|\))/.test(line)

/** So many lines of code as Stryker's ranges. */
const someLines = (files, count, random) => {
  const lines = files.flatMap(file =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (isCode(line) ? [`${file}:${index + 1}-${index + 1}`] : [])),
  )
  const chosen = []
  while (chosen.length < count && lines.length > 0) chosen.push(...lines.splice(Math.floor(random() * lines.length), 1))
  return chosen.sort()
}

const files = folders.flatMap(filesIn)
const words = values.tests?.split(',') ?? folders.map(folder => wordOf(folder.replace(/^src\/|\/$/g, '')))
const outside = ['-browser', '-test/wordpress/', '-drill/', '-packaging/', '-operate/proxy', '-executable', '-bench']
const tests = ['./base-node', 'test/run.mjs', ...words, ...outside]
const output = join(dist, 'mutation')
/** Stryker and its packages, outside the folders that tests and tools read. */
const tool = join(output, 'stryker')
const config = join(output, 'config.json')

mkdirSync(output, { recursive: true })
writeFileSync(
  config,
  JSON.stringify({
    mutate:
      values.lines === undefined ? files : someLines(files, Number(values.lines), randomFrom(Number(values.seed))),
    testRunner: 'command',
    // Threads and programs that tests start read the built service; its own build command comes before the packages.
    commandRunner: {
      command: `([ -e dist/main.cjs ] || ./base-node build.mjs --bundle) && ${tests.join(' ')}`,
    },
    checkers: [],
    // It would rewrite paths in it by an interface that TypeScript 7 lacks, and nothing here reads it.
    tsconfigFile: 'none',
    plugins: [],
    concurrency: 1,
    dryRunTimeoutMinutes: 60,
    timeoutMS: 60_000,
    timeoutFactor: 3,
    // Sentences are held by tests over all texts, not by those of a folder.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignorePatterns: ['/dist'],
    tempDirName: join(output, 'copy'),
    reporters: ['clear-text', 'progress-append-only', 'json'],
    jsonReporter: { fileName: join(output, 'report.json') },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    allowConsoleColors: false,
  }),
)

const stryker = join(tool, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const run = (command, args, cwd) =>
  spawnSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, BAIL: '1' } })
if (!existsSync(stryker)) {
  mkdirSync(tool, { recursive: true })
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(root, 'test/mutation', name), join(tool, name))
  if (run('npm', ['ci'], tool).status !== 0) fail('npm ci of Stryker failed')
}
process.exit(run(process.execPath, [stryker, 'run', config], root).status ?? 1)
