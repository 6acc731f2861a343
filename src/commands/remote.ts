// A service that is asked over the network, with an application password from the environment.
import { type Environment, UsageError, variableOf } from '../config/config.ts'
import { kinds } from '../config/kinds.ts'
import { ExpectedError, fetchFailure } from '../lib/errors.ts'

const timeout = 60_000

export const passwordVariable = variableOf('appPassword')

/** The address of a service, without a slash at its end. @throws UsageError */
export const serviceUrl = (text: string, name: string): string => {
  const url = kinds.siteUrl.parse(text)
  if (url === undefined) throw new UsageError(`${name} takes ${kinds.siteUrl.expects}, not '${text}'.`)
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
    throw new UsageError(`${name} takes an https address: the password would travel unencrypted.`)
  return url.replace(/\/+$/, '')
}

/** `LOGIN:PASSWORD` for a service: that of its line, else the one for all. @throws UsageError */
export const servicePassword = (env: Environment, url: string): string => {
  const lines = (env[passwordVariable] ?? '').split('\n').map(line => line.trim())
  const own = lines.find(line => line.startsWith(`${url} `))?.slice(url.length)
  const password = own ?? lines.find(line => !/^https?:/.test(line)) ?? ''
  if (!/^[^:]+:./.test(password.trim()))
    throw new UsageError(`Set ${passwordVariable} to LOGIN:PASSWORD, with an application password of the service.`)
  return password.trim()
}

type Request = {
  url: string
  /** `login:application password` */
  password: string
  path: string
  request?: RequestInit
  signal?: AbortSignal
}

/** Asks the service at a URL. @throws ExpectedError if it cannot be reached */
export const askService = async ({ url, password, path, request = {}, signal }: Request): Promise<Response> => {
  const headers = new Headers(request.headers)
  headers.set('authorization', `Basic ${Buffer.from(password).toString('base64')}`)
  const stops = [AbortSignal.timeout(timeout), ...(signal === undefined ? [] : [signal])]
  const response = await fetch(`${url}${path}`, {
    ...request,
    headers,
    // The password belongs to this address.
    redirect: 'manual',
    signal: AbortSignal.any(stops),
  }).catch((error: unknown) => {
    throw new ExpectedError(`${url} could not be reached: ${fetchFailure(error)}.`)
  })
  if (response.status >= 300 && response.status < 400)
    throw new ExpectedError(`${url} redirects elsewhere. Name the address of the service itself.`)
  return response
}
