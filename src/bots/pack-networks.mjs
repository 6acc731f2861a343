// Packs data/server-networks.txt for the program while it is built: src/bots/networks.ts reads the result.

/** Bits of an address that count: of IPv6 the network alone, since nothing smaller is routed everywhere. */
export const bitsOf = network => (network.includes(':') ? 48 : 32)

/** The first and the last address of a network such as '192.0.2.0/24' or '2001:db8::/32', as numbers of so many bits. */
export const rangeOf = network => {
  const [address, length] = network.split('/')
  const bits = bitsOf(network)
  const [parts, width, radix] =
    bits === 48 ? [address.replace(/::.*/, '').split(':'), 16, 16] : [address.split('.'), 8, 10]
  const first = Array.from({ length: bits / width }, (_, at) => Number.parseInt(parts[at] || '0', radix)).reduce(
    (sum, part) => sum * 2 ** width + part,
    0,
  )
  return { first, last: first + 2 ** (bits - Number(length)) - 1 }
}

/** Ranges in order, those that touch as one. */
export const merged = ranges => {
  const result = []
  for (const { first, last } of ranges.toSorted((one, other) => one.first - other.first)) {
    const before = result.at(-1)
    if (before !== undefined && first <= before.last + 1) before.last = Math.max(before.last, last)
    else result.push({ first, last })
  }
  return result
}

/**
 * How many ranges of IPv4 there are, and of IPv6; the first addresses of those of IPv4, the last ones, and the same of IPv6:
 * whole numbers of 32 bits, those of IPv6 as doubles, in the order of bytes of x64 and arm64.
 */
export const packNetworks = text => {
  const networks = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  const [v4, v6] = [32, 48].map(bits => merged(networks.filter(network => bitsOf(network) === bits).map(rangeOf)))
  const columns = ranges => [...ranges.map(({ first }) => first), ...ranges.map(({ last }) => last)]
  return Buffer.concat(
    [Uint32Array.of(v4.length, v6.length), Uint32Array.from(columns(v4)), Float64Array.from(columns(v6))].map(numbers =>
      Buffer.from(numbers.buffer),
    ),
  )
}
