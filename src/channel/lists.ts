// The services that visitors come from, by list, from data/.

import adSystems from '../../data/ad-systems.txt'
import ads from '../../data/channels/ads.txt'
import ai from '../../data/channels/ai.txt'
import mail from '../../data/channels/mail.txt'
import mailProviders from '../../data/channels/mail-providers.txt'
import mailServices from '../../data/channels/mail-services.txt'
import portals from '../../data/channels/portals.txt'
import referral from '../../data/channels/referral.txt'
import search from '../../data/channels/search.txt'
import social from '../../data/channels/social.txt'
import spam from '../../data/referrer-spam.txt'
import spamMore from '../../data/referrer-spam-more.txt'
import shortNames from '../../data/source-names.txt'
import networks from '../../data/source-networks.txt'
import type { Channel } from './channels.ts'

export type List = 'ads' | 'ai' | 'mail' | 'search' | 'social' | 'referral' | 'mailer'

/**
 * A service with its readable name. `mailer` services send newsletters and are only recognised by utm_source; a portal
 * is a search engine with much else below its host. The channel is that of the list, unless it is said.
 */
export type Service = { name: string; list: List; isPortal?: true; channel?: Channel }

/** Parses the lines of a data file into pairs of key and name; `#` starts a comment. */
export const entries = (text: string): [key: string, name: string][] =>
  text.split('\n').flatMap(line => {
    const [, key, name = ''] = /^(\S+)(?:\s+(.*\S))?/.exec(line.replace(/#.*/, '')) ?? []
    return key === undefined ? [] : [[key, name]]
  })

const services = (list: List, text: string): [string, Service][] =>
  entries(text).map(([key, name]) => [key, { name, list }])

/** What webmail has before the host of a provider. */
const mailPrefixes = ['mail.', 'email.', 'webmail.', 'mailbusiness.', 'lightmailer.']

/**
 * The services that a referrer is looked up in. A key is in one list only (a test checks that), so the most specific
 * entry decides: mail.google.com and gemini.google.com before google.*, docs.google.com and blog.naver.com as
 * exceptions. What is written out takes precedence over what follows from a provider of mail.
 */
export const referrerServices: readonly [key: string, service: Service][] = [
  ...services('mail', mailProviders).flatMap(([host, service]) =>
    mailPrefixes.map((prefix): [string, Service] => [prefix + host, service]),
  ),
  ...services('ads', ads),
  ...services('ai', ai),
  ...services('mail', mail),
  ...services('search', search),
  ...entries(portals).map(([key, name]): [string, Service] => [key, { name, list: 'search', isPortal: true }]),
  ...services('social', social),
  ...services('referral', referral),
]

/** By host. */
export const mailers: readonly [host: string, service: Service][] = services('mailer', mailServices)

/** Hosts known for referrer spam, the host above all. */
export const spamHosts: readonly string[] = [...entries(spam), ...entries(spamMore)].map(([host]) => host)

/** Short forms in utm_source, and the names of the services that they stand for. */
export const shortForms = entries(shortNames)

/** First parts of a utm_source that say enough, and the networks that they stand for. */
export const firstParts = entries(networks)

/** Systems of ads in utm_source, and the names of the services whose ads they are. */
export const adSystemForms = entries(adSystems)
