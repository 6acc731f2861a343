import type { Handler } from '../server.ts'
import { type StaticFile, serveStatic, staticFile } from '../static.ts'
import { referenceHeaders, referencePage } from './page.ts'
import { readReference } from './read.ts'

/** Serves the API reference. It is large and rarely requested, hence made on the first request. */
export const createReferenceHandler = (document: () => unknown): Handler => {
  let page: StaticFile | null = null
  return serveStatic(
    () => (page ??= staticFile(referencePage(readReference(document())), 'text/html; charset=utf-8', referenceHeaders)),
  )
}
