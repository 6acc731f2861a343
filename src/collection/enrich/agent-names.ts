import browsersText from '../../../data/browsers.txt'
import systemsText from '../../../data/operating-systems.txt'

// Maps the parser's names, which may be spelled as the sender wrote them, to the names that people expect.
// Other names are unknown, so that nobody can fill reports with invented ones.

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
