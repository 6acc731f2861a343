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
    threshold: {
      usual: 4,
      min: 1,
      max: 20,
      about: 'Alert after this many times the longest pause that is usual on the weekday.',
    },
    hours: { usual: 6, min: 2, max: 168, about: 'Alert after this many hours without a page view.' },
  },
  spike: { threshold: visitors('At least this many more visitors than usual.'), hours: null },
  drop: { threshold: visitors('At least this many fewer visitors than usual.'), hours: null },
  refused: {
    threshold: { usual: 20, min: 1, max: 99, about: 'At least this percentage of requests.' },
    hours: { usual: 24, min: 1, max: 47, about: 'Hours whose requests are counted.' },
  },
  not_found: { threshold: visitors('At least this many more views of missing pages than usual.'), hours: null },
  goal: {
    threshold: { usual: 50, min: 0, max: 99, about: 'At most this percentage of what is usual.' },
    hours: { usual: 168, min: 24, max: 168, about: 'Longest time that is compared: one, three and seven days.' },
  },
  disk: {
    threshold: { usual: 5, min: 1, max: 50, about: 'Less free space on the disk than this percentage.' },
    hours: { usual: 72, min: 1, max: 720, about: 'The disk would be full within this many hours.' },
  },
} as const satisfies Readonly<Record<AlertKind, Limits>>

/** All but silence are off. */
export const defaultSwitches: readonly AlertSwitch[] = alertKinds.map(kind => ({
  kind,
  enabled: kind === 'silent',
  threshold: alertLimits[kind].threshold.usual,
  hours: alertLimits[kind].hours?.usual ?? null,
}))
