// The words of a question, as they are compared: lower case, without accents.

/** A word: as it was typed, and as it is compared. */
export type Token = { raw: string; word: string }

/** Longer texts are cut: the endpoint takes 300 characters, hence about 150 words of one letter. */
const maxTokens = 100

/** Lower case without accents; ß is ss, ø is o, œ is oe. */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('œ', 'oe')

const isPath = (text: string): boolean => /^\/\S/.test(text) || text === '/'
/** 2026-05-01, 1.5.2026, 1/5, chatgpt.com, utm_source */
const isWhole = (text: string): boolean =>
  /^\d{1,4}([-./])\d{1,2}(?:\1(?:\d{1,4})?)?$/.test(text) || /^[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,6}$/u.test(text)

const pieces = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}_]+|%/gu) ?? []

/** A statement for a database is no question. */
const isStatement = (text: string): boolean =>
  /\b(?:select\b.+\bfrom|insert\s+into|update\b.+\bset|delete\s+from|(?:drop|alter|create|truncate)\s+(?:table|index|view|database)|truncate\s+\w+\s*;)\b/isu.test(
    text,
  )

/** The words of a text in their order. Paths, host names and dates are one word each. */
export const tokenize = (text: string): Token[] =>
  (isStatement(text) ? '' : text)
    .normalize('NFC')
    .split(/\s+/)
    .flatMap(chunk => {
      const bare = chunk.replace(/^[^\p{L}\p{N}/%]+/u, '').replace(/[^\p{L}\p{N}/%*_]{1,300}$/u, '')
      if (bare === '') return []
      return isPath(bare) || isWhole(bare) ? [bare] : pieces(bare)
    })
    .slice(0, maxTokens)
    .map(raw => ({ raw, word: fold(raw) }))
