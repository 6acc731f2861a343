import { invalidParam } from '../http/errors.ts'
import { canonicalLanguage } from '../lib/locale.ts'

/**
 * The language that a query asks for.
 * @throws ApiError 400 if it is none
 */
export const readLanguage = ({ lang }: { lang?: string | undefined }): string | undefined => {
  if (lang !== undefined && canonicalLanguage(lang) === null)
    throw invalidParam('lang', 'lang is not a valid language tag.')
  return lang
}
