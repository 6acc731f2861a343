import { checkHeader, outcomeHeader } from '../../collection/handler.ts'
import { explain, load, type Loaded, type Patience } from './load.ts'
import { ended, failed, right, type Found, type Step } from './step.ts'

const nginxLine = 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; (nginx), or its like'

/** A hit without a user agent is taken for a robot's: it goes all the way, is counted among the refused, and is in no report. */
const send = (api: string, page: string, patience: Patience, headers: Record<string, string> = {}): Promise<Loaded> =>
  load(`${api}/hit`, patience, {
    method: 'POST',
    body: JSON.stringify({ page_url: page }),
    redirect: 'manual',
    headers: {
      'content-type': 'text/plain',
      'user-agent': '',
      origin: new URL(page).origin,
      [checkHeader]: '1',
      ...headers,
    },
  })

const refused = (url: string, page: string, { answer, text }: Loaded): Found<never> => {
  const { origin, host, hostname } = new URL(page)
  if (answer.status === 400 && text.includes('invalid_host')) {
    return ended(
      `The service refuses hits of ${host}: it is not one of the site's hosts.`,
      `Start the service with --site-url ${origin}, or add --allowed-hosts ${hostname}.`,
    )
  }
  if (answer.status === 429)
    return ended(
      'The service refuses for now: too many requests from this address.',
      'Wait a moment; if visitors share one address, raise --throttle-hits.',
    )
  if (answer.status === 503) return ended('The service cannot write now.', "See 'footfall diagnostics'.")
  const target = answer.headers.get('location')
  if (answer.status >= 300 && answer.status < 400 && target !== null) {
    return ended(
      `A hit to ${url} is sent on to ${new URL(target, url).href}: it loses its content on the way.`,
      `Let the tracker's line name ${new URL(target, url).origin}, so that nothing is sent on.`,
    )
  }
  return ended(
    `A hit to ${url} is answered with ${answer.status} instead of 204.`,
    'The address has to lead to the service, by POST and with its body: check the rules of the proxy or firewall.',
  )
}

/** What the service says that it made of the hit. */
const outcome = (told: string | null): Step => {
  if (told === 'bot') return right("A hit arrives at the service; this one is counted as a robot's, and in no report.")
  if (told === 'off')
    return failed(
      'A hit arrives, but the collection is turned off.',
      "Turn it on with 'footfall settings set tracking_enabled=true'.",
    )
  if (told === null)
    return failed(
      'The answer does not tell what became of the hit: it comes from another program, or a header is taken out on the way.',
      'Check the rules of the proxy for the collection routes.',
    )
  return failed(
    `The hit became '${told}' instead of a robot's: something on the way gives it a user agent of its own, so that browsers cannot be told apart.`,
    'Let the proxy pass the header User-Agent on as it is.',
  )
}

const address = (seen: string | null, forged: string | null, local: boolean): Step => {
  if (local) return right("Whether visitors' addresses are right cannot be told by way of a local address.")
  if (seen === 'private') {
    return failed(
      'The service sees a private address: that of the proxy, unless this machine is in the same network as the service.',
      'Name the network of the proxy with --trust-proxy, and let it send X-Forwarded-For. Run this command from elsewhere to be sure.',
    )
  }
  if (forged === 'private') {
    return failed(
      'Visitors can choose the address that the service sees: the proxy passes their X-Forwarded-For on and does not add to it.',
      `Add to the proxy: ${nginxLine}.`,
    )
  }
  if (seen === 'unnamed')
    return failed(
      "A trusted proxy does not name the visitor's address: all visitors would count as one.",
      `Add to the proxy: ${nginxLine}.`,
    )
  return right('The service sees the address of this machine, a public one, and cannot be talked into another.')
}

/** Sends a hit as a page of the site would, and reads back what became of it and how its sender is seen. */
export const sendHit = async (
  api: string,
  page: string,
  patience: Patience,
  isLocal: (host: string) => boolean,
): Promise<Step[]> => {
  const url = `${api}/hit`
  try {
    const first = await send(api, page, patience)
    if (first.answer.status !== 204) return refused(url, page, first).steps
    if (first.answer.headers.get('access-control-allow-origin') !== '*') {
      return [
        failed(
          'The answer lacks Access-Control-Allow-Origin: browsers report an error.',
          'Let the proxy pass the headers of the service on.',
        ),
      ]
    }
    const arrived = outcome(first.answer.headers.get(outcomeHeader))
    if (!arrived.ok) return [arrived]
    const forged = await send(api, page, patience, { 'x-forwarded-for': '10.0.0.1' })
    return [
      arrived,
      address(
        first.answer.headers.get(checkHeader),
        forged.answer.headers.get(checkHeader),
        isLocal(new URL(url).hostname),
      ),
    ]
  } catch (error) {
    const { reason, fix } = explain(error, patience)
    return [failed(`A hit to ${url} does not arrive: ${reason}.`, fix)]
  }
}
