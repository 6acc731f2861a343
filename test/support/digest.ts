// Digests taken apart.

/** A line of figures: its name, and what is next to it. */
export type Line = { name: string; rest: string }
export type Section = { title: string; rows: Line[] }

/** The blocks of a digest's text: each with its heading, the first without. */
export const openText = (text: string): { title: string; lines: string[] }[] => {
  const blocks: { title: string; lines: string[] }[] = [{ title: '', lines: [] }]
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const isHeading = lines[index - 1] === '' && lines[index + 1] === '' && line !== '' && !line.startsWith('-')
    if (isHeading) blocks.push({ title: line, lines: [] })
    else if (line !== '') blocks.at(-1)?.lines.push(line)
  }
  return blocks
}

const lineOf = (line: string): Line => {
  const [, name = '', rest = ''] = /^(.*?)\s{2,}(.*)$/.exec(line) ?? []
  return { name, rest }
}

const sectionOf = ({
  title,
  lines,
}: { title: string; lines: string[] } | { title: string; lines: string[] }): Section => ({
  title,
  // Second lines of a row are indented.
  rows: lines.filter(line => !line.startsWith('  ')).map(lineOf),
})

/** The sections of a digest that has all of them. */
export const sectionsOf = (blocks: ReturnType<typeof openText>) => {
  const [, changes, figures, chart, ...others] = blocks
  const none = { title: '', lines: [] }
  const [notes, ...tables] = others.toReversed()
  return {
    changes: (changes ?? none).lines.map(line => line.replace(/^- /, '')),
    figures: sectionOf(figures ?? none),
    chart: (chart ?? none).lines,
    tables: tables.toReversed().map(sectionOf),
    notes: (notes ?? none).lines.filter(line => line.startsWith('- ')).map(line => line.slice(2)),
  }
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** What a reader sees of HTML, elements apart by spaces. */
export const textOfHtml = (html: string): string =>
  html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&\w+;/g, entity => entities[entity] ?? entity)
