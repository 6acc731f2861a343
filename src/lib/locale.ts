import { memoize } from './lru-cache.ts'

const cacheSize = 1000

/** The canonical form of a BCP 47 tag; null for anything else. */
export const canonicalLanguage = memoize(cacheSize, (tag): string | null => {
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0] ?? null
  } catch {
    return null
  }
})

/** What zones are called today, by the names that the runtime keeps. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** The one name of a supported time zone: Asia/Calcutta is Asia/Kolkata, Etc/UTC is UTC; null for anything else. */
export const zoneName = memoize(cacheSize, (name): string | null => {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return renamed[timeZone] ?? timeZone
  } catch {
    return null
  }
})

/** The first language of an Accept-Language header. */
export const acceptedLanguage = (header: string | undefined): string | null =>
  header === undefined ? null : canonicalLanguage(header.slice(0, 100).split(/[,;]/, 1)[0]?.trim() ?? '')

/** The ISO 3166-1 code of a country given by a code of two letters, also an older one (UK → GB); null for anything else. */
export const regionCode = (text: string): string | null => {
  const code = /^[a-z]{2}$/i.test(text) ? canonicalLanguage(`und-${text}`)?.slice(4) : undefined
  if (code === undefined || code === 'ZZ') return null
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) === undefined ? null : code
}
