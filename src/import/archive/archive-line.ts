import type { FunnelLine, GoalLine } from '../../archive/goal-lines.ts'
import type {
  AlertLine,
  AnnotationLine,
  EventLine,
  LedgerLine,
  OrderLine,
  SessionLine,
  ViewLine,
} from '../../archive/lines.ts'
import type { RollupRows } from '../../archive/rollups.ts'

/** A parsed line. */
export type ArchiveLine =
  /** Of an older archive: it says what is not kept any more. */
  | { kind: 'gone' }
  | { kind: 'session'; line: SessionLine }
  | { kind: 'view'; line: ViewLine }
  | { kind: 'event'; line: EventLine }
  | { kind: 'ledger'; line: LedgerLine }
  | { kind: 'rollup'; rows: RollupRows; line: Record<string, unknown> }
  | { kind: 'order'; line: OrderLine }
  | { kind: 'goal'; line: GoalLine }
  | { kind: 'funnel'; line: FunnelLine }
  | { kind: 'annotation'; line: AnnotationLine }
  | { kind: 'alert'; line: AlertLine }
