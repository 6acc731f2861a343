// The page of the link in a user's digest: mail programs look at links, so only its button, or their own POST, ends it.
import { expectedFailure, fill, type SmallPage, smallPages, wrongMethod } from '../http/small-page.ts'
import { escapeHtml } from '../lib/escape-html.ts'
import type { Subscriptions } from './subscriptions.ts'
import { type DigestTextKey, textsOf } from './texts.ts'

const toResponse = smallPages('')

const form = `<p>{{about}}</p>
<form method="post">
<button autofocus>{{button}}</button>
</form>`

/** `{root}/unsubscribe?token=…`: needs no login. What has ended already is answered in the same way. */
export const unsubscribePage =
  (subscriptions: Pick<Subscriptions, 'isSubscribed' | 'unsubscribe'>) =>
  (request: Request, url: URL): Response => {
    const { language, t } = textsOf(url.searchParams.get('lang') ?? 'en')
    const token = url.searchParams.get('token') ?? ''
    const page = (status: number, content: string, headers: SmallPage['headers'] = {}): SmallPage => ({
      ...{ status, content, headers },
      title: t('unsubscribe_title'),
      lang: language.name,
    })
    const sentence = (key: DigestTextKey): string => `<p>${escapeHtml(t(key))}</p>`
    const answer = (): SmallPage => {
      if (request.method === 'POST') {
        subscriptions.unsubscribe(token)
        return page(200, sentence('unsubscribed'))
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') throw wrongMethod()
      return page(
        200,
        subscriptions.isSubscribed(token)
          ? fill(form, { about: t('unsubscribe_about'), button: t('unsubscribe_button') })
          : sentence('unsubscribed'),
      )
    }
    try {
      return toResponse(answer(), request.method === 'HEAD')
    } catch (thrown) {
      const { status, message, headers } = expectedFailure(thrown)
      return toResponse(page(status, `<p class="wrong">${escapeHtml(message)}</p>`, headers), false)
    }
  }
