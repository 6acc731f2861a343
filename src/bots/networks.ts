// Networks of rented servers, where programs browse and people do not: by data/server-networks.txt, and by the operator.
import { isV4, parseAddressList } from '../lib/address/list.ts'
import { lazy } from '../lib/lazy.ts'
import { readAsset } from '../runtime/assets.ts'

type Numbers = Uint32Array | Float64Array
/** First and last addresses in order; no two ranges touch. */
type Ranges = { firsts: Numbers; lasts: Numbers }

/** What src/bots/pack-networks.mjs packed, in the memory of this process: the file may begin anywhere in its own. */
const networks = lazy(() => {
  const { buffer } = Uint8Array.from(readAsset('server-networks.bin'))
  const [v4 = 0, v6 = 0] = new Uint32Array(buffer, 0, 2)
  const at = 8 + 8 * v4
  return {
    v4: { firsts: new Uint32Array(buffer, 8, v4), lasts: new Uint32Array(buffer, 8 + 4 * v4, v4) },
    v6: { firsts: new Float64Array(buffer, at, v6), lasts: new Float64Array(buffer, at + 8 * v6, v6) },
  }
})

const isWithin = ({ firsts, lasts }: Ranges, address: number): boolean => {
  let [low, high] = [0, firsts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((firsts[middle] ?? 0) <= address) low = middle + 1
    else high = middle
  }
  return low > 0 && address <= (lasts[low - 1] ?? 0)
}

/** Digit by digit, since every hit is judged: `split` would make five values each time. */
const numberV4 = (address: string): number => {
  let [sum, part] = [0, 0]
  for (let at = 0; at < address.length; at++) {
    const code = address.charCodeAt(at)
    if (code === 46) [sum, part] = [sum * 256 + part, 0]
    else part = part * 10 + code - 48
  }
  return sum * 256 + part
}

/** The first three groups: a canonical address leaves out two zeros or more, so behind :: they are zeros. */
const numberV6 = (address: string): number => {
  const [groups = ''] = address.split('::', 1)
  const [one = '', two = '', three = ''] = groups.split(':', 3)
  return [one, two, three].reduce((sum, group) => sum * 65_536 + Number.parseInt(group || '0', 16), 0)
}

const isListed = (address: string): boolean =>
  isV4(address) ? isWithin(networks().v4, numberV4(address)) : isWithin(networks().v6, numberV6(address))

/**
 * Whether an address (from `parseAddress`) is in a network of servers. What the operator says comes first, and of that
 * whose networks are people's.
 */
export const createServerNetworks = (corrections: {
  servers: readonly string[]
  people: readonly string[]
}): ((address: string) => boolean) => {
  if (corrections.servers.length + corrections.people.length === 0) return isListed
  const servers = parseAddressList([...corrections.servers]).list
  const people = parseAddressList([...corrections.people]).list
  return address => !people.has(address) && (servers.has(address) || isListed(address))
}
