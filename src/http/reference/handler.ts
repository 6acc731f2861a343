import type { Handler } from '../server.ts'
import { sendStatic, staticFile, type StaticFile } from '../static.ts'
import { referenceHeaders, referencePage } from './page.ts'
import { readReference } from './read.ts'

/** Serves the API reference. It is large and rarely requested, hence made on the first request. */
export const createReferenceHandler = (path: string, document: () => unknown): Handler => {
  let page: StaticFile | null = null
  return (request, response) => {
    const [asked = ''] = (request.url ?? '').split('?', 1)
    if (asked !== path || (request.method !== 'GET' && request.method !== 'HEAD')) return false
    page ??= staticFile(referencePage(readReference(document())), 'text/html; charset=utf-8', referenceHeaders)
    sendStatic(request, response, page)
    return true
  }
}
