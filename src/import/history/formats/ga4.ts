import { addDays, type Day, dateOf } from '../../../lib/time.ts'
import type { Format, Table } from '../format.ts'
import { countIn, dayIn, decimalIn, firstCount, type Row, RowProblem } from '../row.ts'
import type { Sink } from '../sink.ts'
import type { Figures } from '../sums.ts'

/** Names of columns in other languages, and those that mean the same. */
const translations: Readonly<Record<string, readonly string[]>> = {
  date: ['datum', 'fecha', 'data'],
  'nth day': ['n-ter tag', 'nième jour', 'n.º día', 'día n.º'],
  'page path and screen class': [
    ...['page path', 'page path + query string', 'seitenpfad und bildschirmklasse', 'seitenpfad'],
    ...["chemin de la page et classe de l'écran", 'chemin de la page et classe de l’écran', 'chemin de la page'],
    ...['ruta de página y clase de pantalla', 'ruta de la página y clase de pantalla', 'ruta de página'],
  ],
  'landing page': [
    'landing page + query string',
    'landingpage',
    'zielseite',
    'page de destination',
    'página de destino',
  ],
  'session source': ['sitzungsquelle', 'quelle der sitzung', 'source de la session', 'fuente de la sesión'],
  'session medium': ['sitzungsmedium', 'medium der sitzung', 'support de la session', 'medio de la sesión'],
  'session source / medium': [
    ...['sitzung – quelle / medium', 'sitzungsquelle / sitzungsmedium', 'quelle/medium der sitzung'],
    ...['source / support de la session', 'fuente/medio de la sesión'],
  ],
  'session campaign': ['sitzungskampagne', 'campagne de la session', 'campaña de la sesión'],
  country: ['land', 'pays', 'país'],
  region: ['région', 'región'],
  city: ['stadt', 'ort', 'ville', 'ciudad'],
  'device category': ['gerätekategorie', "catégorie d'appareil", 'categoría de dispositivo'],
  browser: ['navigateur', 'navegador'],
  'operating system': ['betriebssystem', "système d'exploitation", 'sistema operativo'],
  'event name': ['ereignisname', "nom de l'événement", "nom d'événement", 'nombre del evento'],
  views: ['aufrufe', 'vues', 'vistas', 'visualizaciones'],
  'active users': ['aktive nutzer', 'utilisateurs actifs', 'usuarios activos'],
  'total users': ['nutzer insgesamt', "nombre total d'utilisateurs", 'total de usuarios', 'usuarios totales'],
  sessions: ['sitzungen', 'sesiones'],
  'bounce rate': ['absprungrate', 'taux de rebond', 'porcentaje de rebote'],
  'average engagement time per session': [
    'durchschnittliche interaktionsdauer pro sitzung',
    "durée d'engagement moyenne par session",
    'tiempo de interacción medio por sesión',
  ],
  'event count': ['ereignisanzahl', "nombre d'événements", 'número de eventos', 'recuento de eventos'],
}
const ourNames = new Map(Object.entries(translations).flatMap(([name, others]) => others.map(other => [other, name])))

const unknown = /^\((?:not set|not provided|none|direct|other)\)$/
const isTotal = (text: string): boolean =>
  text.trim() === '' || /^(?:grand )?total|^gesamt|^total général|^summe/i.test(text.trim())

const dateColumns = ['date', 'nth day'] as const

/** The day of a row; null for the row of totals. */
const dayOf = (row: Row, to: Sink): Day | null => {
  const [date, nth] = dateColumns.map(name => row.get(name))
  if (isTotal(date ?? '') && isTotal(nth ?? '')) return null
  if (date !== '') return dayIn(row, 'date')
  const start = /: (\d{4})(\d\d)(\d\d)$/.exec(to.preamble.find(line => /start|anfang|début|inicio/i.test(line)) ?? '')
  const first = start === null ? null : dateOf(start.slice(1).join('-'))
  if (first === null) throw new RowProblem('the lines before its table do not say the start date')
  if (!/^\d{1,4}$/.test(nth ?? '')) throw new RowProblem('nth day is not a number')
  return addDays(first, Number(nth))
}

const figuresOf = (row: Row): Figures => {
  const sessions = countIn(row, 'sessions')
  const rate = decimalIn(row, 'bounce rate')
  return {
    visitors: firstCount(row, 'active users', 'total users'),
    sessions,
    views: countIn(row, 'views'),
    bounces: sessions === undefined || rate === undefined ? undefined : Math.round(sessions * Math.min(rate, 1)),
  }
}

type Read = (row: Row, to: Sink, day: Day) => void

/** The columns that divide a day; a table with none of them has its totals. */
const dimensions: readonly (readonly [column: string, read: Read])[] = [
  ['page path and screen class', (row, to, day) => to.page(day, row.get('page path and screen class'), figuresOf(row))],
  [
    'landing page',
    (row, to, day) => {
      const { sessions = 0, visitors = sessions, bounces = 0 } = figuresOf(row)
      to.page(day, row.get('landing page'), { entries: sessions, entry_visitors: visitors, bounces })
    },
  ],
  ['session source', (row, to, day) => source(row, to, day, row.get('session source'), row.get('session medium'))],
  [
    'session source / medium',
    (row, to, day) => {
      const [name = '', medium = ''] = row.get('session source / medium').split(' / ')
      source(row, to, day, name, medium)
    },
  ],
  [
    'country',
    (row, to, day) =>
      to.place(
        day,
        { country: row.get('country'), region: known(row, 'region'), city: known(row, 'city') },
        figuresOf(row),
      ),
  ],
  ['device category', (row, to, day) => to.device(day, row.get('device category'), figuresOf(row))],
  ['browser', (row, to, day) => to.browser(day, row.get('browser'), '', figuresOf(row))],
  ['operating system', (row, to, day) => to.os(day, row.get('operating system'), '', figuresOf(row))],
  [
    'event name',
    (row, to, day) => {
      const name = row.get('event name')
      if (/^(?:page_view|session_start|first_visit|user_engagement|scroll)$/.test(name)) return to.skip('events of GA4')
      to.event(day, name, { total: countIn(row, 'event count') ?? 0, visitors: figuresOf(row).visitors })
    },
  ],
]

const known = (row: Row, column: string): string => (unknown.test(row.get(column)) ? '' : row.get(column))

const source = (row: Row, to: Sink, day: Day, name: string, medium: string): void => {
  const campaign = known(row, 'session campaign')
  const isTagged = campaign !== '' && !/^\((?:direct|organic|referral)\)$/.test(campaign)
  const isPlain = /^(?:referral|\(none\)|organic|\(not set\)|)$/.test(medium) && !isTagged
  if (isPlain && medium === 'referral') return to.source(day, { source: name }, figuresOf(row))
  const utm = unknown.test(name) && unknown.test(medium) ? {} : { source: name, medium, campaign }
  // Google's own words for search and links are no campaign, but decide on the channel.
  if (isPlain) return to.source(day, { source: name, medium }, figuresOf(row))
  to.source(day, { utm }, figuresOf(row))
}

const parts = ['session medium', 'session campaign', 'region', 'city', 'session default channel group']

const metrics = [
  ...['views', 'active users', 'total users', 'new users', 'sessions', 'engaged sessions', 'bounce rate'],
  ...['average engagement time per session', 'average engagement time per active user', 'views per active user'],
  ...['engagement rate', 'event count', 'key events', 'total revenue', 'sessions per active user', 'views per session'],
]

const table = (dateColumn: string, dimension: string | null, read: Read): Table => ({
  name: dimension ?? 'totals',
  key: [dateColumn, ...(dimension === null ? ['sessions'] : [dimension])],
  ...(dimension === null && { only: [...dateColumns, ...metrics] }),
  once: [dateColumn, ...(dimension === null ? [] : [...dimensions.map(([column]) => column), ...parts])],
  read: (row, to) => {
    const day = dayOf(row, to)
    if (day !== null) read(row, to, day)
  },
})

const totals: Read = (row, to, day) => {
  const figures = figuresOf(row)
  const perSession = decimalIn(row, 'average engagement time per session') ?? 0
  to.site(day, { ...figures, seconds: Math.round((figures.sessions ?? 0) * perSession) })
}

export const ga4: Format = {
  name: 'ga4',
  grain: 'sums',
  column: name => ourNames.get(name) ?? name,
  tables: dateColumns.flatMap(date => [
    ...dimensions.map(([column, read]) => table(date, column, read)),
    table(date, null, totals),
  ]),
  totals: ['totals'],
  explain: columns =>
    dimensions.some(([column]) => columns.includes(column)) && !columns.includes('date')
      ? 'it has no day: add the dimension Date in GA4'
      : null,
  lacks: ['hours'],
  advice:
    'In an exploration, add the dimension Date to each table, and make one with Date, Views, Active users, Sessions and ' +
    'Bounce rate and no other dimension: it has the totals of the days.',
  remarks: ['Exit pages are not known.', 'GA4 leaves out small numbers and sums up rare values as (other).'],
}
