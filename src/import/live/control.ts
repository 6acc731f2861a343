// What the service and its importing thread tell each other while an import runs: numbers in shared memory.

/** What the thread is to do. */
export const commands = { run: 0, pause: 1, stop: 2 } as const
export type ImportCommand = keyof typeof commands

const phases = ['Reading', 'Writing'] as const
export type Phase = (typeof phases)[number]

export type Progress = { phase: Phase; share: number; rows: number }

const [commandAt, phaseAt, shareAt, rowsAt, length] = [0, 1, 2, 3, 4]
/** Shares are told in parts of this. */
const whole = 1000

export const createMemory = (): SharedArrayBuffer => new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT)

export const createControl = (memory: SharedArrayBuffer) => {
  const values = new Int32Array(memory)
  return {
    command: (name: ImportCommand): void => {
      Atomics.store(values, commandAt, commands[name])
    },
    isPaused: (): boolean => Atomics.load(values, commandAt) === commands.pause,
    isStopped: (): boolean => Atomics.load(values, commandAt) === commands.stop,
    tell: (phase: Phase, share: number, rows: number): void => {
      Atomics.store(values, phaseAt, phases.indexOf(phase))
      Atomics.store(values, shareAt, Math.round(share * whole))
      Atomics.store(values, rowsAt, rows)
    },
    progress: (): Progress => ({
      phase: phases[Atomics.load(values, phaseAt)] ?? 'Reading',
      share: Atomics.load(values, shareAt) / whole,
      rows: Atomics.load(values, rowsAt),
    }),
  }
}
