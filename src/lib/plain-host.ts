/** A host in the form in which hosts are compared and stored: lower case, no port, no trailing dot, no leading `www.`. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
    .replace(/^www\./, '')
