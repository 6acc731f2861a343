// `npm run size`: files and lines of what is written by hand, the pairs of folders of src that import each other, and the
// longest files of src. Empty lines count, too.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const groups = {
  'src .ts/.tsx': 'src/**/*.{ts,tsx}',
  'src .sql': 'src/**/*.sql',
  'src .css/.html/.mjs': 'src/**/*.{css,html,mjs}',
  'test .ts/.mjs': 'test/**/*.{ts,mjs}',
}

const linesOf = file => readFileSync(file, 'utf8').split('\n').length - 1

const measure = pattern => globSync(pattern, { cwd: import.meta.dirname }).map(file => ({ file, lines: linesOf(file) }))

const row = (name, files, lines) =>
  `${name.padEnd(20)} ${String(files).padStart(6)} files ${String(lines).padStart(7)} lines`

const total = { files: 0, lines: 0 }
for (const [name, pattern] of Object.entries(groups)) {
  const found = measure(pattern)
  const lines = found.reduce((sum, one) => sum + one.lines, 0)
  console.log(row(name, found.length, lines))
  if (name.startsWith('src')) {
    total.files += found.length
    total.lines += lines
  }
}
console.log(row('src, all of these', total.files, total.lines))

/** As test/house/house.test.ts holds at none. */
const pairs = () => {
  const folderOf = file => file.match(/^src\/([^/.]+)\//)?.[1] ?? ''
  const edges = new Set(
    globSync(groups['src .ts/.tsx'], { cwd: import.meta.dirname }).flatMap(file =>
      [
        ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/^(?:import|export)\b[^']*?'(\.[^']+)'/gm),
      ].map(([, target]) => `${folderOf(file)} ${folderOf(join(dirname(file), target))}`),
    ),
  )
  return [...edges].filter(edge => {
    const [from, to] = edge.split(' ')
    return from < to && from !== '' && edges.has(`${to} ${from}`)
  })
}
console.log(`pairs of folders that import each other: ${pairs().join(', ') || 'none'}`)

const longest = measure(groups['src .ts/.tsx'])
  .sort((one, other) => other.lines - one.lines)
  .slice(0, 10)
console.log(`\nlongest:\n${longest.map(({ file, lines }) => `${String(lines).padStart(6)} ${file}`).join('\n')}`)
