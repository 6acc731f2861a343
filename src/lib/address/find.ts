// Finds IP addresses in texts. Redaction and the privacy audit use the same functions, so that they agree.
import { isIPv4 } from 'node:net'
import { isPrivateAddress, parseAddress } from './list.ts'

// Four numbers: a version such as 1.2.3.4 cannot be distinguished from an address, but 1.2.3 and 1.2.3.4.5 are not addresses.
const v4 = /(?<!\d|\d\.)\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)/g
/** What an IPv6 address is made of, from the beginning of a word or a sign on. */
const v6Run = /(?:(?<![0-9a-z])[0-9a-f]|[.:])[0-9a-f.:]*/gi
/**
 * A public IPv6 address within a run: of 2000::/3, shortened, of eight groups or with an IPv4 address in place of the last
 * two, or an IPv4 address in hexadecimal. Times, MAC addresses and names of classes (`std::deque`) have no such beginning.
 */
const publicV6 =
  /(?<![0-9a-f])[23][0-9a-f]{3}(?:(?::[0-9a-f]{1,4}){1,6}::|::[0-9a-f]|(?::[0-9a-f]{1,4}){7}|(?::[0-9a-f]{1,4}){5}:\d{1,3}\.\d)|[:0]:ffff:[0-9a-f]{1,4}:[0-9a-f]/i
/** What a sentence or a label puts next to an address. */
const punctuation = /^\.|^:(?!:)|\.$|(?<!:):$/g

/** Numbers with leading zeros are thousands, such as 1.000.000.000. */
const isPublicV4 = (text: string): boolean => isIPv4(text) && !isPrivateAddress(text)

const replaceInRun = (run: string, replacement: string): string => {
  if (!publicV6.test(run)) return run
  const bare = run.replace(punctuation, '')
  const address = parseAddress(bare)
  return address !== null && isPrivateAddress(address) ? run : run.replace(bare, () => replacement)
}

/** Replaces addresses that are written plainly. The result contains none. */
const replacePlain = (text: string, replacement: string): string => {
  const rest =
    text.includes(':') && publicV6.test(text) ? text.replace(v6Run, run => replaceInRun(run, replacement)) : text
  return rest.includes('.') ? rest.replace(v4, found => (isPublicV4(found) ? replacement : found)) : rest
}

const otherSpelling = /%(?:25)*[2-7][0-9a-f]|[\u3002\uff01-\uff5e\uff61]/i

/** Text with plain characters instead of percent-encoded (once or more) and full-width ones. */
export const plainSpelling = (text: string): string =>
  otherSpelling.test(text)
    ? text
        .replace(/%(?:25)*([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
        .replace(/[\uff01-\uff5e]/g, sign => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
        .replace(/[\u3002\uff61]/g, '.')
    : text

const isPlainIn = (text: string): boolean => replacePlain(text, '') !== text

/** Whether a text contains a public address: IPv4 or IPv6, also percent-encoded or in full-width characters. */
export const hasAddress = (text: string): boolean => isPlainIn(text) || isPlainIn(plainSpelling(text))

/**
 * Replaces public addresses; the result contains none (`hasAddress`). Private, loopback and link-local addresses stay:
 * they identify nobody. A text with an address in another spelling is replaced as a whole.
 */
export const replaceAddresses = (text: string, replacement: string): string => {
  const rest = replacePlain(text, replacement)
  const plain = plainSpelling(rest)
  return plain !== rest && isPlainIn(plain) ? replacement : rest
}

/** Whether a segment of a path is a public address, with nothing but signs and a port around it. */
export const isAddressSegment = (segment: string): boolean => {
  const plain = plainSpelling(segment)
  const rest = replacePlain(plain, '')
  return rest !== plain && !/[\p{L}\p{N}]/u.test(rest.replace(/:\d{1,5}\b/, ''))
}
