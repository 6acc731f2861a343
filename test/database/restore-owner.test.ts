// A restore that root runs for a service with a user of its own.
import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { backup, rotateBackups } from '../../src/database/backup.ts'
import { openDatabase } from '../../src/database/open.ts'
import { restore } from '../../src/database/restore.ts'
import { withFolder } from '../support/folder.ts'
import { needs } from '../support/needs.ts'

/** Any user but root, and a group of another number. */
const [user, group] = [4242, 4343]

const ownerOf = (path: string): number[] => {
  const { uid, gid, mode } = statSync(path)
  return [uid, gid, mode & 0o777]
}

const make = (path: string): string => {
  openDatabase(path).db.close()
  return path
}

const asRoot = needs('root')

asRoot('a restore by root leaves the file to the owner and group of the replaced one', () =>
  withFolder(folder => {
    const data = make(join(folder, 'footfall.db'))
    const copy = join(folder, 'copy.db')
    backup(data, copy, false)
    assert.equal(ownerOf(copy), [0, 0, 0o600])
    chownSync(data, user, group)
    const { path, kept } = restore(copy, data, 'now')
    assert.equal(ownerOf(path), [user, group, 0o600])
    assert.equal(ownerOf(kept ?? ''), [user, group, 0o600], 'the kept file stays with its owner')
  }),
)

asRoot('a backup by root, and the folder it makes, belong to the owner of the file, who can restore it', () =>
  withFolder(folder => {
    const data = make(join(folder, 'footfall.db'))
    chownSync(data, user, group)
    const nightly = join(folder, 'nightly')
    rotateBackups(data, nightly, '2026-03-01', 2)
    assert.equal(ownerOf(nightly), [user, group, 0o700])
    assert.equal(ownerOf(join(nightly, 'footfall-2026-03-01.db')), [user, group, 0o600])
  }),
)

asRoot('a restore by root where there was no file leaves it to root', () =>
  withFolder(folder => {
    const copy = join(folder, 'copy.db')
    backup(make(join(folder, 'footfall.db')), copy, false)
    assert.equal(ownerOf(restore(copy, join(folder, 'new.db'), 'now').path), [0, 0, 0o600])
  }),
)

test('a restore by the owner keeps owner and mode', () =>
  withFolder(folder => {
    const data = make(join(folder, 'footfall.db'))
    const copy = join(folder, 'copy.db')
    backup(data, copy, false)
    const before = ownerOf(data)
    assert.equal(ownerOf(restore(copy, data, 'now').path), before)
  }))

test.run()
