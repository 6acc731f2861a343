/** A script element of a page: its absolute address and its data-… attributes. */
export type Tag = { src: string, data: Readonly<Record<string, string>> }

const element = /<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi
const attribute = /([^\s=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g
const comment = /<!--[\s\S]*?-->/g

const decode = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(attribute)].map(([, name = '', double, single, bare]) => [name.toLowerCase(), decode(double ?? single ?? bare ?? '')]))

/** The scripts that a page loads by address, in its order. */
export const scriptsOf = (html: string, page: string): Tag[] => [...html.replace(comment, '').matchAll(element)].flatMap(([, text = '']) => {
  const attributes = attributesOf(text)
  const { src } = attributes
  if (src === undefined || !URL.canParse(src, page)) return []
  const data = Object.fromEntries(Object.entries(attributes).filter(([name]) => name.startsWith('data-')).map(([name, value]) => [name.slice('data-'.length), value]))
  return [{ src: new URL(src, page).href, data }]
})
