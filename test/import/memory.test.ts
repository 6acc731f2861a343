// Files may be larger than memory: what an import keeps does not grow with its rows.
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { footfallBeside } from '../support/program.ts'
import { firefox } from '../support/service.ts'

/**
 * A heap that the rows of the large file do not fit in; its young part small as well, since Node sizes that by the machine
 * and by how long a collection takes. The peak of all memory is printed at the end.
 */
const told = `data:text/javascript,process.on('exit',()=>console.error('peak:'+process.resourceUsage().maxRSS))`
const littleMemory = { NODE_OPTIONS: `--max-old-space-size=48 --max-semi-space-size=2 --import=${told}` }

type Rows = { flags: readonly string[]; header: string; row: (index: number, at: string) => string }

/** Of visits with four views, every one by another visitor. */
const umami: Rows = {
  flags: ['--format', 'umami'],
  header: 'session_id,visit_id,event_id,hostname,url_path,page_title,event_type,created_at',
  row: (index, at) => {
    const visit = Math.floor(index / 4)
    return `session-${visit},visit-${visit},event-${index},example.org,/page/${index % 997},${'Title '.repeat(20)},1,${at}`
  },
}

const accessLog: Rows = {
  flags: ['--format', 'access-log'],
  header: '',
  row: (index, at) => {
    const [date, time] = at.split(' ')
    const address = `${(index >> 8) % 200}.${index % 251}.7.9`
    const page = index % 3 === 0 ? `/page/${index % 997}` : `/assets/${index % 400}.js`
    return `${address} - - [${date?.slice(8)}/Mar/2026:${time} +0000] "GET ${page} HTTP/1.1" 200 9 "-" "${firefox}"`
  },
}

const seconds = 20 * 86_400

/** A file of rows that are spread over twenty days. */
const write = (path: string, { header, row }: Rows, rows: number): void => {
  const file = openSync(path, 'w')
  if (header !== '') writeSync(file, `${header}\n`)
  for (let index = 0; index < rows; index += 1000) {
    const lines = Array.from({ length: 1000 }, (_, offset) => {
      const at = new Date(Date.UTC(2026, 2, 1) + Math.floor(((index + offset) / rows) * seconds) * 1000)
      return row(index + offset, at.toISOString().slice(0, 19).replace('T', ' '))
    })
    writeSync(file, `${lines.join('\n')}\n`)
  }
  closeSync(file)
}

/** The most memory that an import of so many rows takes, in MiB. */
const peakOf = async (folder: string, rows: Rows, count: number): Promise<number> => {
  const path = join(folder, `${count}.txt`)
  write(path, rows, count)
  const args = ['import', path, ...rows.flags, '--timezone', 'UTC', '--data', join(folder, `${count}.db`)]
  const { status, stderr } = await footfallBeside(args, { env: littleMemory })
  assert.is(status, 0, stderr)
  return Number(/peak:(\d+)/.exec(stderr)?.[1]) / 1024
}

const few = 15_000
const many = 10 * few
/** What SQLite may keep of the file and of the rows that wait, and the heap. */
const caches = 2 * 64 + 48

for (const [name, rows] of [
  ['a history of single visits', umami],
  ['an access log', accessLog],
] as const)
  test(`${name} with ten times the rows takes no more memory than its caches`, () =>
    withFolder(async folder => {
      const [small, large] = [await peakOf(folder, rows, few), await peakOf(folder, rows, many)]
      assert.ok(large > 0 && large < small + caches, `${Math.round(small)} MiB, ${Math.round(large)} MiB`)
    }))

test.run()
