/** A script element: its absolute address, its attributes, and its data attributes without the `data-` prefix. */
export type Tag = { src: string; attributes: Attributes; data: Readonly<Record<string, string>> }

type Attributes = Readonly<Record<string, string>>
type Element = { name: string; attributes: Attributes }

/** Elements whose content is not parsed as HTML or, for the last two, not run. */
const opaqueElements = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'iframe',
  'noembed',
  'xmp',
  'noscript',
  'template',
])

const opening = /<(?:(!--)|([a-z][a-z0-9-]*)(?=[\s/>]))/gi
const attribute = /[\s/]*(?:([^\s=>/][^\s=>/]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?|(>))/y

const references: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' }

const decode = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return references[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return code > 0x10ffff ? whole : String.fromCodePoint(code)
  })

/** The attributes from a position (of duplicates the first counts), and the end of the tag. */
const readAttributes = (html: string, from: number): { attributes: Attributes; end: number } => {
  const attributes: Record<string, string> = {}
  attribute.lastIndex = from
  for (let match = attribute.exec(html); match !== null; match = attribute.exec(html)) {
    const [, name = '', double, single, bare, end] = match
    if (end !== undefined) return { attributes, end: attribute.lastIndex }
    attributes[name.toLowerCase()] ??= decode(double ?? single ?? bare ?? '')
    from = attribute.lastIndex
  }
  return { attributes, end: Math.max(from, html.length) }
}

const indexAfter = (html: string, text: string, from: number): number => {
  const at = html.indexOf(text, from)
  return at === -1 ? html.length : at + text.length
}

const closing = (html: string, name: string, from: number): number => {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi')
  end.lastIndex = from
  return end.test(html) ? end.lastIndex : html.length
}

/** The elements that a browser sees in a page, in order, without those in comments, templates or scripts. */
export const elementsOf = (html: string): Element[] => {
  const elements: Element[] = []
  opening.lastIndex = 0
  for (let match = opening.exec(html); match !== null; match = opening.exec(html)) {
    const [, comment, written = ''] = match
    if (comment !== undefined) {
      opening.lastIndex = indexAfter(html, '-->', opening.lastIndex)
      continue
    }
    const name = written.toLowerCase()
    const { attributes, end } = readAttributes(html, opening.lastIndex)
    elements.push({ name, attributes })
    opening.lastIndex = opaqueElements.has(name) ? closing(html, name, end) : end
  }
  return elements
}

const dataOf = (attributes: Attributes): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => name.startsWith('data-'))
      .map(([name, value]) => [name.slice('data-'.length), value]),
  )

/** The scripts that a page loads by address, in document order. */
export const scriptsOf = (elements: readonly Element[], page: string): Tag[] => {
  const base =
    elements.find(({ name, attributes: { href } }) => name === 'base' && href !== undefined && URL.canParse(href, page))
      ?.attributes.href ?? ''
  return elements.flatMap(({ name, attributes }) => {
    const { src } = attributes
    const from = new URL(base, page)
    return name !== 'script' || src === undefined || !URL.canParse(src, from)
      ? []
      : [{ src: new URL(src, from).href, attributes, data: dataOf(attributes) }]
  })
}

/** The policies in a page's meta elements. */
export const metaPolicies = (elements: readonly Element[]): string[] =>
  elements.flatMap(({ name, attributes }) =>
    name === 'meta' &&
    attributes['http-equiv']?.toLowerCase() === 'content-security-policy' &&
    attributes.content !== undefined
      ? [attributes.content]
      : [],
  )

/** The pixels in a page's text, also in a noscript element. */
export const pixelsIn = (text: string, page: string): string[] => [
  ...new Set(
    [...text.matchAll(/["'=\s]([^"'=\s<>]*\/(?:pixel|noscript)\.gif\?page_url=[^"'\s<>]*)/g)].flatMap(([, url = '']) =>
      URL.canParse(url, page) ? [new URL(url, page).href] : [],
    ),
  ),
]
