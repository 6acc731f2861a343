import { getCACertificates, setDefaultCACertificates } from 'node:tls'

let isExtended = false

/** A certificate was refused, and the authorities that this machine trusts have not been asked yet. */
export const canTrustMore = (code: string): boolean => !isExtended && /CERT|SIGNATURE/.test(code)

/**
 * From now on trusts the authorities of the machine's own store besides Node's, as its browsers do. Reading them takes a
 * fifth of a second, so it waits until a certificate has been refused.
 */
export const trustSystemStore = (): void => {
  isExtended = true
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])])
}
