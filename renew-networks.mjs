// Renews data/server-networks.txt, the networks of the systems in data/server-systems.csv and its own without those in
// data/people-networks.csv, from the npm package @ip-location-db/asn: part of `npm run renew`.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bitsOf, merged, rangeOf } from './src/bots/pack-networks.mjs'

const source = '@ip-location-db/asn'
const data = join(import.meta.dirname, 'data')

const read = path => readFileSync(path, 'utf8')
const linesOf = text => text.split(/\r?\n/).filter(line => line.trim() !== '')

/** The first column of a list, whose other columns are a name and a reason. */
const entriesOf = path =>
  linesOf(read(path))
    .slice(1)
    .map(line => {
      const [, entry] = /^(AS\d+|[\da-f.:]+\/\d+),[^,]+,.+$/.exec(line) ?? []
      if (entry === undefined) throw new Error(`${path}: '${line.slice(0, 80)}' is no entry with a name and a reason.`)
      return entry
    })

const systemsIn = entries => entries.filter(entry => entry.startsWith('AS')).map(entry => entry.slice(2))

/** The package writes addresses as numbers; `unit` of them are one that counts. */
const families = [
  { file: 'asn-ipv4-num.csv', bits: 32, unit: 1n },
  { file: 'asn-ipv6-num.csv', bits: 48, unit: 1n << 80n },
]

/** Ranges of the systems, sorted; of a range that begins or ends within a unit only the whole ones. */
const rangesOf = (text, systems, unit) =>
  linesOf(text).flatMap(line => {
    const [, from, to, system] = /^(\d+),(\d+),(\d+),/.exec(line) ?? []
    if (system === undefined) throw new Error(`no range of a system: ${line.slice(0, 80)}`)
    const [first, end] = [Number((BigInt(from) + unit - 1n) / unit), Number((BigInt(to) + 1n) / unit)]
    return systems.has(system) && first < end ? [{ first, last: end - 1, system }] : []
  })

const without = (ranges, { first, last }) =>
  ranges.flatMap(range =>
    range.last < first || range.first > last
      ? [range]
      : [
          { ...range, last: first - 1 },
          { ...range, first: last + 1 },
        ].filter(each => each.first <= each.last),
  )

const addressText = (first, bits) =>
  bits === 32
    ? [24, 16, 8, 0].map(shift => Math.floor(first / 2 ** shift) % 256).join('.')
    : `${[32, 16, 0].map(shift => (Math.floor(first / 2 ** shift) % 65_536).toString(16)).join(':')}::`.replace(
        /(?::0)+::$/,
        '::',
      )

/** The fewest networks that a range consists of. */
const networksOf = ({ first, last }, bits) => {
  const networks = []
  for (let at = first; at <= last; ) {
    let length = bits
    let size = 1
    while (length > 0 && at % (size * 2) === 0 && at + size * 2 - 1 <= last) {
      size *= 2
      length--
    }
    networks.push(`${addressText(at, bits)}/${length}`)
    at += size
  }
  return networks
}

const download = folder => {
  const [{ filename, version }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', source], { cwd: folder, encoding: 'utf8' }),
  )
  execFileSync('tar', ['xzf', filename, '--strip-components=1'], { cwd: folder })
  return version
}

const networkLine = /^[\da-f.:]+\/\d+$/

/**
 * Writes the networks from the files of the package in a folder; comments of the data file stay, but for its version.
 * @returns what came, went, and systems without a network; throws, and leaves the file alone, if more than a tenth would go
 */
export const renewNetworks = (folder, version, lists = data) => {
  const target = join(lists, 'server-networks.txt')
  const servers = entriesOf(join(lists, 'server-systems.csv'))
  const systems = systemsIn(servers)
  const people = entriesOf(join(lists, 'people-networks.csv'))
  const both = systemsIn(people).find(system => systems.includes(system))
  if (both !== undefined) throw new Error(`AS${both} is in both lists`)
  const wanted = new Set(systems)
  const found = new Set()
  const networks = families.flatMap(({ file, bits, unit }) => {
    const ranges = rangesOf(read(join(folder, file)), wanted, unit)
    for (const { system } of ranges) found.add(system)
    const ofFamily = entry => entry.includes('/') && bitsOf(entry) === bits
    const kept = people
      .filter(ofFamily)
      .reduce((rest, network) => without(rest, rangeOf(network)), [...ranges, ...servers.filter(ofFamily).map(rangeOf)])
    return merged(kept).flatMap(range => networksOf(range, bits))
  })
  const text = read(target)
  const before = linesOf(text).filter(line => networkLine.test(line))
  const [old, now] = [new Set(before), new Set(networks)]
  const removed = before.filter(each => !now.has(each))
  if (networks.length < before.length * 0.9)
    throw new Error(
      `${before.length} networks would become ${networks.length}: remove some by hand first if this is right`,
    )
  const comments = linesOf(text)
    .filter(line => line.startsWith('#'))
    .map(line => line.replace(/(@ip-location-db\/asn) \S+/, `$1 ${version}`))
  writeFileSync(target, `${[...comments, ...networks].join('\n')}\n`)
  return { added: networks.filter(each => !old.has(each)), removed, unseen: systems.filter(each => !found.has(each)) }
}

const main = () => {
  const folder = mkdtempSync(join(tmpdir(), 'networks-'))
  try {
    const version = download(folder)
    const { added, removed, unseen } = renewNetworks(folder, version)
    console.log(`${source} ${version}: ${added.length} networks of servers came, ${removed.length} went.`)
    if (unseen.length > 0) console.log(`Without a network: ${unseen.map(system => `AS${system}`).join(', ')}`)
  } catch (error) {
    console.error(`${join(data, 'server-networks.txt')} was left as it is. ${error.message}`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
