// The model of a power cut, and a short drill with it.

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { createFixture } from './fixture.ts'
import { createPowerCut } from './power/cut-command.ts'
import { createDisk } from './power/disk.ts'
import { runPowerRounds } from './power/power-rounds.ts'
import { type Call, parseTrace } from './power/trace.ts'
import { createRandomSource } from './random.ts'
import { commandScenarios } from './scenarios/index.ts'

const drill = needs('the executable', 'strace')
const seed = Number(process.env.DRILL_SEED ?? 1)

const hex = (text: string): string =>
  [...Buffer.from(text)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

test('a record of calls is read in the order in which they ended, failed ones left out', () => {
  const [file, folder] = [`7<${hex('/data/a.db')}>`, `9<${hex('/data')}>`]
  const trace = [
    `11 openat(AT_FDCWD<${hex('/')}>, "${hex('/data/a.db')}", O_RDWR|O_CREAT|O_CLOEXEC, 0600) = ${file}`,
    `11 openat(AT_FDCWD<${hex('/')}>, "${hex('/data/b')}", O_RDONLY) = 8<${hex('/data/b')}>`,
    `12 fdatasync(${file} <unfinished ...>`,
    `11 pwrite64(${file}, "${hex('hello')}", 5, 4096) = 5`,
    `11 write(3<${hex('socket:[77]')}>, "${hex('HTTP/1.1 204')}", 12) = 12`,
    '12 <... fdatasync resumed>) = 0',
    `11 pwrite64(${file}, "${hex('no')}", 2, 0) = -1 ENOSPC (No space left on device)`,
    `11 writev(${file}, [{iov_base="${hex('ab')}", iov_len=2}, {iov_base="${hex('cd')}", iov_len=2}], 2) = 3`,
    `11 ftruncate(${file}, 100) = 0`,
    `11 rename("${hex('/data/a.db')}", "${hex('/data/c.db')}") = 0`,
    `11 fsync(${folder}) = 0`,
    `11 unlink("${hex('/data/c.db')}") = 0`,
    '12 +++ exited with 0 +++',
  ]
  const calls: Call[] = [
    { do: 'create', path: '/data/a.db', truncate: false },
    { do: 'write', path: '/data/a.db', at: 4096, bytes: Buffer.from('hello') },
    { do: 'answer', text: 'HTTP/1.1 204' },
    { do: 'sync', path: '/data/a.db', since: 1 },
    { do: 'write', path: '/data/a.db', at: null, bytes: Buffer.from('abc') },
    { do: 'truncate', path: '/data/a.db', size: 100 },
    { do: 'rename', path: '/data/c.db', from: '/data/a.db' },
    { do: 'sync', path: '/data', since: 7 },
    { do: 'remove', path: '/data/c.db' },
  ]
  assert.equal(parseTrace(trace.join('\n')), calls)
  assert.throws(() => parseTrace(`11 sendfile(${file}, ${folder}, NULL, 5) = 5`), /does not know what sendfile/)
})

const random = createRandomSource(seed)

/** Everything that cuts can leave of some calls. */
const outcomes = (calls: readonly Call[], before: Record<string, string> = {}): Set<string> => {
  const found = new Set<string>()
  for (let tries = 0; tries < 300; tries++) {
    const disk = createDisk(new Map(Object.entries(before).map(([path, text]) => [path, Buffer.from(text)])))
    for (const call of calls) disk.take(call)
    const left = [...disk.cut(random)].sort(([one], [other]) => (one < other ? -1 : 1))
    found.add(left.map(([path, bytes]) => `${path}=${bytes.toString()}`).join(' '))
  }
  return found
}

const write = (path: string, at: number | null, text: string): Call => ({
  do: 'write',
  path,
  at,
  bytes: Buffer.from(text),
})
const sync = (path: string, since: number): Call => ({ do: 'sync', path, since })
const create = (path: string): Call => ({ do: 'create', path, truncate: false })

test('a cut leaves what was synced, and any part of the rest', () => {
  const before = { '/d/a': 'old' }
  const cases: [string, Call[], string[]][] = [
    ['a write', [write('/d/a', 0, 'new')], ['/d/a=new', '/d/a=old']],
    ['a synced write', [write('/d/a', 0, 'new'), sync('/d/a', 1)], ['/d/a=new']],
    ['a write during a sync', [write('/d/a', 0, 'new'), sync('/d/a', 0)], ['/d/a=new', '/d/a=old']],
    ['a write after a sync', [sync('/d/a', 0), write('/d/a', 0, 'new')], ['/d/a=new', '/d/a=old']],
    ['a truncation', [{ do: 'truncate', path: '/d/a', size: 1 }], ['/d/a=o', '/d/a=old']],
    ['a new file, synced', [create('/d/b'), write('/d/b', 0, 'x'), sync('/d/b', 2)], ['/d/a=old', '/d/a=old /d/b=x']],
    [
      'a new file, synced with its folder',
      [create('/d/b'), write('/d/b', 0, 'x'), sync('/d/b', 2), sync('/d', 3)],
      ['/d/a=old /d/b=x'],
    ],
    [
      'a replacement whose content was synced',
      [create('/d/b'), write('/d/b', null, 'new'), sync('/d/b', 2), { do: 'rename', from: '/d/b', path: '/d/a' }],
      ['/d/a=new', '/d/a=old', '/d/a=old /d/b=new'],
    ],
    [
      'a replacement that was not synced',
      [create('/d/b'), write('/d/b', null, 'new'), { do: 'rename', from: '/d/b', path: '/d/a' }, sync('/d', 3)],
      ['/d/a=', '/d/a=new'],
    ],
    ['a second name', [{ do: 'link', from: '/d/a', path: '/d/c' }, sync('/d', 1)], ['/d/a=old /d/c=old']],
    ['a removal', [{ do: 'remove', path: '/d/a' }], ['', '/d/a=old']],
    ['a removal, synced', [{ do: 'remove', path: '/d/a' }, sync('/d', 1)], ['']],
  ]
  for (const [what, calls, left] of cases) assert.equal([...outcomes(calls, before)].sort(), left.sort(), what)
})

test('a write is torn between sectors of 512 bytes, nowhere else', () => {
  const found = outcomes([write('/d/a', 500, 'n'.repeat(524))], { '/d/a': 'o'.repeat(1024) })
  const parts = (first: string, second: string): string =>
    `/d/a=${'o'.repeat(500)}${first.repeat(12)}${second.repeat(512)}`
  assert.equal([...found].sort(), [parts('n', 'n'), parts('n', 'o'), parts('o', 'n'), parts('o', 'o')].sort())
})

drill('after a power cut at any moment everything answered is there, and the file is intact', async () => {
  const fixture = createFixture()
  try {
    const { answers, cuts } = await runPowerRounds(fixture, 60, createRandomSource(seed))
    assert.ok(answers > 0 && cuts === 60)
  } finally {
    fixture.remove()
  }
})

/** Those that replace or make files; the whole drill does all. */
const cut = ['archive', 'backup', 'restore', 'migration']
for (const { name, prepare } of commandScenarios.filter(scenario => cut.includes(scenario.name)))
  drill(`a power cut in the middle of ${name} loses nothing`, async () => {
    const fixture = createFixture()
    try {
      const source = createRandomSource(seed)
      const round = await prepare(fixture, source, 300)
      fixture.powerCut = createPowerCut(fixture.path(''), source)
      await round()
    } finally {
      fixture.remove()
    }
  })

test.run()
