// What the first migrations do with the visits and ids of version 0.1.0.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'
import { writeBaseFile } from '../support/base-file.ts'
import { withFolder } from '../support/folder.ts'

/** Works on a file of 0.1.0, then on the same file as today's version opens it. */
const migrated = <Before>(before: (db: Db) => Before, after: (db: Db, before: Before) => void): Promise<void> =>
  withFolder(folder => {
    const path = `${folder}/base.db`
    writeBaseFile(path)
    const old = connect(path)
    const found = before(old)
    old.close()
    const { db } = openDatabase(path)
    after(db, found)
    db.close()
  })

const rows = (db: Db, sql: string): any[] => db.prepare(sql).all()

/** The newest visit with further views, and how many it has. */
const newestVisit = `
  select session_id as id, max(id) / 1048576 as seen_at, page_id as exit_page_id,
    (select count(*) from view o where o.session_id = v.session_id) as views
  from view v
  where session_id = (
    select session_id from view group by session_id having count(*) > 1 order by max(id) desc limit 1
  )`
const visitOf = (db: Db, id: number): any =>
  rows(db, `select views, events, exit_page_id, ended_at from session where id = ${id}`)[0]

/** Leaves the visit as 0.1.0 did when it was killed before it wrote what further views add, as the newest of the file. */
const interrupt = (db: Db): { visit: any; counted: any } => {
  const [visit] = rows(db, newestVisit)
  const counted = visitOf(db, visit.id)
  db.exec(`
    delete from event_property where event_id > ${(visit.seen_at + 1) * 2 ** 20};
    delete from event where id > ${(visit.seen_at + 1) * 2 ** 20};
    delete from view where id > ${(visit.seen_at + 1) * 2 ** 20};
    update session set views = 1, events = 0, ended_at = started_at, exit_page_id = entry_page_id where id = ${visit.id}`)
  return { visit, counted }
}

test('visits of a 0.1.0 that was killed are counted again', () =>
  migrated(
    db => {
      const left = interrupt(db)
      db.exec("delete from installation where name = 'written'")
      return left
    },
    (db, { visit, counted }) => {
      const found = visitOf(db, visit.id)
      assert.is(found.views, visit.views)
      assert.is(found.events, counted.events)
      assert.is(found.exit_page_id, visit.exit_page_id)
      assert.ok(found.ended_at >= visit.seen_at)
    },
  ))

test('after an orderly stop nothing is counted again, and its mark is gone', () =>
  migrated(
    db => {
      const left = interrupt(db)
      db.exec("insert into installation (name, value) values ('written', '{}') on conflict do nothing")
      return left
    },
    (db, { visit }) => {
      assert.is(visitOf(db, visit.id).views, 1)
      assert.equal(rows(db, "select name from installation where name = 'written'"), [])
    },
  ))

test('ids that detect duplicates are all kept', () =>
  migrated(
    db => {
      db.exec(`
        insert into recent_short_view (pvid, visitor_id, view_id) values ('short-id', 1, 5);
        insert into recent_short_event (event_key, visitor_id, event_id) values ('short-id', 1, 5);
        insert or ignore into recent_view (view_id, hash) values (7, x'0011223344556677');
        insert or ignore into recent_event (event_id, hash) values (7, x'7766554433221100');`)
      return rows(
        db,
        `select 'view' as kind, 0 as visitor_id, hex(hash) as key, view_id as id from recent_view
        union all select 'view', visitor_id, hex(pvid), view_id from recent_short_view
        union all select 'event', 0, hex(hash), event_id from recent_event
        union all select 'event', visitor_id, hex(event_key), event_id from recent_short_event
        order by 1, 2, 3, 4`,
      )
    },
    (db, before) => {
      assert.ok(before.length >= 4)
      assert.equal(rows(db, 'select kind, visitor_id, hex(key) as key, id from recent_id order by 1, 2, 3, 4'), before)
    },
  ))

test.run()
