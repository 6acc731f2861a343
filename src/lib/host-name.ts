import { domainToUnicode } from 'node:url'

/** The scripts in which labels of hosts are written, each with those that it is mixed with in a language. */
const writings = [
  ['Latin'],
  ['Cyrillic'],
  ['Greek'],
  ['Armenian'],
  ['Georgian'],
  ['Hebrew'],
  ['Arabic'],
  ['Devanagari'],
  ['Bengali'],
  ['Gurmukhi'],
  ['Gujarati'],
  ['Tamil'],
  ['Telugu'],
  ['Kannada'],
  ['Malayalam'],
  ['Sinhala'],
  ['Thai'],
  ['Lao'],
  ['Khmer'],
  ['Myanmar'],
  ['Ethiopic'],
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
].map(
  scripts =>
    new RegExp(
      `^[\\d_\\p{Script=Inherited}-]*(?:${scripts.map(name => `[\\p{Script_Extensions=${name}}\\d_-]`).join('|')})+$`,
      'u',
    ),
)

/** A label in its own script; one that mixes scripts, by which others could be imitated, stays in ASCII. */
const readableLabel = (label: string): string => {
  if (!label.startsWith('xn--')) return label
  const text = domainToUnicode(label)
  return writings.some(writing => writing.test(text)) ? text : label
}

/** The host as people write it: xn--mller-kva.example is müller.example. */
export const readableHost = (host: string): string =>
  host.includes('xn--') ? host.split('.').map(readableLabel).join('.') : host
