// Visits of people, and of machines that do not say so, as they arrive through a proxy on 127.0.0.1.
import { phone, type Running } from './service.ts'

const json = { 'content-type': 'application/json' }

/** Sends a hit without Accept-Language and from a screen of 0 × 0, as no person does: headers and device. */
export const machine = ({ hit }: Running, path: string, address: string, more: object = {}) =>
  hit(
    { page_url: `https://example.org${path}`, screen_width: 0, screen_height: 0, ...more },
    { 'x-forwarded-for': address, 'accept-language': '', origin: 'https://example.org' },
  )

export const person = ({ hit }: Running, path: string, address: string, more: object = {}) =>
  hit(
    { page_url: `https://example.org${path}`, screen_width: 390, screen_height: 844, language: 'de', ...more },
    { 'x-forwarded-for': address, 'user-agent': phone, 'accept-language': 'de-DE,de;q=0.9' },
  )

export const putBots = ({ api }: Running, body: object) =>
  api('/bots', { method: 'PUT', body: JSON.stringify(body), headers: json })
