// A year (or less) of a shop's visits as lines for `footfall import --format requests`, in the order of time:
// `node year-lines.mjs VIEWS DAYS LAST_DAY SEED`. The same arguments give the same lines.
import { once } from 'node:events'
import { browsers } from './browsers.mjs'
import { referrers as common, createPicker, createRandom, languages, publicAddress, zipf } from './traffic.mjs'

const pageCount = 2000
const daySeconds = 86_400
/** Together with what hits come from, 500 hosts. */
const referrers = [
  ...common,
  ...Array.from({ length: 294 }, (_, index) => `https://forum-${index}.example.org/topic/${index}`),
]
/** Each view may be a visit's last, so a visit has three views on average. */
const leaving = 1 / 3
const longestVisit = 1500
const eventNames = ['add_to_cart', 'checkout_start', 'signup', 'file_download', 'outbound_link']
const campaigns = Array.from(
  { length: 20 },
  (_, index) => `?utm_source=letter-${index % 5}&utm_medium=email&utm_campaign=campaign-${index}`,
)

/** How busy an hour is: quiet at night, busiest in the evening. */
const hours = Array.from({ length: 24 }, (_, hour) => 1 + Math.sin(((hour - 9) / 24) * 2 * Math.PI) * 0.8)

export const createYear = (views, days, lastDay, seed) => {
  const random = createRandom(seed)
  const whole = count => Math.floor(random() * count)
  const browser = createPicker(
    browsers.map(({ weight }) => weight),
    random,
  )
  const page = createPicker(zipf(pageCount), random)
  const hour = createPicker(hours, random)
  const firstSecond = Date.parse(`${lastDay}T00:00:00Z`) / 1000 - (days - 1) * daySeconds
  let made = 0

  const visit = (start, end, lines) => {
    const {
      agent,
      headers,
      screen: [width, height],
    } = browsers[browser()]
    const spoken = whole(languages.length)
    const about = { ip: publicAddress(random), user_agent: agent, headers }
    const add = (second, endpoint, body) => {
      if (second < end)
        lines.push([
          second,
          `${JSON.stringify({ endpoint, time: new Date(second * 1000).toISOString(), ...about, body })}\n`,
        ])
    }
    let second = start
    for (let first = true; ; first = false) {
      const shown = page()
      const pvid = `bench-${String(made++).padStart(15, '0')}`
      add(second, 'hit', {
        page_url: `https://shop.example/product/${shown}${first && random() < 0.1 ? campaigns[whole(campaigns.length)] : ''}`,
        title: `Product number ${shown} - Shop`,
        pvid,
        screen_width: width,
        screen_height: height,
        language: languages[spoken],
        ...(first && { referrer: referrers[whole(referrers.length)] }),
      })
      if (random() < 0.05)
        add(second + 5, 'event', {
          name: eventNames[whole(eventNames.length)],
          properties: { place: `place-${whole(30)}` },
          pvid,
        })
      const seconds = 3 + whole(90)
      if (random() < 0.7)
        add(second + seconds, 'engagement', { pvid, engagement_time: seconds, scroll_depth: whole(101) })
      second += seconds + whole(30)
      if (random() < leaving || second - start > longestVisit) return
    }
  }

  /** The lines of one day, in the order of time; its share of the views, and no visit beyond its end. */
  return {
    dayLines: day => {
      const start = firstSecond + day * daySeconds
      const wanted = Math.floor((views * (day + 1)) / days)
      const lines = []
      while (made < wanted) visit(start + hour() * 3600 + whole(3600), start + daySeconds, lines)
      return lines.sort(([a], [b]) => a - b).map(([, line]) => line)
    },
  }
}

if (process.argv[1]?.endsWith('year-lines.mjs')) {
  const [views, days, lastDay, seed] = process.argv.slice(2)
  const year = createYear(Number(views), Number(days), lastDay, Number(seed))
  for (let day = 0; day < Number(days); day++) {
    if (!process.stdout.write(year.dayLines(day).join(''))) await once(process.stdout, 'drain')
  }
}
