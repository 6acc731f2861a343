// The language of sentences in a response.
import * as v from 'valibot'
import type { Identity } from './endpoint.ts'

/** Query entry of a resource whose sentences are translated. */
export const languageEntry = {
  lang: v.optional(v.pipe(v.string(), v.maxLength(35), v.description("Language of sentences; default: the caller's."))),
}

type Request = { query: { lang?: string | undefined }; identity: Identity | null }

/** The language that a request asks for, or that of its caller. */
export const languageOf = ({ query: { lang }, identity }: Request): string => lang ?? identity?.locale ?? 'en'
