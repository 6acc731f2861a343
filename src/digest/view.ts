// A digest as texts in one language, before it becomes plain text or HTML.

import { textsOf as advisorTexts } from '../advisor/language.ts'
import { dropControls } from '../lib/controls.ts'
import { type Day, dayText, parseDay } from '../lib/time.ts'
import { chartOf } from './chart.ts'
import type { Content } from './content.ts'
import { createFormat, type Format } from './format.ts'
import type { DigestView, LinkedText } from './shapes.ts'
import { figuresOf, goalsOf, revenueOf, tableOf, type Word } from './tables.ts'
import type { DigestTexts } from './texts.ts'
import { safe } from './view-text.ts'

// What is to be known of the figures: what was not counted, and what happened.

/** Outcomes that are no refusals. */
const counted = ['received', 'accepted', 'repeated', 'trimmed']
/** Changes of settings and versions are in the audit log. */
const untold = ['setting', 'version']
const maxNotes = 8

const refusedOf = ({ outcomes }: Content, { t, maybe }: DigestTexts, f: Format): string[] => {
  const sum = (rows: Content['outcomes']): number => rows.reduce((all, { requests }) => all + requests, 0)
  const refused = outcomes.filter(({ outcome, requests }) => requests > 0 && !counted.includes(outcome))
  const all = sum(outcomes.filter(({ outcome }) => outcome === 'accepted' || outcome === 'repeated')) + sum(refused)
  const [bots, others] = [
    sum(refused.filter(({ outcome }) => outcome === 'bot')),
    refused.filter(({ outcome }) => outcome !== 'bot'),
  ]
  if (all === 0) return []
  const reasons = others.map(({ outcome, requests }) => `${maybe(`reason_${outcome}`) ?? outcome} ${f.count(requests)}`)
  return [
    bots === 0 ? t('no_crawlers') : t('crawlers', { n: bots, share: f.percent(bots / all) }),
    ...(others.length === 0
      ? []
      : [
          t('refused', {
            n: sum(others),
            share: f.percent(sum(others) / all),
            reasons: reasons.join(', '),
          }),
        ]),
  ]
}

/** A whole day, or a moment with its end. */
const whenOf = ({ at, until, day }: Content['annotations'][number], f: Format): string => {
  if (at.length > 10) return `${f.brief(parseDay(day))}, ${f.clock(at)}${until === null ? '' : ` – ${f.clock(until)}`}`
  return until === null ? f.brief(parseDay(at)) : `${f.brief(parseDay(at))} – ${f.brief(parseDay(until))}`
}

const notesOf = (content: Content, texts: DigestTexts, f: Format, today: Day): string[] => {
  const { t } = texts
  const { range, annotations, meta } = content
  const told = annotations.filter(({ kind }) => !untold.includes(kind))
  const notes = told.slice(0, maxNotes).map(note => `${whenOf(note, f)}: ${safe(note.text, 200)}`)
  const { demo } = meta
  return [
    ...(demo === undefined ? [] : [t('demo', { from: f.day(parseDay(demo.from)), to: f.day(parseDay(demo.to)) })]),
    ...(range.to >= today ? [t('not_over', { day: f.day(today) })] : []),
    ...notes,
    ...(told.length > maxNotes ? [t('note_more', { n: told.length - maxNotes })] : []),
    ...refusedOf(content, texts, f),
  ]
}

const comparedText = ({ t, f }: Word, { compared, firstDay, range, summary }: Content, today: number): string => {
  if (compared === null) return firstDay === null ? '' : t('not_compared', { day: f.day(firstDay) })
  const span = f.span(compared)
  const text =
    range.to !== today || summary.previous === undefined
      ? t('compared_with', { span })
      : compared.until === null
        ? t('compared_whole', { span })
        : t('compared_so_far', { span, time: f.clock(compared.until) })
  const { lengths } = compared
  return lengths === null ? text : `${text} ${t('compared_lengths', { days: lengths[0], other: lengths[1] })}`
}

const subjectOf = ({ t, f }: Word, { summary, compared, range }: Content, site: string | null): string => {
  const { visitors } = summary.totals
  const lengths = compared?.lengths ?? null
  const whole = compared === null ? null : (summary.change?.visitors ?? null)
  const change = whole === null || lengths === null ? whole : ((1 + whole) * lengths[1]) / lengths[0] - 1
  const sign = change === null || change === 0 ? '' : change > 0 ? '+' : '-'
  return t('subject', {
    site: site === null ? '' : `${site}: `,
    n: visitors,
    change: change === null ? '' : ` (${sign}${f.percent(Math.abs(change))})`,
    span: f.span(range),
  })
}

/** The address of the dashboard that shows days, and what is filtered by. */
const urlOf = (dashboard: string, from: string, to: string, filters: Readonly<Record<string, string>> = {}): string =>
  `${dashboard.replace(/\/+$/, '')}/?${new URLSearchParams({ from, to, ...filters })}`

const changesOf = (
  { changes, compared, summary, chosen }: Content,
  t: DigestTexts['t'],
  dashboard: string | null,
): LinkedText[] => {
  if (changes === null) return []
  if (summary.totals.views === 0) return [{ text: t('nothing'), url: null }]
  if (changes.length === 0) return compared === null ? [] : [{ text: t('no_change'), url: null }]
  return changes.map(({ text, from, to, filters }) => ({
    text: safe(text, 500),
    url: dashboard === null ? null : urlOf(dashboard, from, to, { ...chosen, ...filters }),
  }))
}

export type ViewOptions = {
  texts: DigestTexts
  timeZone: string
  today: number
  /** The name of the site; null for the host with most sessions. */
  name: string | null
  /** The address of the dashboard; null if it is not known. */
  dashboard: string | null
  /** Where the reader ends these messages; null for those of the owner. */
  unsubscribe: string | null
}

/** What the reader sees, by the names of filters. */
const filteredOf = ({ filters }: Content, { language, t }: DigestTexts): string => {
  const names: Readonly<Record<string, string>> = advisorTexts(language).filters
  const parts = Object.entries(filters).map(([key, value]) => `${names[key] ?? key} “${safe(value)}”`)
  return parts.length === 0 ? '' : t('filtered', { filters: parts.join(', ') })
}

export const viewOf = (
  content: Content,
  { texts, timeZone, today, name, dashboard, unsubscribe }: ViewOptions,
): DigestView => {
  const { t, language } = texts
  const f = createFormat(language.tag, timeZone)
  const word = { t, f }
  const { range, attribution } = content
  const site = name ?? content.host
  const [from, to] = [dayText(range.from), dayText(range.to)]
  return {
    language: language.name,
    site,
    // Narrow spaces would be encoded, and some lists of messages show the code.
    subject: dropControls(subjectOf(word, content, site)).replace(/[\u00a0\u2009\u202f]/g, ' '),
    title: f.span(range),
    compared: comparedText(word, content, today),
    filtered: filteredOf(content, texts),
    changesTitle: t('what_changed'),
    changes: changesOf(content, t, dashboard),
    figuresTitle: t('key_figures'),
    figures: figuresOf(word, content),
    chart: chartOf(content, texts, f),
    tables: [
      ...tableOf(word, ['top_pages', 'views'], content.pages, content),
      ...tableOf(word, ['sources', 'sessions'], content.sources, content),
      ...tableOf(word, ['countries', 'sessions'], content.countries, content),
      ...goalsOf(word, content),
      ...revenueOf(word, content),
    ],
    notesTitle: t('notes'),
    notes: notesOf(content, texts, f, today),
    link: dashboard === null ? null : { text: t('open'), url: urlOf(dashboard, from, to, content.chosen) },
    footer: t('footer'),
    attribution: attribution === undefined ? null : { text: attribution.text, url: attribution.url },
    unsubscribe: unsubscribe === null ? null : { text: t('unsubscribe'), url: unsubscribe },
  }
}
