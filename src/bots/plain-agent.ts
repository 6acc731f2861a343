// User agents in exactly the form that browsers of people send. Apps, television sets, and browsers that add their name
// have headers of their own making: what is missing there says nothing.
import { memoize } from '../lib/lru-cache.ts'

export type System = 'Windows' | 'macOS' | 'Linux' | 'Chrome OS' | 'Android'

export type PlainAgent = {
  /** The major version of Chromium; 0 for Firefox and Safari. */
  chromium: number
  /** What a Chromium names; null for Firefox and Safari. */
  system: System | null
  isEdge: boolean
  isPhone: boolean
  /** Whether nothing but a browser that sends client hints has this agent. */
  hasHints: boolean
}

const chromiumForm =
  /^Mozilla\/5\.0 \(([^()]{1,100})\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/(\d{2,3})[\d.]{0,16} (Mobile )?Safari\/537\.36(?: (Edg|EdgA|OPR)\/[\d.]{1,20})?$/
const firefoxForm =
  /^Mozilla\/5\.0 \((?:Windows NT|Macintosh|X11|Android)[^()]{1,100}; rv:[\d.]{1,8}\) Gecko\/[\d.]{1,10} Firefox\/[\d.]{1,10}$/
const safariForm =
  /^Mozilla\/5\.0 \((Macintosh|iPhone|iPad)[^()]{1,100}\) AppleWebKit\/[\d.]{1,20} \(KHTML, like Gecko\) Version\/[\d.]{1,12} (?:Mobile\/\w{1,10} )?Safari\/[\d.]{1,20}$/

const systemForms: readonly (readonly [System, RegExp])[] = [
  ['Windows', /^Windows NT [\d.]+(?:; Win64; x64|; WOW64)?$/],
  ['macOS', /^Macintosh; Intel Mac OS X [\d_.]+$/],
  ['Linux', /^X11; Linux [\w ]+$/],
  ['Chrome OS', /^X11; CrOS \w+ [\d.]+$/],
  // With `Build/` or `wv` it is an app.
  ['Android', /^Linux; Android [\d.]+; (?!.*\bBuild\b)[^;]+$/],
]

/** The first version of which all send client hints; apps on Android do since 117, but not if they change their agent. */
const hintsSince = 90
const androidHintsSince = 117

const chromiumOf = (userAgent: string): PlainAgent | null => {
  const [, place = '', version, mobile, brand] = chromiumForm.exec(userAgent) ?? []
  const system = version === undefined ? undefined : systemForms.find(([, form]) => form.test(place))?.[0]
  if (system === undefined) return null
  const chromium = Number(version)
  return {
    chromium,
    system,
    isEdge: brand === 'Edg' || brand === 'EdgA',
    isPhone: mobile !== undefined,
    // Before Chrome shortened its agent, an app that removes `wv` could not be told from it.
    hasHints: system === 'Android' ? chromium >= androidHintsSince && place.endsWith('; K') : chromium >= hintsSince,
  }
}

const otherOf = (userAgent: string): PlainAgent | null => {
  const safari = safariForm.exec(userAgent)
  if (safari === null && !firefoxForm.test(userAgent)) return null
  const isPhone = safari === null ? userAgent.includes(' Mobile;') : safari[1] === 'iPhone'
  return { chromium: 0, system: null, isEdge: false, isPhone, hasHints: false }
}

const maxLength = 300
const parse = memoize(2000, (userAgent): PlainAgent | null => chromiumOf(userAgent) ?? otherOf(userAgent))

/** Null for every other agent. */
export const plainAgentOf = (userAgent: string): PlainAgent | null =>
  userAgent.length > maxLength ? null : parse(userAgent)
