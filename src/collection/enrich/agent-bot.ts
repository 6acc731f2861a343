import { isbot } from 'isbot'
import wordsText from '../../../data/bot-words.txt'
import botsText from '../../../data/bots.txt'
import { anyOf, dataRows } from '../../lib/data-rows.ts'
import { memoize } from '../../lib/lru-cache.ts'
import { parseBrands } from './agent-hints.ts'

const machines = anyOf(dataRows(botsText).flat(), 'i')

/** A browser on something held or watched: a phone, a tablet, a television, or the window of an app that is none. */
const peopleDevice =
  /^Mozilla\/\d\.\d \(.*(?:Android|iPhone|iPad|iPod|HarmonyOS|Tizen|Web0S|webOS|\bTV\b|GoogleTV|MicroMessenger|AliApp\()/

/** Names of devices and apps that hold one of isbot's words. */
const peopleNames =
  /(?:CU|FOSSi)BOT(?:[ _][\w+]{1,12})*|\bPOWER BOT\b|\b(?:[A-Z] |VR ?|X)BOT[ _][\w+]{1,12}|; [\w +-]{0,24}(?:bot|spider|google)[\w +-]{0,24}(?= Build\/)|; Spider(?: \d{1,2})?(?=[;)])|\bGoogle ?TV\b|\bcom\.google\.[\w.]+|@[a-z]{2,20}_(?:android|iphone|ipad)_/gi

/** What says bot to isbot, but not on a device of people. */
const sharedWords = anyOf(dataRows(wordsText).flat(), 'gi')

const isListed = (userAgent: string): boolean => isbot(userAgent) || machines.test(userAgent)

const withoutShared = (userAgent: string): string => userAgent.replace(peopleNames, ' ').replace(sharedWords, '')

/** Whether a user agent declares itself a bot; an empty one does. */
export const isBotAgent = (userAgent: string): boolean =>
  userAgent.trim() === '' ||
  (isListed(userAgent) && !(peopleDevice.test(userAgent) && !isListed(withoutShared(userAgent))))

/** Names of brands that browsers send: `Not/A)Brand` and the like are made up, so that nobody relies on the list. */
const brandName = /^[\w .-]+$/
const peopleBrand = /^(?:Google Chrome|Chromium)$|\bbrand\b/i

/** Whether a brand in `Sec-CH-UA` is a bot's, as HeadlessChrome. */
export const isBotBrand = memoize(500, brands =>
  parseBrands(brands.slice(0, 512)).some(
    ({ name }) =>
      brandName.test(name) && !peopleBrand.test(name) && isListed(`Mozilla/5.0 (X11; Linux x86_64) ${name}/1.0.0`),
  ),
)
