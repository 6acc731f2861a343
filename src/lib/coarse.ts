// What a visit keeps of screens, languages and versions: no finer than readers of the reports need, so that what visits
// of two days have in common says little about who made them.
import { canonicalLanguage } from './locale.ts'
import { memoize } from './lru-cache.ts'

/** Classes of screens by their width in CSS pixels, first and last included. */
export const screenClasses = [
  '0-359',
  '360-429',
  '430-767',
  '768-1023',
  '1024-1279',
  '1280-1535',
  '1536-1919',
  '1920+',
] as const

/** The class of a width in CSS pixels; null for 0, which is unknown. */
export const screenClass = (width: number): string | null =>
  width > 0 ? (screenClasses.findLast(name => width >= Number.parseInt(name, 10)) ?? null) : null

/** The class that a text means: a class, a width, or a width and a height such as `390x844`; null for anything else. */
export const screenNamed = (text: string): string | null => {
  const plain = text.replace('–', '-').replace(/\s*px$/i, '')
  const known = screenClasses.find(name => name === plain)
  const [, width] = /^(\d{1,5})(?:\s*[x×]\s*\d{1,5})?$/i.exec(plain) ?? []
  return known ?? (width === undefined ? null : screenClass(Number(width)))
}

/** Languages whose script or region makes another language for readers, with the parts that are kept. */
const kept: Readonly<Record<string, readonly string[]>> = {
  pt: ['BR'],
  sr: ['Latn', 'Cyrl'],
  zh: ['Hans', 'Hant'],
}

/** Languages with more than one kept form, as tags: `pt-BR`. */
export const languageVariants = Object.entries(kept).flatMap(([language, parts]) =>
  parts.map(part => `${language}-${part}`),
)

/** Whether a language is kept in several forms, so that a range such as `pt-*` differs from `pt`. */
export const hasVariants = (language: string): boolean => Object.hasOwn(kept, language)

/** Chinese is written by region where no script is named. */
const scriptOf = ({ language, script, region }: Intl.Locale): string | undefined =>
  script === undefined && region !== undefined && language === 'zh'
    ? new Intl.Locale(language, { region }).maximize().script
    : script

/** The kept form of a language tag, however it is spelled: `de_CH` → `de`, `zh-TW` → `zh-Hant`; null for anything else. */
export const coarseLanguage = memoize(1000, (tag): string | null => {
  const canonical = canonicalLanguage(tag)
  if (canonical === null || !/^[a-z]{2,8}(?:-|$)/.test(canonical)) return null
  const locale = new Intl.Locale(canonical)
  const part = kept[locale.language]?.find(one => one === scriptOf(locale) || one === locale.region)
  return part === undefined ? locale.language : `${locale.language}-${part}`
})

/** `10.15` → `10`. What is no number, such as XP, is the name of a major version. */
export const majorVersion = (version: string): string => version.replace(/^(\d+)[._].*$/s, '$1')

/**
 * The last versions that browsers named before they froze what they say. Version 0.1.0 stored them as if they were
 * true, so that nobody knows of its visits which of them are.
 */
const frozen: Readonly<Record<string, string>> = { Windows: '10', macOS: '10.15', Android: '10' }

/** The kept version of a system as older versions and other programs stored it; null where browsers have frozen it. */
export const olderSystemVersion = (system: string | null, version: string): string | null => {
  const last = frozen[system ?? '']
  return last === version || (last !== undefined && version.startsWith(`${last}.`)) ? null : majorVersion(version)
}

/** `macOS 10.15` → `macOS`, `macOS 10.14` → `macOS 10`. */
const olderVersionName = (name: string): string => {
  const [, program = name, version] = /^(.*) (\d[\w.]*)$/s.exec(name) ?? []
  const known = version === undefined ? null : olderSystemVersion(program, version)
  return known === null ? program : `${program} ${known}`
}

/** A language as older versions stored it; what is no tag, such as `(other)`, stays. */
export const olderLanguage = (text: string): string => coarseLanguage(text) ?? text

const olderValues: Readonly<Record<string, (value: string) => string>> = {
  screen: value => screenNamed(value) ?? '',
  language: olderLanguage,
  browser_version: value => value.replace(/ (\d+)[._][\w.]*$/, ' $1'),
  os_version: olderVersionName,
}

/** The kept form of a dimension's value as older versions stored it; '' is unknown. */
export const olderValue = (dimension: string, value: string): string => olderValues[dimension]?.(value) ?? value
