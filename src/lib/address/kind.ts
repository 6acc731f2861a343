import { type AddressList, isPrivateAddress, parseAddress } from './list.ts'

/** Headers in which proxies and content delivery networks name the visitor, besides X-Forwarded-For. */
const visitorHeaders = [
  'cf-connecting-ip',
  'true-client-ip',
  'fastly-client-ip',
  'x-vercel-forwarded-for',
  'x-nf-client-connection-ip',
  'x-azure-clientip',
  'x-real-ip',
]

type ReadHeader = (name: string) => string | undefined

/**
 * Whether a request names another public address than the one that counts: then that one is a proxy's which is not
 * trusted. Visitors can send such headers as well, so this is only shown to those who ask.
 */
const namesAnother = (address: string, header: ReadHeader, trusted: AddressList): boolean =>
  ['x-forwarded-for', ...visitorHeaders]
    .flatMap(name => header(name)?.split(',') ?? [])
    .map(entry => parseAddress(entry.trim()))
    .some(other => other !== null && other !== address && !isPrivateAddress(other) && !trusted.has(other))

/** What kind of client address counts for a request: public, private, unnamed, or forwarded, if it is a proxy's. */
export const addressKind = (address: string | null, header: ReadHeader, trusted: AddressList): string => {
  if (address === null) return 'unnamed'
  if (isPrivateAddress(address)) return 'private'
  return namesAnother(address, header, trusted) ? 'forwarded' : 'public'
}
