// The kinds of alerts, and what `threshold` and `hours` mean for each.

export const alertKinds = ['silent', 'spike', 'drop', 'refused', 'not_found', 'goal', 'disk'] as const
export type AlertKind = (typeof alertKinds)[number]

/** `hours` is null for kinds that have none. */
export type AlertSwitch = { kind: AlertKind; enabled: boolean; threshold: number; hours: number | null }

export type Bounds = { usual: number; min: number; max: number; about: string }
type Limits = { threshold: Bounds; hours: Bounds | null }

const visitors = (about: string): Bounds => ({ usual: 20, min: 1, max: 1_000_000, about })

export const alertLimits = {
  silent: {
    threshold: { usual: 4, min: 1, max: 20, about: 'How many times the longest gap that is usual on the weekday.' },
    hours: { usual: 6, min: 2, max: 168, about: 'Hours without a view, at least.' },
  },
  spike: { threshold: visitors('Visitors more than usual, at least.'), hours: null },
  drop: { threshold: visitors('Visitors fewer than usual, at least.'), hours: null },
  refused: {
    threshold: { usual: 20, min: 1, max: 99, about: 'Percent of the requests.' },
    hours: { usual: 24, min: 1, max: 47, about: 'Hours of which requests are counted.' },
  },
  not_found: { threshold: visitors('Views of missing pages more than usual, at least.'), hours: null },
  goal: {
    threshold: { usual: 50, min: 0, max: 99, about: 'Percent of what is usual, at most.' },
    hours: { usual: 168, min: 24, max: 168, about: 'Longest time that is compared: one, three and seven days.' },
  },
  disk: {
    threshold: { usual: 5, min: 1, max: 50, about: 'Percent of the disk that is free.' },
    hours: { usual: 72, min: 1, max: 720, about: 'Hours in which the disk would be full.' },
  },
} as const satisfies Readonly<Record<AlertKind, Limits>>

/** All but silence are off. */
export const defaultSwitches: readonly AlertSwitch[] = alertKinds.map(kind => ({
  kind,
  enabled: kind === 'silent',
  threshold: alertLimits[kind].threshold.usual,
  hours: alertLimits[kind].hours?.usual ?? null,
}))
