import * as v from 'valibot'
import { query, run, type Db } from '../../database/query.ts'
import addHost from '../../sql/content.add-host.sql'
import addPage from '../../sql/content.add-page.sql'
import addTitle from '../../sql/content.add-title.sql'
import saveContent from '../../sql/content.save.sql'
import setTitle from '../../sql/content.set-title.sql'

const text = v.nullable(v.string())
const nothing = v.object({})
const page = { page: v.string(), host: v.string() }
const addHostQuery = query(addHost, v.object({ host: v.string() }), nothing)
const addQuery = query(addPage, v.object(page), nothing)
const addTitleQuery = query(addTitle, v.object({ title: text }), nothing)
const setTitleQuery = query(setTitle, v.object({ page: v.string() }), nothing)
const contentRow = v.object({ ...page, resource_type: text, author: text, published_at: text, title: text })
const saveQuery = query(saveContent, contentRow, nothing)

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
