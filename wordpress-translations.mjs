// Compiles translations: a .po file, as translators edit it, to the .mo file that WordPress reads.

const text = quoted =>
  quoted
    .replace(/^"|"$/gm, '')
    .replaceAll('\n', '')
    .replace(/\\(.)/g, (_, one) => (one === 'n' ? '\n' : one))

/** The pairs of original and translation; those without a translation are left out. */
const readTranslations = po =>
  [...po.matchAll(/^msgid ((?:".*"\n)+)msgstr ((?:".*"(?:\n|$))+)/gm)]
    .map(([, original, translation]) => [text(original.trimEnd()), text(translation.trimEnd())])
    .filter(([, translation]) => translation !== '')

/** Tables of lengths and offsets, then the texts, sorted by their originals, each ended by a zero byte. */
export const compileTranslations = po => {
  const pairs = readTranslations(po).map(pair => pair.map(one => Buffer.from(one)))
  pairs.sort(([one], [other]) => Buffer.compare(one, other))
  const head = Buffer.alloc(28 + 16 * pairs.length)
  const texts = [...pairs.map(([original]) => original), ...pairs.map(([, translation]) => translation)]
  const numbers = [0x950412de, 0, pairs.length, 28, 28 + 8 * pairs.length, 0, head.length]
  numbers.forEach((number, index) => head.writeUInt32LE(number, 4 * index))
  let offset = head.length
  texts.forEach(({ length }, index) => {
    head.writeUInt32LE(length, 28 + 8 * index)
    head.writeUInt32LE(offset, 32 + 8 * index)
    offset += length + 1
  })
  return Buffer.concat([head, ...texts.flatMap(one => [one, Buffer.alloc(1)])])
}
