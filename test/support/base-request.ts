// A request to version 0.1.0 as it was recorded, and to today's version as it is repeated.

export type BaseRequest = {
  method?: string
  path: string
  headers?: Record<string, string>
  /** Text as a body is a form. */
  body?: unknown
}

export const send = async (url: string, { method = 'GET', path, headers = {}, body }: BaseRequest) => {
  const isForm = typeof body === 'string'
  const response = await fetch(`${url}${path === '/login' ? '' : '/analytics/v1'}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-type': `application/${isForm ? 'x-www-form-urlencoded' : 'json'}` }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const answer: unknown = text === '' || path === '/login' ? null : JSON.parse(text)
  return { status: response.status, cookies: response.headers.getSetCookie(), answer }
}
