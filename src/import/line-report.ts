const maxShown = 3

/**
 * Reports lines that cannot be imported: the first few of each reason by their place, such as `Line 3`, the count of the
 * others at the end.
 */
export const createLineReport = (warn: (message: string) => void) => {
  const counts = new Map<string, number>()
  return {
    add: (place: string, reason: string): void => {
      const count = (counts.get(reason) ?? 0) + 1
      counts.set(reason, count)
      if (count <= maxShown) warn(`${place}: ${reason}.`)
    },
    end: (): void => {
      for (const [reason, count] of counts)
        if (count > maxShown) warn(`${(count - maxShown).toLocaleString('en')} more: ${reason}.`)
    },
  }
}
