// How many visitors who come back on the next day can be told by what their visits keep: place, client, screen, language.
// Agents, screens and languages are those of real browsers with their shares (npm `user-agents`); they go through the
// collector into a file, and what is joined are its rows. Places are made up: see `places`.
import UserAgent from 'user-agents'
import { createRandomSource, type RandomSource } from '../drill/random.ts'
import { createPipeline } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'

const start = Date.parse('2026-03-10T12:00:00Z') / 1000
const dayLength = 86_400

/** Of a site whose visitors are mostly of one country: the rest is of 40 others; a country has 100 cities, shares as 1/n. */
const places = { home: 0.7, countries: 40, cities: 100 }

const ranked = (random: RandomSource, count: number): number => {
  const weights = Array.from({ length: count }, (_, index) => 1 / (index + 1))
  let left = (random.below(1e9) / 1e9) * weights.reduce((sum, weight) => sum + weight, 0)
  return weights.findIndex(weight => (left -= weight) < 0)
}

type Visitor = { id: number; country: number; city: number; agent: UserAgent['data'] }

const createVisitor = (random: RandomSource, id: number): Visitor => ({
  id,
  country: random.chance(places.home) ? 0 : 1 + ranked(random, places.countries),
  city: ranked(random, places.cities),
  agent: new UserAgent().data,
})

type Row = { id: number; kept: string }

/** What the visits of a day keep, by the visitor who made them. */
const readDay = (rows: readonly { page: string; client_id: number; screen_id: number; language_id: number }[]): Row[] =>
  rows.map(({ page, client_id, screen_id, language_id }) => ({
    id: Number(page.slice(1)),
    kept: `${client_id} ${screen_id} ${language_id}`,
  }))

const measure = (random: RandomSource, perDay: number) =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start })
    try {
      const first = Array.from({ length: perDay }, (_, id) => createVisitor(random, id))
      const returning = first.slice(0, perDay >> 1)
      const fresh = Array.from({ length: perDay - returning.length }, (_, id) => createVisitor(random, perDay + id))
      for (const [day, visitors] of [first, [...returning, ...fresh]].entries()) {
        pipeline.clock.now = start + day * dayLength
        pipeline.jobs()
        const sent = visitors.map(({ id, agent }) =>
          pipeline.send({
            kind: 'hit',
            address: `12.${id >> 8}.${id & 255}.1`,
            userAgent: agent.userAgent,
            body: {
              page_url: `/${id}`,
              screen_width: agent.screenWidth,
              screen_height: agent.screenHeight,
              language: agent.language ?? undefined,
            },
          }),
        )
        pipeline.flush()
        await Promise.all(sent)
      }
      const [one, two] = [0, 1].map(day =>
        readDay(
          pipeline.rows(
            `select p.path as page, client_id, ifnull(screen_id, 0) as screen_id, ifnull(language_id, 0) as language_id
            from session s join page p on p.id = s.entry_page_id where started_at between ? and ?`,
            start + day * dayLength - 3600,
            start + day * dayLength + 3600,
          ),
        ),
      )
      return { visitors: new Map([...first, ...fresh].map(visitor => [visitor.id, visitor])), one, two, returning }
    } finally {
      pipeline.close()
    }
  })

/** Those that are alone with what they keep. */
const alone = (rows: readonly Row[], placeOf: (id: number) => string): Map<string, number> =>
  new Map(
    [...Map.groupBy(rows, ({ id, kept }) => `${placeOf(id)} ${kept}`)].flatMap(([key, [only, ...others]]) =>
      only === undefined || others.length > 0 ? [] : [[key, only.id] as const],
    ),
  )

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0)
const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`.padStart(8)

const seed = Number(process.argv[2] ?? 1)
const random = createRandomSource(seed)
console.log('visitors a day | country: rightly linked, of the links right | city: rightly linked, of the links right')
for (const [perDay, rounds] of [
  [60, 40],
  [150, 20],
  [500, 8],
  [5000, 1],
] as const) {
  const results: { returned: number; links: number[]; right: number[] }[] = []
  for (let round = 0; round < rounds; round++) {
    const { visitors, one = [], two = [], returning } = await measure(random, perDay)
    const placesOf = [
      (id: number) => String(visitors.get(id)?.country),
      (id: number) => `${visitors.get(id)?.country}/${visitors.get(id)?.city}`,
    ]
    const found = placesOf.map(placeOf => {
      const second = alone(two, placeOf)
      return [...alone(one, placeOf)].flatMap(([key, id]) => {
        const other = second.get(key)
        return other === undefined ? [] : [other === id]
      })
    })
    results.push({
      returned: returning.length,
      links: found.map(links => links.length),
      right: found.map(links => links.filter(Boolean).length),
    })
  }
  const returned = sum(results.map(result => result.returned))
  const cells = [0, 1].flatMap(place => {
    const [right, links] = [sum(results.map(r => r.right[place] ?? 0)), sum(results.map(r => r.links[place] ?? 0))]
    return [percent(right, returned), percent(right, links)]
  })
  console.log(`${String(perDay).padStart(14)} | ${cells.slice(0, 2).join('')} | ${cells.slice(2).join('')}`)
}
