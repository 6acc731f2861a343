import { useState } from 'preact/hooks'
import { queryText } from './api.ts'
import type { App } from './app-context.ts'
import { type Filter, filterParams } from './url.ts'

/** The filters of the page that a report has refused, until they are others. */
export const useRefused = (filters: readonly Filter[]): Pick<App, 'refused' | 'onRefused'> => {
  const [last, setLast] = useState<{ text: string; params: App['refused'] } | null>(null)
  const text = queryText(filterParams(filters))
  return {
    refused: last?.text === text ? last.params : {},
    onRefused: params => {
      const own = Object.entries(params).filter(([name]) => filters.some(({ key }) => key === name))
      if (own.length > 0) setLast({ text, params: Object.fromEntries(own) })
    },
  }
}
