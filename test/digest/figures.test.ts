// Every figure of a digest is the one that the API returns for the same days, in four languages, as text and as HTML.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere, runCommand } from '../support/command.ts'
import { openText, type Section, sectionsOf, textOfHtml } from '../support/digest.ts'
import { temporaryFolder } from '../support/program.ts'
import { type Running, withService } from '../support/service.ts'

const folder = temporaryFolder()
const data = folder.path('demo.db')
const end = '2026-03-31T21:59:59Z'

/** Figures as a language writes them, read back. */
const readerOf = (language: string) => {
  const parts = new Intl.NumberFormat(language).formatToParts(-1234567.8)
  const partOf = (type: string): string => parts.find(part => part.type === type)?.value ?? ''
  const plain = (text: string): string => text.replaceAll(partOf('group'), '').replace(partOf('decimal'), '.')
  const numbers = (text: string): number[] => (plain(text).match(/\d+(\.\d+)?/g) ?? []).map(Number)
  return {
    number: (text: string | undefined): number => {
      const [found, ...more] = numbers(text ?? '')
      assert.ok(found !== undefined && more.length === 0, `${text} is no single number`)
      return found ?? 0
    },
    seconds: (text: string | undefined): number => numbers(text ?? '').reduce((all, part) => all * 60 + part, 0),
  }
}

const near = (shown: number, known: number, step: number, name: string): void =>
  assert.ok(Math.abs(shown - known) <= step / 2 + 1e-9, `${name}: ${shown} is shown, ${known} is known`)

/** A percentage has a decimal below 10 %. */
const nearShare = (shown: number, known: number, name: string): void =>
  near(shown, Math.abs(known) * 100, Math.abs(known) >= 0.1 ? 1 : 0.1, name)

type Row = Record<string, any>
type Answers = Record<string, any>

const answersOf = async ({ api }: Running, range: string, language: string): Promise<Answers> => {
  const get = async (path: string): Promise<any> => {
    const { status, body } = await api(`${path}${path.includes('?') ? '&' : '?'}${range}&lang=${language}`)
    assert.is(status, 200, path)
    return body
  }
  const plain = async (path: string): Promise<any> => (await api(`${path}?${range}`)).body.data
  const { data: summary, meta } = await get('/summary?compare=previous')
  return {
    summary,
    lengths: meta.compared_days ?? [1, 1],
    changes: (await get('/advisor/changes?compare=previous')).changes,
    pages: (await get('/pages?limit=5&compare=previous')).data,
    sources: (await get('/sources?limit=5&compare=previous')).data,
    countries: (await get('/dimensions/country?limit=5&compare=previous')).data,
    goals: (await get('/goals/report?compare=previous')).data,
    revenue: (await get('/revenue/summary?compare=previous')).data,
    refusals: await plain('/refusals'),
  }
}

const kinds = ['count', 'count', 'count', 'fine', 'percent', 'seconds'] as const
const names = ['visitors', 'sessions', 'views', 'views_per_session', 'bounce_rate', 'avg_session_duration'] as const

type Shown = { value: string; percent: string; words: string }

/** `3.413  ▲ 9,8 % (304 mehr)` in three parts. */
const shownOf = (text: string): Shown => {
  const [, value = '', rest = ''] = /^(\S.*?)(?:\s{2,}(.*))?$/.exec(text) ?? []
  const [, percent = '', words = ''] = /^[▲▼] (.*?)(?: \((.*)\))?$/.exec(rest) ?? []
  return { value, percent, words: words === '' && percent === '' ? rest : words }
}

/** The change of a sum, by day where the ranges differ in length. */
const fairChange = (change: number, [days, other]: [number, number]): number => ((1 + change) * other) / days - 1

const holdFigures = (section: Section, { summary, lengths }: Answers, language: string): void => {
  const read = readerOf(language)
  assert.is(section.rows.length, names.length)
  for (const [index, name] of names.entries()) {
    const { value, percent, words } = shownOf(section.rows[index]?.rest ?? '')
    const [now, before, change] = [summary.totals[name], summary.previous.totals[name], summary.change[name]]
    const kind = kinds[index]
    const step = { count: 0, fine: 0.01, percent: now >= 0.1 ? 1 : 0.1, seconds: 1 }[kind ?? 'count']
    const known = kind === 'percent' ? now * 100 : now
    near(kind === 'seconds' ? read.seconds(value) : read.number(value), known, step, name)
    if (now === before) {
      assert.not.match(words, /\d/)
      continue
    }
    const isSum = kind === 'count'
    nearShare(read.number(percent), isSum ? fairChange(change, lengths) : change, `${name}, change`)
    const perDay = isSum && lengths[0] !== lengths[1]
    const by = Math.abs(perDay ? now / lengths[0] - before / lengths[1] : now - before)
    if (kind === 'seconds') near(read.seconds(words), by, 1, `${name}, difference`)
    else
      near(read.number(words), kind === 'percent' ? by * 100 : by, isSum && !perDay ? 0 : 0.01, `${name}, difference`)
    const rose = perDay ? now / lengths[0] > before / lengths[1] : now > before
    assert.is(section.rows[index]?.rest.includes('▲'), rose, name)
  }
}

const holdTable = (
  section: Section | undefined,
  rows: readonly Row[],
  figure: string,
  language: string,
  name: (row: Row) => string | null,
  lengths: [number, number],
): void => {
  const read = readerOf(language)
  assert.is(section?.rows.length, rows.length, section?.title)
  for (const [index, row] of rows.entries()) {
    const shown = section?.rows[index]
    const wanted = name(row)
    if (wanted !== null) assert.is(shown?.name, wanted.length <= 46 ? wanted : `${wanted.slice(0, 45)}…`)
    const { value, percent, words } = shownOf(shown?.rest ?? '')
    assert.is(read.number(value), row[figure], wanted ?? String(index))
    if (row[figure] / lengths[0] === row.previous / lengths[1]) assert.is.not(words, '')
    else if (row.change === null) assert.not.match(percent, /\d/)
    else nearShare(read.number(percent), fairChange(row.change, lengths), wanted ?? String(index))
  }
}

const amounts = ['orders', 'net_revenue', 'average_order_value', 'refund_total'] as const

const holdRevenue = (section: Section | undefined, { revenue }: Answers, language: string): void => {
  const read = readerOf(language)
  for (const [index, name] of amounts.entries()) {
    const { value } = shownOf(section?.rows[index]?.rest ?? '')
    near(read.number(value), revenue[name], name === 'average_order_value' ? 0.01 : 0, name)
  }
}

const holdRefusals = (lines: readonly string[], { refusals }: Answers, language: string): void => {
  const read = readerOf(language)
  const sums = Object.fromEntries(refusals.outcomes.map(({ outcome, requests }: Row) => [outcome, requests]))
  const { bot = 0, received: _, trimmed: __, ...rest } = sums
  const { accepted = 0, repeated = 0, ...others } = rest
  const other = Object.values(others).reduce<number>((all, count) => all + Number(count), 0)
  const all = accepted + repeated + bot + other
  const [crawlers = '', refused = ''] = lines.slice(-2)
  const [n = '', share = ''] = crawlers.match(/\d[\d.,\s\u00a0\u202f]*/g) ?? []
  assert.is(read.number(n), bot)
  nearShare(read.number(share), bot / all, 'crawlers')
  const [m = '', part = ''] = refused.match(/\d[\d.,\s\u00a0\u202f]*/g) ?? []
  assert.is(read.number(m), other)
  nearShare(read.number(part), other / all, 'refused')
  for (const count of Object.values(others))
    assert.match(refused, new RegExp(` ${new Intl.NumberFormat(language).format(Number(count))}[,.]`))
}

const cases = [
  ['week', '2026-03-31', 'from=2026-03-23&to=2026-03-29', []],
  ['month', '2026-03-31', 'from=2026-03-01&to=2026-03-31', ['--to', '2026-03-31']],
  ['day', '2026-03-31', 'from=2026-03-30&to=2026-03-30', []],
] as const

test('the made-up year: every figure is that of the API, in four languages', async () => {
  const made = await footfallHere([
    'demo',
    '--data',
    data,
    '--to',
    '2026-03-31',
    '--days',
    '120',
    '--visits',
    '24000',
    '--timezone',
    'Europe/Berlin',
  ])
  assert.is(made.status, 0, made.stderr)
  await withService({ file: data, start: end }, async running => {
    for (const [period, , range, more] of cases)
      for (const language of ['en', 'de', 'fr', 'es']) {
        const args = ['digest', '--data', data, '--period', period, '--lang', language, ...more]
        const { status, stdout, stderr } = await runCommand([...args, '--public-url', 'https://stats.example.org'], end)
        assert.is(status, 0, stderr)
        const answers = await answersOf(running, range, language)
        const { changes, figures, tables, notes } = sectionsOf(openText(stdout))
        assert.equal(
          changes,
          answers.changes.map(({ text }: Row) => text),
          `${period} ${language}`,
        )
        holdFigures(figures, answers, language)
        const [pages, sources, countries, goals, revenue] = tables
        const { lengths } = answers
        holdTable(pages, answers.pages, 'views', language, ({ page }) => page, lengths)
        const sourceName = ({ channel, source }: Row) => (channel === 'Direct' ? null : source)
        holdTable(sources, answers.sources, 'sessions', language, sourceName, lengths)
        holdTable(countries, answers.countries, 'sessions', language, ({ name }) => name, lengths)
        holdTable(goals, answers.goals, 'sessions', language, ({ name }) => name, lengths)
        assert.is(
          /31\D+28\D/.test(stdout.slice(0, 400)),
          period === 'month',
          `${period} ${language}: lengths that differ`,
        )
        holdRevenue(revenue, answers, language)
        holdRefusals(notes, answers, language)
        assert.match(stdout, `https://stats.example.org/?${range}`)
        const html = await runCommand([...args, '--public-url', 'https://stats.example.org', '--format', 'html'], end)
        // What the text says is in the HTML as well, in the same order.
        const shown = textOfHtml(html.stdout)
        let at = 0
        for (const part of [
          ...changes,
          ...figures.rows.flatMap(row => partsOf(row.name, row.rest)),
          ...tables.flatMap(table => table.rows.flatMap(row => partsOf(row.name, row.rest))),
          ...notes,
        ]) {
          const found = shown.indexOf(part.replace(/…$/, ''), at)
          assert.ok(found >= 0, `${period} ${language}: the HTML lacks ${part} after ${shown.slice(at, at + 80)}`)
          at = found + part.length
        }
      }
  })
})

const partsOf = (name: string, rest: string): string[] => {
  const { value, percent, words } = shownOf(rest)
  return [name, value, percent, words].filter(part => part !== '')
}

test.after(() => folder.remove())
test.run()
