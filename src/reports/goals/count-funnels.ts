// Counts saved funnels in a range: from single visits and stored days.
import type { FunnelCount } from '../../goals/count.ts'
import type { Day } from '../../lib/time.ts'
import type { Read } from '../pool.ts'
import type { Count } from '../read-part.ts'
import type { FunnelDefinition } from './definitions.ts'
import { resolveSteps } from './resolve.ts'

/** `from` is the first day that is known. */
export type FunnelFigures = FunnelCount & { from: Day }

export const countFunnels = async (
  funnels: readonly (FunnelDefinition & { id: number | null })[],
  { read, count }: { read: Read; count: Count },
): Promise<FunnelFigures[]> => {
  if (funnels.length === 0) return []
  const chains = await Promise.all(
    funnels.map(async ({ id, steps, strict }) => ({ id, steps: await resolveSteps(steps, read), strict })),
  )
  return (await count({ goals: [], funnels: chains, by: null })).funnels
}
