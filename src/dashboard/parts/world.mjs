// Draws the map of the world while the program is built: countries as SVG paths, so that the page needs no library for
// them.
import { createRequire } from 'node:module'
import { geoNaturalEarth1, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'

const require = createRequire(import.meta.url)
const width = 1000
const height = 480

/** ISO 3166-1: numeric code → alpha-2. */
const codes = new Map(require('i18n-iso-countries/codes.json').map(([alpha2, , numeric]) => [numeric, alpha2]))

const countriesOf = file =>
  feature(require(`world-atlas/${file}`), 'countries').features.flatMap(country =>
    codes.has(country.id) && country.id !== '010' ? [[codes.get(country.id), country]] : [],
  )

/** The same path by relative steps, which are shorter; steps to where one is already are left out. */
const shorten = path =>
  (path ?? '')
    .split('M')
    .slice(1)
    .map(ring => {
      const [first, ...points] = ring
        .replace('Z', '')
        .split('L')
        .map(point => point.split(',').map(Number))
      let [x, y] = first
      const steps = points.flatMap(([toX, toY]) => {
        const step = [toX - x, toY - y]
        ;[x, y] = [toX, toY]
        return step[0] === 0 && step[1] === 0 ? [] : [step.join(step[1] < 0 ? '' : ' ')]
      })
      return `M${first.join(' ')}l${steps.join(' ').replaceAll(' -', '-')}z`
    })
    .filter(ring => !ring.includes('lz'))
    .join('')

/**
 * `{width, height, places: [[code, path]]}` as JSON text. Countries too small for the coarse map
 * come as a dot where the fine one has them.
 */
export const drawWorld = () => {
  const coarse = countriesOf('countries-110m.json')
  const drawn = new Set(coarse.map(([code]) => code))
  const projection = geoNaturalEarth1().fitExtent(
    [
      [2, 2],
      [width - 2, height - 2],
    ],
    { type: 'FeatureCollection', features: coarse.map(([, country]) => country) },
  )
  const path = geoPath(projection).digits(0)
  const dot = ([x, y]) => `M${Math.round(x) - 2},${Math.round(y)}a2,2,0,1,0,4,0a2,2,0,1,0,-4,0Z`
  const places = [
    ...coarse.map(([code, country]) => [code, shorten(path(country))]),
    ...countriesOf('countries-50m.json')
      .filter(([code]) => !drawn.has(code))
      .map(([code, country]) => [code, dot(path.centroid(country))]),
  ]
  return JSON.stringify({ width, height, places: places.filter(([, d]) => d) })
}
