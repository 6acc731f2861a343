/** A progress bar on a terminal; a line every half minute otherwise. */
export type Progress = { show: (done: number, lines: number) => void; clear: () => void }

const width = 30
/** Milliseconds. */
const interval = { terminal: 200, other: 30_000 }

const bar = (share: number): string => '█'.repeat(Math.round(share * width)).padEnd(width, '░')

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`

type Screen = { isTTY?: boolean; write: (text: string) => unknown }

/** @param now the current time in milliseconds */
export const createProgress = (screen: Screen, label: string, now: () => number): Progress => {
  const started = now()
  const isTerminal = screen.isTTY === true
  const every = isTerminal ? interval.terminal : interval.other
  let lastShown = isTerminal ? 0 : started
  let first: number | null = null
  return {
    show: (share, lines) => {
      first ??= lines
      if (now() - lastShown < every) return
      lastShown = now()
      const elapsed = (now() - started) / 1000
      const rate = (lines - first) / Math.max(elapsed, 0.001)
      const left = share > 0.01 ? `, ${duration((elapsed / share) * (1 - share))} left` : ''
      const percent = `${Math.floor(share * 100)} %`
      const speed = `${Math.round(rate).toLocaleString('en')} a second${left}`
      screen.write(
        isTerminal ? `\r\u001b[K${label} ${bar(share)} ${percent}  ${speed}` : `${label}: ${percent}, ${speed}\n`,
      )
    },
    clear: () => {
      if (isTerminal && lastShown > 0) screen.write('\r\u001b[K')
    },
  }
}
