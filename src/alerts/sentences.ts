import de from '../../data/alerts/de.json'
import en from '../../data/alerts/en.json'
import es from '../../data/alerts/es.json'
import fr from '../../data/alerts/fr.json'
import { dateFormat, numberFormat } from '../lib/formats.ts'
import { message as fill, type Language, type LanguageName, stored, type Values } from '../lib/texts.ts'
import { type Day, dayText, type Zone } from '../lib/time.ts'
import type { Finding, Raised } from './history.ts'
import type { AlertKind } from './kinds.ts'

const languages: Readonly<Record<LanguageName, typeof en>> = { en, de, fr, es }

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

const bytesIn =
  (tag: string) =>
  (bytes: number): string => {
    const step = Math.min(units.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)))
    const style = { style: 'unit', unit: units[step] ?? 'byte', maximumFractionDigits: 1 } as const
    return numberFormat(tag, style).format(bytes / 1000 ** step)
  }

/** How the numbers of a finding are written, by their names; the texts write all others, which are counts. */
const formatsIn = (tag: string, zone: Zone) => {
  const percent = numberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  const date = dateFormat(tag, { timeZone: 'UTC', dateStyle: 'long' })
  const moment = dateFormat(tag, { timeZone: zone.name, dateStyle: 'long', timeStyle: 'short' })
  const dateOf = (day: Day): Date => new Date(`${dayText(day)}T00:00:00Z`)
  const time = (second: number): string => moment.format(second * 1000)
  const bytes = bytesIn(tag)
  const byName: Readonly<Record<string, (value: number) => string>> = {
    since: time,
    share: value => percent.format(value),
    free: bytes,
    size: bytes,
    day: day => date.format(dateOf(day)),
  }
  return {
    time,
    valuesOf: ({ values, goal }: Finding): Values => ({
      ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, byName[name]?.(value) ?? value])),
      ...(values.from !== undefined &&
        values.to !== undefined && { span: date.formatRange(dateOf(values.from), dateOf(values.to)) }),
      goal: goal ?? '',
    }),
  }
}

/** A finding may be told in other words than its kind usually is. */
const wordingOf = (kind: AlertKind, { values }: Finding): AlertKind | 'disk_filling' | 'spike_suspect' => {
  if (kind === 'disk' && values.full_hours !== undefined) return 'disk_filling'
  return kind === 'spike' && values.suspect !== undefined ? 'spike_suspect' : kind
}

type Message = { subject: string; text: string }
/** The name of the site, and the address of its dashboard; null if not known. */
type Site = { name: string; url: string | null }
export type AlertSentences = {
  title: (kind: AlertKind) => string
  /** What an alert found. */
  sentence: (kind: AlertKind, finding: Finding) => string
  /** The next step. */
  fix: (kind: AlertKind, finding: Finding) => string
  /** The message at the beginning of an alert or, once it is over, at its end. */
  message: (raised: Raised, site: Site) => Message
  /** That a goal was reached on a day, by so many visits so far. */
  reached: (goal: string, day: Day, visits: number, site: Site) => Message
  /** To try out where messages go. */
  test: (site: Site) => Message
}

export const alertSentences = (zone: Zone, language: Language): AlertSentences => {
  const texts = languages[language.name]
  const { time, valuesOf } = formatsIn(language.tag, zone)
  const say = (key: keyof typeof en, values?: Values): string => fill(language, texts[key], values)
  const title: AlertSentences['title'] = kind => say(`${kind}_title`)
  const sentence: AlertSentences['sentence'] = (kind, finding) =>
    say(wordingOf(kind, finding), stored(valuesOf(finding)))
  const fix: AlertSentences['fix'] = (kind, finding) =>
    say(wordingOf(kind, finding) === 'spike_suspect' ? 'spike_suspect_fix' : `${kind}_fix`)
  const link = (url: string | null): string => (url === null ? '' : say('link', { url }))
  const textOf = (paragraphs: readonly string[]): string =>
    `${paragraphs.filter(paragraph => paragraph !== '').join('\n\n')}\n`
  return {
    title,
    sentence,
    fix,
    reached: (goal, day, visits, { name, url }) => ({
      subject: say('reached_subject', stored({ site: name, goal })),
      text: textOf([
        say('reached', { ...stored({ goal, ...valuesOf({ values: { day }, goal }) }), visits }),
        link(url),
      ]),
    }),
    test: ({ name, url }) => ({
      subject: say('test_subject', { site: name }),
      text: textOf([say('test'), link(url)]),
    }),
    message: (raised, { name, url }) => {
      const { kind, beganAt, endedAt } = raised
      const body =
        endedAt === null
          ? [sentence(kind, raised), fix(kind, raised)]
          : [say('ended', { began: time(beganAt), ended: time(endedAt) }), sentence(kind, raised)]
      return {
        subject: say(endedAt === null ? 'subject' : 'subject_ended', { site: name, title: title(kind) }),
        text: textOf([...body, link(url), say('footer')]),
      }
    },
  }
}
