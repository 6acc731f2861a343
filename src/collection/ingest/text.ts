// Bounded repetitions and a single possible position of the @ keep the search linear on hostile text.
const emailLike = /(?:(?!%40)[^\s/?#&=;,@]){1,64}(?:@|%40)(?:(?!%40)[^\s/?#&=;,@]){1,255}\.[^\s/?#&=;,@.]{2,63}/gi
const secretLike = /(^|[/])[A-Za-z0-9+_=-]{32,}(?=$|[/])/g
const controls = /[\u0000-\u001f\u007f]+/g

export const redacted = '(redacted)'

/** Truncates, never within a surrogate pair; lone surrogates, which UTF-8 cannot encode, are replaced. */
export const cut = (text: string, length: number): string =>
  (text.length <= length
    ? text
    : /[\ud800-\udbff]/.test(text.charAt(length - 1))
      ? text.slice(0, length - 1)
      : text.slice(0, length)
  ).toWellFormed()

/** Text from a visitor as one trimmed line; '' if nothing is left. */
export const cleanText = (text: string): string => text.replace(controls, ' ').trim()

/** Replaces e-mail addresses with `(redacted)`. */
export const redactText = (text: string): string =>
  text.includes('@') || text.includes('%40') ? text.replace(emailLike, redacted) : text

const hexOnly = /^[0-9a-f]+$/i

/**
 * Readable slugs are long, too, but consist of words: with hyphens or underscores, a segment is a token if it is a
 * UUID, or has a part that is too long or too mixed to be a word.
 */
const isToken = (segment: string): boolean => {
  const pieces = segment.split(/[-_]/)
  if (pieces.length === 1 || hexOnly.test(pieces.join(''))) return true
  return pieces.some(
    piece =>
      piece.length >= 32 || (piece.length >= 12 && /\d/.test(piece) && /[a-z]/.test(piece) && /[A-Z]/.test(piece)),
  )
}

/** Also redacts path segments of 32 or more hex or base64 characters. */
export const redactPath = (path: string): string =>
  redactText(path).replace(secretLike, (whole, before: string) =>
    isToken(whole.slice(before.length)) ? `${before}${redacted}` : whole,
  )
