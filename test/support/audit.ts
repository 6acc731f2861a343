import { listAudit } from '../../src/audit/audit.ts'
import { openDatabase } from '../../src/database/open.ts'

/** The audit log of a file, oldest entry first, as `who: what`. */
export const auditOf = (file: string): string[] => {
  const { db } = openDatabase(file, { mustExist: true })
  try {
    return listAudit(db, { limit: 10_000, offset: 0 })
      .map(({ who, what }) => `${who ?? '-'}: ${what}`)
      .reverse()
  } finally {
    db.close()
  }
}
