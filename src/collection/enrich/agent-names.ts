import browsersText from '../../../data/browsers.txt'
import systemsText from '../../../data/operating-systems.txt'

// The parser repeats a name in the sender's own letters, and has names of its own; these tables lead to the ones people expect.
// What they lack is unknown, so that nobody fills the reports with names of their own making.

const table = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split('\n')
      .filter(line => !line.startsWith('#'))
      .flatMap(line => {
        const [name = '', ...aliases] = line.split(/[=,]/).map(cell => cell.trim())
        return [name, ...aliases].filter(alias => alias !== '').map(alias => [alias.toLowerCase(), name] as const)
      }),
  )

/** From the parser's name, in lower case, to ours. */
export const browserNames = table(browsersText)

/** From the parser's name, in lower case, to ours. */
export const osNames = table(systemsText)
