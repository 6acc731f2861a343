// Which texts of answers are known to the site, as the API says it.
import { isPlain } from '../commands/report-tables.ts'
import { maxText, maxTexts } from '../endpoints/known-texts.ts'
import { ApiError } from '../http/errors.ts'
import type { Api } from './api.ts'

export type KnownTexts = (texts: readonly string[]) => Promise<ReadonlySet<string>>

const ask = async (texts: readonly string[], api: Api): Promise<string[]> => {
  try {
    const { body } = await api({ method: 'POST', path: '/known-texts', body: { texts } })
    return isPlain(body) && Array.isArray(body.known) ? body.known.filter(text => typeof text === 'string') : []
  } catch (error) {
    // A password with filters, or an older service.
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return []
    throw error
  }
}

/** Of a service that does not say which texts are known, none are. */
export const askKnownTexts =
  (api: Api): KnownTexts =>
  async texts => {
    const asked = texts.filter(text => text.length <= maxText)
    const known = new Set<string>()
    for (let start = 0; start < asked.length; start += maxTexts)
      for (const text of await ask(asked.slice(start, start + maxTexts), api)) known.add(text)
    return known
  }
