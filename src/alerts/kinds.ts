// The kinds of alerts, and what `threshold` and `hours` mean for each.

export const alertKinds = ['silent', 'spike', 'drop', 'refused', 'not_found', 'goal', 'disk'] as const
export type AlertKind = (typeof alertKinds)[number]

/** `hours` is null for kinds that have none. */
export type AlertSwitch = { kind: AlertKind; enabled: boolean; threshold: number; hours: number | null }

export type Bounds = { usual: number; min: number; max: number }
type Limits = { threshold: Bounds; hours: Bounds | null }

const visitors: Bounds = { usual: 20, min: 1, max: 1_000_000 }

export const alertLimits = {
  silent: { threshold: { usual: 4, min: 1, max: 20 }, hours: { usual: 6, min: 2, max: 168 } },
  spike: { threshold: visitors, hours: null },
  drop: { threshold: visitors, hours: null },
  refused: { threshold: { usual: 20, min: 1, max: 99 }, hours: { usual: 24, min: 1, max: 47 } },
  not_found: { threshold: visitors, hours: null },
  goal: { threshold: { usual: 50, min: 0, max: 99 }, hours: { usual: 168, min: 24, max: 168 } },
  disk: { threshold: { usual: 5, min: 1, max: 50 }, hours: { usual: 72, min: 1, max: 720 } },
} as const satisfies Readonly<Record<AlertKind, Limits>>

/** All but silence are off. */
export const defaultSwitches: readonly AlertSwitch[] = alertKinds.map(kind => ({
  kind,
  enabled: kind === 'silent',
  threshold: alertLimits[kind].threshold.usual,
  hours: alertLimits[kind].hours?.usual ?? null,
}))
