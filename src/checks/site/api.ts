import { explain, load, type Patience } from './load.ts'
import { ended, right, type Found } from './step.ts'
import type { Tag } from './tag.ts'

const open = '__FOOTFALL_API__'
/** Stands in every tracker of any version. */
const mark = 'data-footfall-event'

/** The way to the API that was put into the served script; undefined for a script of another version. */
const wayIn = (served: string, tracker: string): string | undefined => {
  const [before = '', after = ''] = tracker.split(open)
  return served.startsWith(before) && served.endsWith(after)
    ? served.slice(before.length, served.length - after.length)
    : undefined
}

/** Loads the tracker as the page does, and gives the address of the API without a slash at its end. */
export const findApi = async (tag: Tag, tracker: string, patience: Patience): Promise<Found<string>> => {
  const loaded = await load(tag.src, patience).catch((error: unknown) => explain(error, patience))
  if ('reason' in loaded) return ended(`The tracker at ${tag.src} cannot be loaded: ${loaded.reason}.`, loaded.fix)
  const { answer, text } = loaded
  if (!answer.ok)
    return ended(
      `The tracker at ${tag.src} answers ${answer.status}.`,
      'The address has to lead to the service: check --root-path, --tracker-path and the rules of the proxy.',
    )
  if (!text.includes(mark))
    return ended(
      `What ${tag.src} answers is not the tracker.`,
      'Another program answers at this address, or a cache: check the rules of the proxy.',
    )
  const api = tag.data.api ?? new URL(wayIn(text, tracker) ?? 'analytics/v1', tag.src).href
  return { steps: [right('The tracker is served.')], value: new URL(api, tag.src).href.replace(/\/$/, '') }
}
