// What is to be known of the figures: what was not counted, and what happened beside them.
import { type Day, parseDay } from '../lib/time.ts'
import type { Content } from './content.ts'
import type { Format } from './format.ts'
import type { DigestTexts } from './texts.ts'
import { safe } from './view-text.ts'

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

export const notesOf = (content: Content, texts: DigestTexts, f: Format, today: Day): string[] => {
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
