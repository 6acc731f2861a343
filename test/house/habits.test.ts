// Habits of speech over which readers of the documents stumble, and what to write instead.
import { globSync, readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const habits: readonly { habit: RegExp; instead: string }[] = [
  { habit: /\b(?:is|are|was|were|be) told\b/, instead: 'is reported, is shown: say what happens, and to whom' },
  { habit: /\bof before\b/, instead: 'earlier, past: "past orders"' },
  { habit: /\b[Ww]hoever\b|(?:^|[.:;] )Who /, instead: 'anyone who, or the person by name: "administrators"' },
  {
    habit: /\b(?:as|like) (?:the |an? )?[\w-]+(?:'s|s')(?=[,.;:)]| (?:do|does|has|have|is|are|pass)\b)/,
    instead: 'the thing itself: "like requests of the tracker", "as in a log of Caddy"',
  },
  {
    habit: /(?:^|[.:;] |, and )What (?:(?!\?)[^.,;:|]){1,80} (?:is|are|was|were|goes|stays|comes)\b/,
    instead: 'a noun: "An entry with a dot is a host"',
  },
]

/** Paragraphs and items, without code, tables and headings, on one line each. */
const paragraphsOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .replace(/^ *```.*?^ *```/gms, '')
    .replace(/^[|#].*$/gm, '')
    .replace(/`[^`]*`/g, '…')
    .split(/\n(?=[*-] |\d+\. )|\n\n/)
    .map(paragraph => paragraph.replace(/\s+/g, ' ').replace(/^ |^[*-] |\*\*/g, ''))

test('documents do without habits that readers stumble over', () => {
  const files = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')]
  assert.ok(files.length > 30)
  const found = files.flatMap(file =>
    paragraphsOf(file).flatMap(text =>
      habits
        .filter(({ habit }) => habit.test(text))
        .map(({ habit, instead }) => `${file}: …${habit.exec(text)?.[0]}… Write ${instead}.`),
    ),
  )
  assert.equal(found, [])
})

test.run()
