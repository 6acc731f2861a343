// The language of sentences in a response.
import * as v from 'valibot'
import { acceptedLanguage } from '../lib/locale.ts'
import { chooseLanguage, type Language, languageNames } from '../lib/texts.ts'
import type { Call } from './endpoint.ts'

/** Query entry of a resource whose sentences are translated. */
export const languageEntry = {
  lang: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(35),
      v.description(`Language of the texts: ${languageNames.join(', ')}; default: the caller's.`),
    ),
  ),
}

type Caller = Pick<Call<unknown, unknown, unknown>, 'identity' | 'request'>

/** The language tags that a caller wants, the most wanted first. */
export const wantedLanguages = (
  requested: string | undefined,
  { identity, request }: Caller,
): (string | null | undefined)[] => [
  requested,
  identity?.locale,
  acceptedLanguage(request.headers.get('accept-language') ?? undefined),
]

export const languageOf = (requested: string | undefined, caller: Caller): Language =>
  chooseLanguage(wantedLanguages(requested, caller))
