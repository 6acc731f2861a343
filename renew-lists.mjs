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

const download = async from => {
  const response = await fetch(from, { signal: AbortSignal.timeout(60_000) })
  if (!response.ok) throw new Error(`answered ${response.status}`)
  return response.text()
}

/**
 * Replaces the hosts of a data file by those at an address; its comments stay.
 * @returns the hosts that came and went; throws, and leaves the file alone, if more than a tenth would go
 */
export const renew = async (from = address, to = path) => {
  const hosts = parse(await download(from))
  const text = readFileSync(to, 'utf8')
  const before = hostsOf(text)
  const [old, now] = [new Set(before), new Set(hosts)]
  const removed = before.filter(each => !now.has(each))
  if (removed.length > before.length / 10)
    throw new Error(`${removed.length} of ${before.length} hosts would go: remove some by hand first if this is right`)
  writeFileSync(to, `${[...linesOf(text).filter(isComment), ...hosts].join('\n')}\n`)
  return { added: hosts.filter(each => !old.has(each)), removed }
}

/** Renews a file and tells what changed; a failure is one line and exit code 1. */
const main = async (from = address, to = path) => {
  try {
    const { added, removed } = await renew(from, to)
    console.log([...added.map(each => `+ ${each}`), ...removed.map(each => `- ${each}`)].join('\n') || 'No change.')
  } catch (error) {
    console.error(`${to} was left as it is. ${from}: ${error.cause?.message ?? error.message}`)
    process.exitCode = 1
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(...process.argv.slice(2))
