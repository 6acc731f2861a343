// The pages that the dashboard can open with. The dashboard shares them.
export const startPages = ['overview', 'sites', 'realtime', 'revenue', 'ask'] as const

export type StartPage = (typeof startPages)[number]

export const usualStartPage: StartPage = 'overview'

export const startPageOf = (name: string | undefined): StartPage =>
  startPages.find(one => one === name) ?? usualStartPage
