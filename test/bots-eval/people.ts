// Requests of people as browsers with these agents send them: agents, screens and languages with their shares are real
// (npm `user-agents`), the headers are made by the form of each browser's.
import UserAgent from 'user-agents'
import type { Sent } from '../../src/bots/evidence.ts'

const numberIn = (pattern: RegExp, text: string): number => Number(pattern.exec(text)?.[1] ?? 0)

const platforms: readonly (readonly [string, RegExp])[] = [
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh/],
  ['Chrome OS', /CrOS/],
  ['Linux', /Linux/],
]

/** Apple's system lets no browser send hints; apps on Android that change their agent do not either. */
const hintsOf = (agent: string): Record<string, string> => {
  const chromium = numberIn(/ Chrome\/(\d+)/, agent)
  if (chromium < 89 || /iPhone|iPad|; wv\)|Build\/|Version\/4\.0/.test(agent)) return {}
  const brand = agent.includes(' Edg') ? 'Microsoft Edge' : agent.includes(' OPR/') ? 'Opera' : 'Google Chrome'
  const platform = platforms.find(([, pattern]) => pattern.test(agent))?.[0]
  return {
    'sec-ch-ua': `"${brand}";v="${chromium}", "Chromium";v="${chromium}", "Not_A Brand";v="24"`,
    'sec-ch-ua-mobile': / Mobile /.test(agent) ? '?1' : '?0',
    ...(chromium >= 93 && platform !== undefined && { 'sec-ch-ua-platform': `"${platform}"` }),
  }
}

const fetchOf = (agent: string): Record<string, string> => {
  const sends =
    numberIn(/ Chrome\/(\d+)/, agent) >= 80 ||
    numberIn(/ Firefox\/(\d+)/, agent) >= 90 ||
    numberIn(/ OS (?:X )?(\d+)[_\d]* like Mac/, agent) >= 17
  return sends ? { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' } : {}
}

/** Safari sends one language, Chromium and Firefox all. */
const languagesOf = (agent: string, language: string): string => {
  const [code = ''] = language.split('-', 1)
  if (/ Version\/[\d.]+ .*Safari/.test(agent)) return `${language},${code};q=0.9`
  return code === 'en' ? `${language},en;q=0.9` : `${language},${code};q=0.9,en-US;q=0.8,en;q=0.7`
}

export type Person = Sent & { headers: ReadonlyMap<string, string> }

export const drawPerson = (): Person => {
  const { userAgent, language, screenWidth: width, screenHeight: height } = new UserAgent().data
  const spoken = language ?? 'en-US'
  const headers = {
    origin: 'https://example.org',
    'accept-language': languagesOf(userAgent, spoken),
    ...fetchOf(userAgent),
    ...hintsOf(userAgent),
  }
  return { userAgent, headers: new Map(Object.entries(headers)), screen: { width, height }, language: spoken }
}
