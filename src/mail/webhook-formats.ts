// What a webhook gets, in the form that the program behind its address takes.
import type { WebhookFormat } from '../config/kinds.ts'
import type { Message } from './compose.ts'

/** What a message is about, for programs: `facts` are numbers and names of it. */
export type About = {
  event: 'alert' | 'digest' | 'goal' | 'test'
  facts: Readonly<Record<string, string | number | null>>
}

type Text = Pick<Message, 'subject' | 'text'>

/** `at`: ISO 8601; `site`: the host; `dashboard`: its URL. */
export type Sent = Text & { about: About; at: string; site: string | null; dashboard: string | null }

/** Cuts between characters. */
const cut = (text: string, length: number): string =>
  text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`

/** Slack reads these as the beginning of links, names and channels. */
const slackText = (text: string): string =>
  text.replace(/[&<>]/g, sign => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;'))

const teamsBlock = (text: string, more: object = {}): object => ({ type: 'TextBlock', text, wrap: true, ...more })

type Body = (sent: Sent, url: URL) => object

/** Lengths are the programs' own limits; Teams counts the bytes of the whole. */
const bodies: Readonly<Record<WebhookFormat, Body>> = {
  json: ({ about: { event, facts }, ...sent }) => ({ event, ...sent, facts }),
  slack: ({ subject, text }) => ({ text: cut(`*${slackText(subject)}*\n${slackText(text)}`, 40_000) }),
  // Nobody is called by names that pages or campaigns may have.
  discord: ({ subject, text }) => ({ content: cut(`**${subject}**\n${text}`, 2000), allowed_mentions: { parse: [] } }),
  ntfy: ({ subject, text, dashboard }, url) => ({
    topic: decodeURIComponent(url.pathname.split('/').at(-1) ?? ''),
    title: cut(subject, 250),
    message: cut(text, 1200),
    ...(dashboard !== null && { click: dashboard }),
  }),
  teams: ({ subject, text }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [teamsBlock(subject, { weight: 'Bolder' }), teamsBlock(cut(text, 8000))],
        },
      },
    ],
  }),
}

/** The address and the JSON text of a message: ntfy takes JSON at the folder of its topics. */
export const webhookRequest = (format: WebhookFormat, url: URL, sent: Sent): { url: URL; body: string } => ({
  url: format === 'ntfy' ? new URL('.', url) : url,
  body: JSON.stringify(bodies[format](sent, url)),
})
