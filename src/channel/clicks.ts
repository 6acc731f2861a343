/** Who adds a click id, and what it tells: an ad of a search engine, an ad of a network, or only a link shared there. */
export type Click = { from: string; tells: 'search ad' | 'social ad' | 'shared link' }

const clicks: ReadonlyMap<string, Click> = new Map([
  ['gclid', { from: 'Google', tells: 'search ad' }],
  ['gbraid', { from: 'Google', tells: 'search ad' }],
  ['wbraid', { from: 'Google', tells: 'search ad' }],
  ['dclid', { from: 'Google', tells: 'search ad' }],
  ['msclkid', { from: 'Bing', tells: 'search ad' }],
  ['yclid', { from: 'Yandex', tells: 'search ad' }],
  ['ttclid', { from: 'TikTok', tells: 'social ad' }],
  ['twclid', { from: 'X', tells: 'social ad' }],
  ['li_fat_id', { from: 'LinkedIn', tells: 'social ad' }],
  ['rdt_cid', { from: 'Reddit', tells: 'social ad' }],
  ['sccid', { from: 'Snapchat', tells: 'social ad' }],
  ['fbclid', { from: 'Facebook', tells: 'shared link' }],
  ['igshid', { from: 'Instagram', tells: 'shared link' }],
  ['igsh', { from: 'Instagram', tells: 'shared link' }],
])

/** The query keys that are click ids, in lower case, ads first: of several in one query the first of this list counts. */
export const clickIds: readonly string[] = [...clicks.keys()]

/** What a click id tells, in any case of letters; null for none or an unknown one. */
export const clickOf = (clickId: string | null): Click | null => clicks.get(clickId?.toLowerCase() ?? '') ?? null
