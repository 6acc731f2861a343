import { timeText, toSeconds } from '../lib/time.ts'
import { asFailure } from './failure.ts'
import { reasonOf } from './open.ts'
import { removeDatabase, renew } from './renew.ts'
import { fallbackSource, licensedSource, type Source } from './sources.ts'
import { due, markFor, type State, saveTries, wanted } from './state.ts'
import { failed, isHeldOff, started, succeeded, type Which } from './tries.ts'

/** In seconds; the free database is published monthly. */
const month = 31 * 86_400
const defaultTimeout = 30_000

const names: Readonly<Record<Which, string>> = {
  licensed: 'The licensed city database',
  fallback: 'The free city database',
}

const sourceOf = ({ settings, edition, licensedUrl, fallbackUrl, clock }: State, which: Which): Source =>
  which === 'licensed'
    ? licensedSource(settings().geoip_license_key, edition, licensedUrl)
    : fallbackSource(fallbackUrl, clock())

const download = async (state: State, which: Which, control: AbortController): Promise<string> => {
  const { tries, now, clock, paths, timeout = defaultTimeout } = state
  saveTries(state, which, started(tries[which], markFor(state, which), now()))
  try {
    const requestOptions = { signal: control.signal, timeout, clock }
    const renewed = await renew(sourceOf(state, which), paths[which], tries[which].version, requestOptions)
    saveTries(state, which, succeeded(tries[which], now(), renewed?.version ?? null))
    if (renewed === null) return `${names[which]} is up to date.`
    Object.assign(state, { opened: { origin: which, geo: renewed.geo, updatedAt: now() }, problem: null })
    return `${names[which]} was downloaded.`
  } catch (error) {
    if (control.signal.aborted) {
      if (state.settings().geoip_license_key === '') removeDatabase(paths.licensed)
      return `${names[which]} was not downloaded: ${reasonOf(control.signal.reason)}.`
    }
    const failure = asFailure(error)
    saveTries(state, which, failed(tries[which], failure, now()))
    const kept = state.opened?.origin === which ? 'The current one stays in use. ' : ''
    const retryAt = timeText(tries[which].retryAt ?? now())
    throw new Error(`${names[which]} could not be downloaded: ${failure.message}. ${kept}It is retried at ${retryAt}.`)
  }
}

const fetchOne = async (state: State, which: Which): Promise<string> => {
  const [mark, { notBefore, error }] = [markFor(state, which), state.tries[which]]
  if (isHeldOff(state.tries[which], mark, state.now()) && notBefore !== null)
    throw new Error(
      `${names[which]} could not be downloaded: ${error ?? 'the server is limiting requests'}. ` +
        `The server asks for no requests before ${timeText(notBefore)}.`,
    )
  const control = new AbortController()
  const downloading = download(state, which, control).finally(() => {
    state.running = null
  })
  state.running = { which, mark, control, ended: downloading.catch(() => {}) }
  return await downloading
}

/** The free database is published monthly and not requested before. */
const isYoung = ({ opened, now }: State, which: Which): boolean =>
  which === 'fallback' && opened?.origin === 'fallback' && now() - toSeconds(opened.geo.buildDate.getTime()) < month

/** Downloads, one after the other, the databases that are due, or else checks those in use. */
export const fetchAll = async (state: State): Promise<string> => {
  const [urgent, all] = [due(state), wanted(state)]
  const messages: string[] = []
  const errors: string[] = []
  for (const which of urgent.length > 0 ? urgent : all) {
    // The licensed database may have been downloaded just now, so that the free one is no longer needed.
    if (!wanted(state).includes(which)) continue
    if (urgent.length === 0 && isYoung(state, which)) {
      messages.push('The free city database is less than a month old.')
      continue
    }
    try {
      messages.push(await fetchOne(state, which))
    } catch (error) {
      errors.push(reasonOf(error))
    }
  }
  if (errors.length > 0) throw new Error(errors.join('. '))
  return messages.length > 0
    ? messages.join(' ')
    : 'The built-in country database is in use; it is updated with the program.'
}
