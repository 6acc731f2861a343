// What of an address is sent, and what makes it the address of another page.

/** The parameters that the service reads; it fills them in, see readQuery in src/collection/ingest. */
const read = /__FOOTFALL_QUERY__/g

export type Address = {
  /** Without fragment and credentials; of the query what the service reads, and the names of the rest. */
  page_url: string
  /** The path, `?`, and the parameters that identify the page. */
  page: string
  /** Whether the title may repeat what the visitor has searched for. */
  isSearch: boolean
}

/** Parses an address, which may be relative. */
export const parseAddress = (address: string): Address => {
  const { origin, pathname, search } = new URL(address, location.href)
  const query = search.replace('?', '&')
  let sent = ''
  let page = `${pathname}?`
  for (const [pair, kept] of query.matchAll(read)) {
    sent += pair
    if (kept) page += pair
  }
  return {
    page_url: (origin + pathname + sent.replace('&', '?')).slice(0, 2048),
    page,
    // Sites put what a visitor searches for into `s` or `q`.
    isSearch: /&[sq]=./.test(query),
  }
}
