// Query parameters that a report does not take are never passed over in silence (api.md §4).
import { invalidParam } from '../http/errors.ts'
import { canonicalLanguage } from '../lib/locale.ts'
import { nearest } from '../lib/nearest.ts'
import { filterKeys, isPropertyFilter } from './filters/table.ts'

/** Names of the platform, which work on every route. */
const isPlatforms = (name: string): boolean => name.startsWith('_') || name === 'rest_route'

const filters: readonly string[] = filterKeys

/** Shorter names are too close to too many others. */
const minLength = 4
const longLength = 7
/** Longer names are no misspelt parameter, and would take long to compare. */
const maxLength = 40
const maxListed = 50

const misspelt = (name: string, known: readonly string[]): string | undefined =>
  name.length < minLength || name.length > maxLength
    ? undefined
    : nearest(name, known, name.length < longLength ? 1 : 2)

/** The names of a query, without the brackets of lists. */
export const namesIn = (query: URLSearchParams): string[] => [
  ...new Set([...query.keys()].map(key => key.replace(/\[.*$/s, ''))),
]

/**
 * The given names that a report ignores; `meta.ignored` lists them.
 * @param known the parameters of the report
 * @param strict whether none is ignored
 * @throws ApiError 400 for one that is probably misspelt, and for a filter that the report does not take
 */
export const ignoredNames = (given: readonly string[], known: readonly string[], strict: boolean): string[] => {
  const isKnown = (name: string): boolean =>
    known.includes(name) || (isPropertyFilter(name) && known.includes('property'))
  const unknown = given.filter(name => !isKnown(name) && !isPlatforms(name))
  for (const name of unknown) {
    if (filters.includes(name) || isPropertyFilter(name)) {
      const taken = known.filter(one => filters.includes(one))
      const help = taken.length === 0 ? '' : ` It takes ${taken.join(', ')}.`
      throw invalidParam(name, `This report does not take the filter ${name}.${help}`)
    }
    const meant = misspelt(name, known)
    if (meant !== undefined) throw invalidParam(name, `There is no parameter ${name}. Did you mean ${meant}?`)
    if (strict) throw invalidParam(name, `There is no parameter ${name}. Parameters: ${known.join(', ')}.`)
  }
  return unknown.slice(0, maxListed).map(name => name.slice(0, maxLength))
}

/** The language that a query asks for. */
export const readLanguage = ({ lang }: { lang?: string | undefined }): string | undefined => {
  if (lang !== undefined && canonicalLanguage(lang) === null)
    throw invalidParam('lang', 'lang is not a valid language tag.')
  return lang
}
