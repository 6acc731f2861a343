/**
 * The service that adds a click id, and what it identifies: a search ad, an ad on a social network, a link in a
 * newsletter, or a shared link.
 */
export type Click = { from: string; kind: 'search ad' | 'social ad' | 'mail' | 'shared link' }

const clicks: ReadonlyMap<string, Click> = new Map([
  ['gclid', { from: 'Google', kind: 'search ad' }],
  ['gbraid', { from: 'Google', kind: 'search ad' }],
  ['wbraid', { from: 'Google', kind: 'search ad' }],
  ['gad_source', { from: 'Google', kind: 'search ad' }],
  ['dclid', { from: 'Google', kind: 'search ad' }],
  ['msclkid', { from: 'Bing', kind: 'search ad' }],
  ['yclid', { from: 'Yandex', kind: 'search ad' }],
  ['ob_click_id', { from: 'Outbrain', kind: 'search ad' }],
  ['ttclid', { from: 'TikTok', kind: 'social ad' }],
  ['twclid', { from: 'X', kind: 'social ad' }],
  ['li_fat_id', { from: 'LinkedIn', kind: 'social ad' }],
  ['rdt_cid', { from: 'Reddit', kind: 'social ad' }],
  ['sccid', { from: 'Snapchat', kind: 'social ad' }],
  ['epik', { from: 'Pinterest', kind: 'social ad' }],
  ['mc_cid', { from: 'Mailchimp', kind: 'mail' }],
  ['mc_eid', { from: 'Mailchimp', kind: 'mail' }],
  ['_hsenc', { from: 'HubSpot', kind: 'mail' }],
  ['_kx', { from: 'Klaviyo', kind: 'mail' }],
  ['fbclid', { from: 'Facebook', kind: 'shared link' }],
  ['igshid', { from: 'Instagram', kind: 'shared link' }],
  ['igsh', { from: 'Instagram', kind: 'shared link' }],
])

/** The query keys of click ids, in lower case, in order of precedence: ads come first. */
export const clickIds: readonly string[] = [...clicks.keys()]

/** Looks up a click id, ignoring case; null for none or an unknown one. */
export const clickOf = (clickId: string | null): Click | null => clicks.get(clickId?.toLowerCase() ?? '') ?? null
