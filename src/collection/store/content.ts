import * as v from 'valibot'
import { type Db, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import sqlText from '../../sql/content-store.sql'

const sql = statements(sqlText)

const text = v.nullable(v.string())
const page = { page: v.string(), host: v.string() }
const addHostQuery = query(sql('content.add-host'), v.object({ host: v.string() }))
const addQuery = query(sql('content.add-page'), v.object(page))
const addTitleQuery = query(sql('content.add-title'), v.object({ title: text }))
const setTitleQuery = query(sql('content.set-title'), v.object({ page: v.string() }))
const contentRow = v.object({ ...page, resource_type: text, author: text, published_at: text, title: text })
const saveQuery = query(sql('content.save'), contentRow)

/** What the CMS pushes about a page. */
export type ContentItem = v.InferOutput<typeof contentRow>

/** Stores what the CMS pushes about its pages, including those without views. */
export type ContentStore = { save: (items: readonly ContentItem[]) => void }

export const createContent = (db: Db): ContentStore => ({
  save: items =>
    db
      .transaction(() => {
        for (const item of items) {
          const { page, host, title } = item
          run(db, addHostQuery, { host })
          run(db, addQuery, { page, host })
          run(db, addTitleQuery, { title })
          run(db, saveQuery, item)
          run(db, setTitleQuery, { page })
        }
      })
      .immediate(),
})
