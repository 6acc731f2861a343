// Servers escape quotes, backslashes and bytes that are not ASCII: `\xC3\xA9` is the letter é in UTF-8.

const escaped = /(?:\\x[0-9a-f]{2})+|\\(.)/gi

/** Apache writes these for controls; any other escaped character is itself. */
const spaces = new Set(['n', 'r', 't', 'b', 'v', 'f'])

const unescapeBy = (text: string, ofBytes: (bytes: string) => string): string =>
  text.includes('\\')
    ? text.replace(escaped, (found, sign: string | undefined) =>
        sign === undefined ? ofBytes(found) : spaces.has(sign) ? ' ' : sign,
      )
    : text

/** The text of a field. */
export const unescapeText = (text: string): string =>
  unescapeBy(text, found => Buffer.from(found.replace(/\\x/gi, ''), 'hex').toString())

/** An address, in which bytes are percent-encoded, also those that are no text in UTF-8. */
export const unescapeAddress = (text: string): string =>
  unescapeBy(text, found => found.replace(/\\x/gi, '%')).replaceAll(' ', '%20')
