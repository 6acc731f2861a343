// What visits have gained may be written later than their views: a start after a crash counts it again, one after a
// stop in order need not.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '../../src/database/query.ts'
import { withFile } from '../support/file.ts'
import { withService } from '../support/service.ts'

const viewsOf = (file: string): unknown => withFile(file, db => db.prepare('select views from session').pluck().all())
const isNoted = (file: string): boolean =>
  withFile(file, db => db.prepare("select count(*) from installation where name = 'written'").pluck().get()) === 1
const lose = (db: Db): void => {
  db.exec('update session set views = 1')
}

test('only after a crash are visits counted again', () =>
  withService({}, async running => {
    const { file, hit } = running
    for (const page of ['/', '/a', '/b']) await hit({ page_url: page })
    assert.not.ok(isNoted(file), 'while the service runs a crash may come')
    await running.restart(async () => {
      assert.ok(isNoted(file))
      assert.equal(viewsOf(file), [3])
      withFile(file, lose)
    })
    assert.equal(viewsOf(file), [1], 'what a stop in order has left is believed')
    assert.not.ok(isNoted(file), 'the next crash may come')
    await running.restart(async () => {
      withFile(file, db => {
        lose(db)
        db.exec("delete from installation where name = 'written'")
      })
    })
    assert.equal(viewsOf(file), [3])
  }))

test.run()
