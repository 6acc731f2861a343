// Sample visits for the dashboard, as lines for `import --format requests`. The same day always has the same visits.

const countries: readonly [address: string, language: string, weight: number][] = [
  ['5.9.60', 'de-DE', 30],
  ['8.8.8', 'en-US', 22],
  ['81.2.69', 'en-GB', 9],
  ['5.39.80', 'fr-FR', 8],
  ['88.27.10', 'es-ES', 6],
  ['80.120.40', 'de-AT', 6],
  ['82.130.70', 'de-CH', 5],
  ['145.100.20', 'nl-NL', 4],
  ['83.0.50', 'pl-PL', 3],
  ['133.242.10', 'ja-JP', 3],
  ['49.36.90', 'en-IN', 3],
  ['200.147.30', 'pt-BR', 3],
  ['24.48.20', 'en-CA', 2],
  ['79.1.30', 'it-IT', 2],
  ['1.128.10', 'en-AU', 2],
]

const agents: readonly [agent: string, screen: [number, number], weight: number][] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    [1920, 1080],
    34,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    [390, 844],
    24,
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    [412, 915],
    16,
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    [1440, 900],
    12,
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', [2560, 1440], 8],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    [1536, 864],
    6,
  ],
]

const origins: readonly [referrer: string, query: string, weight: number][] = [
  ['', '', 30],
  ['https://www.google.com/', '', 26],
  ['https://duckduckgo.com/', '', 6],
  ['https://www.bing.com/', '', 5],
  ['https://chatgpt.com/', '', 6],
  ['https://www.perplexity.ai/', '', 2],
  ['https://news.ycombinator.com/', '', 5],
  ['https://github.com/', '', 4],
  ['https://www.reddit.com/', '', 4],
  ['https://mastodon.social/', '', 3],
  ['', '?utm_source=newsletter&utm_medium=email&utm_campaign=autumn-letter', 5],
  ['https://www.google.com/', '?utm_source=google&utm_medium=cpc&utm_campaign=brand', 4],
  ['https://www.facebook.com/', '?utm_source=facebook&utm_medium=paid_social&utm_campaign=launch-week', 3],
]

const pages: readonly [path: string, title: string, weight: number][] = [
  ['/', 'Hearth & Timber – furniture that stays', 24],
  ['/shop', 'Shop', 14],
  ['/shop/oak-table', 'Oak table “Lund”, oiled, for six to eight people', 11],
  ['/shop/walnut-chair', 'Walnut chair', 8],
  ['/journal/how-to-oil-a-table', 'How to oil a table in an afternoon', 10],
  ['/journal/wood-and-winter', 'Wood and winter: why joints creak, and what helps', 7],
  ['/about', 'About us', 5],
  ['/contact', 'Contact', 4],
  ['/journal/a-very-long-path-that-no-column-has-room-for-and-that-must-be-cut-somewhere-sensible', 'A long story', 3],
  ['/faq', 'Questions and answers', 4],
  ['/cart', 'Your cart', 5],
  ['/jobs', 'Jobs', 2],
]

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
const createRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = <T extends readonly [...unknown[], number]>(all: readonly T[], chance: number): T => {
  const weightOf = (one: T): number => Number(one[one.length - 1])
  let left = chance * all.reduce((sum, one) => sum + weightOf(one), 0)
  for (const one of all) {
    left -= weightOf(one)
    if (left <= 0) return one
  }
  return all[0] as T
}

type Line = { endpoint: string; time: string; ip: string; user_agent: string; body: Record<string, unknown> }

/** Hours of the day, weighted by activity. */
const hours = [1, 1, 1, 1, 1, 2, 4, 7, 9, 10, 10, 9, 9, 9, 10, 10, 9, 8, 8, 9, 10, 8, 5, 3].map(
  (weight, hour): readonly [number, number] => [hour, weight],
)

const visit = (start: number, id: string, random: () => number): Line[] => {
  const [network, language] = pick(countries, random())
  const [user_agent, [screen_width, screen_height]] = pick(agents, random())
  const [referrer, query] = pick(origins, random())
  const [first = '', second = '', third = ''] = network.split('.')
  const ip = `${first}.${second}.${Number(third) + Math.floor(random() * 8)}.${1 + Math.floor(random() * 250)}`
  const length = 1 + Math.floor(random() ** 2 * 6)
  const lines: Line[] = []
  let time = start
  const line = (endpoint: string, body: Record<string, unknown>): void =>
    void lines.push({ endpoint, time: new Date(time).toISOString(), ip, user_agent, body })
  for (let index = 0; index < length; index++) {
    const [path, title] = pick(pages, random())
    const pvid = `${id}view${index}`.padEnd(21, 'x')
    const page_url = `https://hearth.example${path}${index === 0 ? query : ''}`
    line('hit', {
      page_url,
      title,
      pvid,
      language,
      screen_width,
      screen_height,
      ...(index === 0 && referrer !== '' && { referrer }),
    })
    const seconds = Math.floor(5 + random() * 90)
    time += seconds * 1000
    line('engagement', { pvid, engagement_time: seconds, scroll_depth: Math.floor(20 + random() * 80) })
    if (path.startsWith('/shop/') && random() < 0.4)
      line('event', {
        name: 'add_to_cart',
        pvid,
        value: 240,
        properties: { product: title, quantity: 1 + Math.floor(random() * 2) },
      })
    if (path === '/contact' && random() < 0.5)
      line('event', { name: 'form_submit', pvid, properties: { form: 'contact' } })
    if (random() < 0.05)
      line('event', { name: 'outbound_link', pvid, properties: { url: 'https://craft.example/wood' } })
  }
  return lines
}

/** Visits of the `days` days before `end`, in order of time, as NDJSON. */
export const visitsUntil = (end: number, days: number, perDay: number): string => {
  const day = 86_400_000
  const random = createRandom(20_261)
  const first = Math.floor(end / day) - days + 1
  const lines = Array.from({ length: days }, (_, index) => {
    const weekend = [6, 0].includes(new Date((first + index) * day).getUTCDay())
    const visits = Math.round(perDay * (weekend ? 0.6 : 1) * (0.75 + (0.5 * index) / days) * (0.85 + random() * 0.3))
    return Array.from({ length: visits }, (_, number) => {
      const [hour] = pick(hours, random())
      return visit(
        (first + index) * day + hour * 3_600_000 + Math.floor(random() * 3_600_000),
        `d${index}n${number}`,
        random,
      )
    })
  }).flat(2)
  return lines
    .filter(({ time }) => Date.parse(time) < end)
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
    .map(line => `${JSON.stringify(line)}\n`)
    .join('')
}
