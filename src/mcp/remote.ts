import { ExpectedError, fetchFailure } from '../lib/errors.ts'
import { pathOf, requestOf, type Send } from './api.ts'

const timeout = 60_000

/**
 * Asks the service at a URL.
 * @param password `login:application password`
 */
export const createRemote = (url: string, password: string): Send => {
  const authorization = `Basic ${Buffer.from(password).toString('base64')}`
  return async (call, signal) => {
    const response = await fetch(`${url}${pathOf(call)}`, {
      ...requestOf(call, { authorization }),
      // The password belongs to this address.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    }).catch((error: unknown) => {
      throw new ExpectedError(`${url} could not be reached: ${fetchFailure(error)}.`)
    })
    if (response.status >= 300 && response.status < 400)
      throw new ExpectedError(`${url} redirects elsewhere. Name the address of the service itself with --url.`)
    return response
  }
}
