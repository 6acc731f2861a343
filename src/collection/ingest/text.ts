import { isAddressSegment, plainSpelling, replaceAddresses } from '../../lib/address/find.ts'
import { dropControls } from '../../lib/controls.ts'

// Bounded repetitions and a single possible position of the @ keep the search linear on hostile text.
const emailLike =
  /(?:(?!%(?:25){0,4}40)[^\s/?#&=;,@]){1,64}(?:@|%(?:25){0,4}40)(?:(?!%(?:25){0,4}40)[^\s/?#&=;,@]){1,255}\.[^\s/?#&=;,@.]{2,63}/gi
// In paths the base64 signs / and % may be encoded.
const secretLike = /(^|[/])(?:[A-Za-z0-9+_=-]|%2[F5]){32,}(?=$|[/?])/g
const userAgentLike = /mozilla\/\d\.\d[\s+]{0,2}\(/i

export const redacted = '(redacted)'

/** Truncates, never within a surrogate pair; lone surrogates, which UTF-8 cannot encode, are replaced. */
const cut = (text: string, length: number): string =>
  (text.length <= length
    ? text
    : /[\ud800-\udbff]/.test(text.charAt(length - 1))
      ? text.slice(0, length - 1)
      : text.slice(0, length)
  ).toWellFormed()

/** Redacts and truncates. What is cut may end in what was no address before, such as 1.2.3.4.5: it is redacted again. */
export const redactAndCut = (text: string, length: number, redact: (text: string) => string): string => {
  const whole = redact(text)
  return whole.length <= length ? whole.toWellFormed() : cut(redact(cut(whole, length)), length)
}

/** Text from a visitor as one trimmed line; '' if nothing is left. */
export const cleanText = (text: string): string => dropControls(text).trim()

/** Whether a text contains the user agent of a browser, also percent-encoded. The privacy audit uses this, too. */
export const hasUserAgent = (text: string): boolean => userAgentLike.test(plainSpelling(text))

const redactEmails = (text: string): string =>
  /@|%(?:25){0,4}40/.test(text) ? text.replace(emailLike, redacted) : text

/** Replaces e-mail addresses and public IP addresses with `(redacted)`, and a text with a user agent as a whole. */
export const redactText = (text: string): string => {
  const rest = replaceAddresses(redactEmails(text), redacted)
  return hasUserAgent(rest) ? redacted : rest
}

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

/** Redacts e-mail addresses, and path segments of 32 or more hex or base64 characters. */
const redactSecrets = (path: string): string =>
  redactEmails(path).replace(secretLike, (whole, before: string) =>
    isToken(whole.slice(before.length)) ? `${before}${redacted}` : whole,
  )

/** As redactText, and also redacts path segments that look like tokens. */
export const redactTag = (text: string): string => redactText(redactSecrets(text))

const redactAddressSegments = (path: string): string =>
  /[.:%\u3002\uff0e\uff1a\uff61]/.test(path)
    ? path.replace(/[^/?]+/g, segment => (isAddressSegment(segment) ? redacted : segment))
    : path

/** Whether a segment of a path is a public IP address. The privacy audit uses this, too. */
export const hasAddressSegment = (path: string): boolean => redactAddressSegments(path) !== path

/** Redacts a path: of addresses whole segments only, since versions in the names of files look the same. */
export const redactPath = (path: string): string => {
  const rest = redactAddressSegments(redactSecrets(path))
  return hasUserAgent(rest) ? `/${redacted}` : rest
}
