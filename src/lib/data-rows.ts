/** The lines of a data file as cells, which two or more spaces separate. A line that begins with # is a comment. */
export const dataRows = (text: string): string[][] =>
  text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => line.split(/ {2,}/))

/** A pattern that matches what one of these matches. */
export const anyOf = (patterns: readonly string[], flags = ''): RegExp => new RegExp(patterns.join('|'), flags)
