// Makes the documentation as pages: `npm run docs`, or `node docs.mjs FOLDER`. The pages have the places of the Markdown files, so a
// link between two of them is the same in both; every address is relative. marked reads Markdown, MiniSearch searches.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { build } from 'esbuild'
import { Marked } from 'marked'
import MiniSearch from 'minisearch'

const root = import.meta.dirname
const out = process.argv[2] ?? join(root, 'dist/docs')
const site = join(root, 'docs/site')

/** Much text that nobody looks for: licences of others, and measurements. */
const unsearched = ['THIRD_PARTY.md', 'docs/benchmark.md']

const escaped = text => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
const isFolder = path => statSync(join(root, path)).isDirectory()

/** Where a file of the repository is among the pages. */
const addressOf = path => {
  if (isFolder(path)) return join(path, 'index.html')
  return path.replace(/(?:README|([^/]+))\.md$/, (_, name = 'index') => `${name}.html`)
}
const linkTo = (from, to) => relative(dirname(addressOf(from)), addressOf(to))

/** A folder is shown as a list of its files. */
const markdownOf = path =>
  isFolder(path)
    ? `# ${path}\n\n${readdirSync(join(root, path))
        .map(name => `- [${name}](${name})`)
        .join('\n')}`
    : readFileSync(join(root, path), 'utf8')

/** The name of a heading as forges make it, the second one of a page with a number. */
const namer = () => {
  const seen = new Map()
  return text => {
    const name = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return count === 0 ? name : `${name}-${count}`
  }
}

/** Markdown as HTML, with its headings, and the files of the repository that it links. */
const render = path => {
  const folder = isFolder(path) ? path : dirname(path)
  const nameOf = namer()
  const headings = []
  const targets = []
  const marked = new Marked({
    walkTokens: token => {
      if ((token.type !== 'link' && token.type !== 'image') || /^(?:[a-z]+:|#)/.test(token.href)) return
      const [file, anchor] = token.href.split('#')
      const target = join(folder, file)
      targets.push(target)
      token.href = [relative(folder, addressOf(target)), anchor].filter(part => part !== undefined).join('#')
    },
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer)
        const id = nameOf(text)
        headings.push({ id, depth, text })
        const inner = this.parser.parseInline(tokens)
        return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`
      },
      table(token) {
        const cells = (row, tag) => row.map(cell => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
        const rows = token.rows.map(row => `<tr>${cells(row, 'td')}</tr>\n`).join('')
        return `<div class="table" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>\n`
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`
      },
    },
  })
  return { html: marked.parse(markdownOf(path)), headings, targets }
}

/** Everything that a reader can come to from README.md. */
const pages = new Map()
const files = new Set()
const queue = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]
for (const path of queue) {
  if (pages.has(path) || files.has(path)) continue
  if (!isFolder(path) && !path.endsWith('.md')) {
    files.add(path)
    continue
  }
  const page = render(path)
  pages.set(path, { ...page, title: page.headings[0]?.text ?? path })
  queue.push(...page.targets)
}

/** The groups of the README's last section, and the pages that each names. */
const groups = readFileSync(join(root, 'README.md'), 'utf8')
  .split('\n## More\n')[1]
  .split(/^(?=\w+:$)/m)
  .slice(1)
  .map(text => ({
    name: text.split(':', 1)[0],
    paths: [...new Set([...text.matchAll(/\]\(((?:docs\/|CONTRIBUTING)[^)#]*)/g)].map(([, path]) => path))],
  }))
groups.at(0).paths.unshift('README.md')
groups.at(-1).paths.push('CHANGELOG.md')

const navigation = current =>
  groups
    .map(({ name, paths }) => {
      const items = paths.map(path => {
        const mark = path === current ? ' aria-current="page"' : ''
        return `<li><a href="${linkTo(current, path)}"${mark}>${pages.get(path).title}</a></li>`
      })
      return `<h2>${name}</h2>\n<ul>${items.join('\n')}</ul>`
    })
    .join('\n')

const outline = headings =>
  headings
    .filter(({ depth }) => depth === 2 || depth === 3)
    .map(({ id, depth, text }) => `<li class="depth-${depth}"><a href="#${id}">${text}</a></li>`)
    .join('\n')

const template = readFileSync(join(site, 'page.html'), 'utf8')
const write = (path, text) => {
  const file = join(out, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

rmSync(out, { recursive: true, force: true })
for (const [path, { html, headings, title }] of pages) {
  const toRoot = `${relative(dirname(addressOf(path)), '.') || '.'}/`
  const parts = {
    title: path === 'README.md' ? 'Footfall' : `${title} · Footfall`,
    root: toRoot,
    // Of one that somebody keeps for everybody, else how to make one's own.
    demo: process.env.DEMO_URL || `${toRoot}docs/demo.html`,
    navigation: navigation(path),
    outline: outline(headings),
    content: html,
  }
  write(
    addressOf(path),
    template.replace(/\{(\w+)\}/g, (_, name) => parts[name]),
  )
}
for (const path of files) cpSync(join(root, path), join(out, path))
cpSync(join(site, 'style.css'), join(out, 'style.css'))

/** What is found: each section of a page, by its heading and its text. */
const index = new MiniSearch({ fields: ['title', 'text'], storeFields: ['title', 'page', 'address'] })
for (const [path, { html, title, headings }] of pages) {
  if (unsearched.includes(path)) continue
  for (const [number, section] of html
    .split(/(?=<h[1-6] id=)/)
    .filter(part => part.startsWith('<h'))
    .entries()) {
    const { id, text } = headings[number]
    const words = section.replace(/<[^>]+>/g, ' ')
    index.add({ id: `${path}#${id}`, title: text, text: words, page: title, address: `${addressOf(path)}#${id}` })
  }
}
write('search-index.js', `searchIndex = ${JSON.stringify(JSON.stringify(index))}`)

await build({
  entryPoints: [join(site, 'site.js')],
  outfile: join(out, 'site.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2020',
  legalComments: 'inline',
  banner: { js: `/*! MiniSearch\n${readFileSync(join(root, 'node_modules/minisearch/LICENSE.txt'), 'utf8')}*/` },
})
console.log(`${pages.size} pages in ${out}: open index.html`)
