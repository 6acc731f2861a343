import * as v from 'valibot'
import { query, run, type Db } from '../../database/query.ts'
import addPage from '../../sql/content.add-page.sql'
import saveContent from '../../sql/content.save.sql'

const text = v.nullable(v.string())
const nothing = v.object({})
const addQuery = query(addPage, v.object({ page: v.string() }), nothing)
const contentRow = v.object({ page: v.string(), resource_type: text, author: text, published_at: text, title: text })
const saveQuery = query(saveContent, contentRow, nothing)

/** What the CMS reports about a page. */
export type ContentItem = v.InferOutput<typeof contentRow>

/** Stores what the CMS reports about its pages, including those without views. */
export type ContentStore = { save: (items: readonly ContentItem[]) => void }

export const createContent = (db: Db): ContentStore => ({
  save: items =>
    db
      .transaction(() => {
        for (const item of items) {
          run(db, addQuery, { page: item.page })
          run(db, saveQuery, item)
        }
      })
      .immediate(),
})
