// Names in WordPress are HTML: `Tea &amp; Milk &#8211; <b>large</b>` is Tea & Milk – large.

const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute ' +
  'Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml ' +
  'Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml ' +
  'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

const named = new Map([
  ...latin.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(160 + index)]),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    ndash: '–',
    mdash: '—',
    hellip: '…',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    lsaquo: '‹',
    rsaquo: '›',
    bull: '•',
    euro: '€',
    trade: '™',
    OElig: 'Œ',
    oelig: 'œ',
    Scaron: 'Š',
    scaron: 'š',
    prime: '′',
    Prime: '″',
    minus: '−',
    thinsp: ' ',
    ensp: ' ',
    emsp: ' ',
    zwnj: '\u200c',
    zwj: '\u200d',
  }),
])

const ofCode = (code: number, given: string): string =>
  code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : given

const ofEntity = (given: string, decimal?: string, hex?: string, name?: string): string => {
  if (decimal !== undefined) return ofCode(Number.parseInt(decimal, 10), given)
  return hex === undefined ? (named.get(name ?? '') ?? given) : ofCode(Number.parseInt(hex, 16), given)
}

/** The text of HTML without its tags, of which those that break lines become a space. */
export const htmlText = (html: string): string =>
  /[<&]/.test(html)
    ? html
        .replace(/<(?:br|\/?p|\/?div|\/?li)\b[^<>]*>/gi, ' ')
        .replace(/<\/?[a-z!][^<>]*>/gi, '')
        .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,9}));/gi, ofEntity)
        .replace(/\u00a0/g, ' ')
    : html
