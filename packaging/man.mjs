// The manual page footfall(1), made from docs/command-line.md, which is made from the lists behind --help.

/** Text as roff takes it: no line begins with a dot or an apostrophe, and every hyphen can be searched for and copied. */
const escaped = text =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')

/** Code in bold, links as their text. */
const inline = text =>
  escaped(text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')).replace(/`([^`]+)`/g, (_, code) => `\\fB${code}\\fR`)

const cellsOf = row =>
  row
    .slice(2, -2)
    .split(/ \| /)
    .map(cell => cell.replaceAll('\\|', '|'))

/** One row of a table: its first cell, then what its columns say. */
const entry = (heads, [name, ...cells]) => {
  const about = cells.at(-1)
  const notes = cells
    .slice(0, -1)
    .flatMap((cell, index) =>
      cell === '' ? [] : [cell === 'required' ? 'Required.' : `${heads[index + 1]}: ${cell}.`],
    )
  return ['.TP', inline(name), [inline(about), ...notes.map(inline)].join('\n')]
}

const convert = markdown => {
  let heads = []
  return markdown.split('\n').flatMap(line => {
    if (line === '' || line.startsWith('# ') || line.startsWith('<!--') || /^\| -/.test(line)) return []
    if (line.startsWith('## '))
      return [
        `.SH ${inline(line.slice(3))
          .replace(/\\f[BR]/g, '')
          .toUpperCase()}`,
      ]
    if (line.startsWith('### ')) return [`.SS ${inline(line.slice(4)).replace(/\\f[BR]/g, '')}`]
    if (!line.startsWith('| ')) return ['.PP', inline(line)]
    const cells = cellsOf(line)
    if (['Flag', 'Variable'].includes(cells[0])) {
      heads = cells
      return []
    }
    return entry(heads, cells)
  })
}

/** @param date as YYYY-MM-DD */
export const manPage = (markdown, version, description, date) =>
  [
    `.TH FOOTFALL 1 "${date}" "footfall ${version}" "User Commands"`,
    '.SH NAME',
    `footfall \\- ${escaped(description.split(':')[0])}`,
    '.SH SYNOPSIS',
    '.B footfall',
    '.I command',
    '[\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    ...convert(markdown),
    '',
  ].join('\n')
