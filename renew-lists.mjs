// Renews data/referrer-spam.txt from the list of the Matomo project (public domain): `npm run renew`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const address = 'https://raw.githubusercontent.com/matomo-org/referrer-spam-list/master/spammers.txt'
const path = join(import.meta.dirname, 'data/referrer-spam.txt')

const host = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/

const isComment = line => line.startsWith('#')
const linesOf = text => text.split(/\r?\n/).filter(line => line.trim() !== '')
const hostsOf = text => linesOf(text).filter(line => !isComment(line))

/** The hosts of a list, in lower case and sorted; throws for a line that is none, since it is no list then. */
const parse = text => {
  const hosts = hostsOf(text).map(line => line.trim().toLowerCase())
  const wrong = hosts.find(each => !host.test(each))
  if (wrong !== undefined) throw new Error(`no host: ${wrong.slice(0, 80)}`)
  return [...new Set(hosts)].sort()
}

/**
 * Replaces the hosts of a data file by those at an address; its comments stay.
 * @returns the hosts that came and went; throws, and leaves the file alone, if a tenth of them would go
 */
export const renew = async (from = address, to = path) => {
  const response = await fetch(from)
  if (!response.ok) throw new Error(`${from} answered ${response.status}`)
  const hosts = parse(await response.text())
  const text = readFileSync(to, 'utf8')
  const before = hostsOf(text)
  if (hosts.length < before.length * 0.9)
    throw new Error(`${hosts.length} hosts instead of ${before.length}: remove some by hand first if this is right`)
  writeFileSync(to, `${[...linesOf(text).filter(isComment), ...hosts].join('\n')}\n`)
  const [old, now] = [new Set(before), new Set(hosts)]
  return { added: hosts.filter(each => !old.has(each)), removed: before.filter(each => !now.has(each)) }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { added, removed } = await renew()
  console.log([...added.map(each => `+ ${each}`), ...removed.map(each => `- ${each}`)].join('\n') || 'No change.')
}
