// Hits as a shop's visitors would send them, as HTTP text: composing them must cost less than answering them.
import { browsers } from './browsers.mjs'

const pageCount = 500
const referrerCount = 200
/**
 * Concurrent visitors. A visitor leaves after each view with this probability, so a visit has three views on average.
 */
const activeVisitors = 2000
const leaveProbability = 1 / 3

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
export const createRandom = seed => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Picks an index by weight. */
export const createPicker = (weights, random) => {
  const sums = []
  for (const weight of weights) sums.push((sums.at(-1) ?? 0) + weight)
  const total = sums.at(-1)
  return () => {
    const target = random() * total
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle] > target) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Weights by Zipf's law: the n-th page is requested 1/n times as often as the first. */
export const zipf = count => Array.from({ length: count }, (_, index) => 1 / (index + 1))

export const referrers = [
  ...Array.from({ length: 40 }, () => ''),
  ...Array.from({ length: 60 }, () => 'https://www.google.com/'),
  'https://duckduckgo.com/',
  'https://www.bing.com/',
  'https://l.facebook.com/',
  'https://t.co/x1',
  'https://chatgpt.com/',
  ...Array.from({ length: referrerCount }, (_, index) => `https://blog-${index}.example.net/post/${index}`),
]
export const languages = ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'nl-NL']
const pick = (list, random) => list[Math.floor(random() * list.length)]

/** A public address. Every visitor needs a different one, because requests are throttled by address. */
export const publicAddress = random => {
  const part = () => Math.floor(random() * 256)
  const first = [31, 45, 62, 77, 81, 91, 104, 151, 178, 185, 194, 203][Math.floor(random() * 12)]
  return `${first}.${part()}.${part()}.${part()}`
}

const text = (number, length) =>
  Math.floor(number * 36 ** length)
    .toString(36)
    .padStart(length, '0')

/** View ids of 21 characters, like the tracker's. They begin at random, which decides where an index inserts them. */
const createIds = seed => {
  const random = createRandom(seed)
  let made = 0
  return () => `${text(random(), 6)}${text(random(), 6)}_${text(made++ / 36 ** 8, 8)}`
}

const headOf = ({ agent, headers }, host, language) =>
  [
    `Host: ${host}`,
    'Connection: keep-alive',
    'Content-Type: text/plain;charset=UTF-8',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `User-Agent: ${agent}`,
    'Accept: */*',
    'Origin: https://shop.example',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Mode: cors',
    'Sec-Fetch-Dest: empty',
    'Referer: https://shop.example/',
    'Accept-Encoding: gzip, deflate, br',
    `Accept-Language: ${language},en;q=0.5`,
  ].join('\r\n')

const post = (path, head, body) => `POST ${path} HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Returns a function that creates the next view: the head and body of its hit, and its id. */
const createViews = ({ host, random, ids, age = 0 }) => {
  const nextId = createIds(ids)
  const browser = createPicker(
    browsers.map(({ weight }) => weight),
    random,
  )
  const page = createPicker(zipf(pageCount), random)
  const tags = ['', '', '', '', '', '', '', '', '', '?utm_source=newsletter&utm_medium=email&utm_campaign=spring']
  const pages = Array.from({ length: pageCount }, (_, index) => `"page_url":"https://shop.example/product/${index}`)
  const titles = Array.from({ length: pageCount }, (_, index) => `"title":"Product number ${index} - Shop"`)

  const visitor = () => {
    const device = browsers[browser()]
    const locale = Math.floor(random() * languages.length)
    const [width, height] = device.screen
    return {
      head: `${headOf(device, host, languages[locale])}\r\nX-Forwarded-For: ${publicAddress(random)}`,
      tail: `"referrer":"${pick(referrers, random)}","screen_width":${width},"screen_height":${height},"language":"${languages[locale]}"`,
      query: pick(tags, random),
    }
  }
  const visitors = Array.from({ length: activeVisitors }, visitor)

  return () => {
    const at = Math.floor(random() * activeVisitors)
    const { head, tail, query } = visitors[at]
    if (random() < leaveProbability) visitors[at] = visitor()
    const pageIndex = page()
    const backdated = age === 0 ? '' : `,"age":${Math.floor(random() * age)}`
    const id = nextId()
    return { head, id, body: `{${pages[pageIndex]}${query}",${titles[pageIndex]},"pvid":"${id}",${tail}${backdated}}` }
  }
}

/**
 * Returns a function that creates the next hit.
 * @param options `seed` determines the visitors and pages, `ids` the ids of the views; `age` is the maximum number of
 *   seconds by which a hit is backdated
 */
export const createHits = ({ host, path, seed, ids, age }) => {
  const next = createViews({ host, random: createRandom(seed), ids, age })
  return () => {
    const { head, body } = next()
    return post(path, head, body)
  }
}

/** How many views send an engagement update or an event after their hit, as in the year. */
const engagementShare = 0.7
const eventShare = 0.05
const eventNames = ['add_to_cart', 'checkout_start', 'signup', 'file_download', 'outbound_link']
/** Requests between a hit and the update or event of its view, so that the hit has been answered by then. */
const updateDelay = 1000

/**
 * Returns a function that creates the next request: a hit, or the engagement update or event of an earlier one.
 * Its `hits()` returns the number of hits so far.
 */
export const createMixed = ({ host, base, seed, ids }) => {
  const random = createRandom(seed)
  const whole = count => Math.floor(random() * count)
  const view = createViews({ host, random, ids })
  const waiting = []
  let hits = 0
  const next = () => {
    if (waiting.length > updateDelay) return waiting.shift()
    const { head, id, body } = view()
    if (random() < eventShare)
      waiting.push(
        post(
          `${base}/event`,
          head,
          `{"name":"${pick(eventNames, random)}","properties":{"place":"place-${whole(30)}"},"pvid":"${id}"}`,
        ),
      )
    if (random() < engagementShare)
      waiting.push(
        post(
          `${base}/engagement`,
          head,
          `{"pvid":"${id}","engagement_time":${3 + whole(90)},"scroll_depth":${whole(101)}}`,
        ),
      )
    hits += 1
    return post(`${base}/hit`, head, body)
  }
  return Object.assign(next, { hits: () => hits })
}

/** Returns a function that creates requests for the paths in turn: GET, or POST with a body. */
export const createRequests = ({ host, paths, headers = {}, body }) => {
  const all = {
    ...headers,
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  }
  const texts = paths.map(path =>
    [
      `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
      `Host: ${host}`,
      ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
      '',
      body ?? '',
    ].join('\r\n'),
  )
  let made = 0
  return () => texts[made++ % texts.length]
}
