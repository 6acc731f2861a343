// The programs of docs/backend.md, run as they are written but for the address and the password.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createAppPassword } from '../../src/identity/app-passwords.ts'
import { needs } from '../support/needs.ts'
import type { ProgramName } from '../support/programs.mjs'
import { withService } from '../support/service.ts'

const run = promisify(execFile)
const programs = [...readFileSync('docs/backend.md', 'utf8').matchAll(/^```(\w+)\n(.*?)^```/gms)]
  .map(([, language = '', text = '']) => ({ language, text }))
  .filter(({ text }) => text.includes('footfall.example.org/'))

/** How a program in a file is run, and what that needs. */
const runners: Record<string, { needs: ProgramName[]; file: string; command: [string, ...string[]] }> = {
  php: { needs: ['php'], file: 'a.php', command: ['php'] },
  python: { needs: ['python3'], file: 'a.py', command: ['python3'] },
  js: { needs: [], file: 'a.mjs', command: [process.execPath] },
  go: { needs: ['go'], file: 'a.go', command: ['go', 'run'] },
  ruby: { needs: ['ruby'], file: 'a.rb', command: ['ruby'] },
}

const counts = (text: string, runner: (typeof runners)[string]): Promise<void> =>
  withService(
    { flags: { siteUrl: 'https://www.example.org', plausibleApi: 'true' } },
    async ({ service, file, clock }) => {
      const { db } = openDatabase(file)
      const folder = mkdtempSync(join(tmpdir(), 'footfall-client-'))
      try {
        const limits = { login: 'admin', name: 'client', scopes: ['collect' as const] }
        const { password } = createAppPassword(db, limits, Math.floor(clock.now / 1000))
        const path = join(folder, runner.file)
        writeFileSync(path, text.replace('https://footfall.example.org', service.url).replace('PASSWORD', password))
        const [program, ...args] = runner.command
        const env = { ...process.env, GOCACHE: join(folder, 'cache'), GOFLAGS: '-mod=mod' }
        const { stdout, stderr } = await run(program, [...args, path], { env, cwd: folder })
        assert.equal([stdout, stderr], ['', ''])
        const all = (query: string): unknown[] => db.prepare(query).pluck().all()
        const counted = {
          visitors: all('select count(*) from session'),
          pages: all('select p.path from view join page p on p.id = page_id'),
          events: all('select n.text from event join label n on n.id = name_id'),
          properties: all('select v.text from event_property join label v on v.id = value_id'),
        }
        assert.equal(counted, { visitors: [1], pages: ['/pricing'], events: ['signup'], properties: ['pro'] })
      } finally {
        db.close()
        rmSync(folder, { recursive: true })
      }
    },
  )

for (const [at, { language, text }] of programs.entries()) {
  const runner = runners[language]
  if (runner === undefined) throw new Error(`Nothing runs ${language}.`)
  needs(...runner.needs)(`${at + 1}: the ${language} of docs/backend.md counts a page view and an event`, () =>
    counts(text, runner),
  )
}

test('there is one in each language, and one for the events API of Plausible', () => {
  const languages = programs.map(({ language }) => language)
  assert.equal(languages, ['php', 'python', 'js', 'go', 'ruby', 'python'])
})

test.run()
