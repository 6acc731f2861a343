// Text for a language model: without characters that hide something, and of bounded length.
import { dropControls } from '../lib/controls.ts'

/** Longer values are cut. */
const maxLength = 120
/** Longer sentences are cut, whatever they quote. */
const maxSentence = 2000

/** What a terminal would take as a command. */
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g
/** Characters without a shape of their own, and the tags of Unicode, which spell text that nobody sees. */
const invisible =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu

const visible = (text: string): string => dropControls(text.replace(escapes, '')).replace(invisible, '')

const cutTo = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`

/** A value: one line of at most 120 characters. */
export const plainValue = (text: string): string => cutTo(visible(text), maxLength).toWellFormed()

/** What a sentence puts in quotation marks of the four languages, from the first to the last. */
export const quoted = /(?<=[“„«]).*(?=[”“»])/su

/** A sentence, in which long words and long quotations are cut. */
export const plainSentence = (text: string): string =>
  cutTo(
    visible(text)
      .replace(/\S{121,}/gu, word => cutTo(word, maxLength))
      .replace(/(?<=“)[^”]{121,}(?=”)|(?<=„)[^“]{121,}(?=“)|(?<=«)[^»]{121,}(?=»)/gu, part => cutTo(part, maxLength)),
    maxSentence,
  ).toWellFormed()
