// What a program did to files and said on sockets, from the record that strace makes.

/** A change that a file system may lose until it is synced, a sync, or an answer on a connection. Paths are absolute. */
export type Call =
  | { do: 'create'; path: string; truncate: boolean }
  | { do: 'write'; path: string; at: number | null; bytes: Buffer }
  | { do: 'truncate'; path: string; size: number }
  | { do: 'copy'; path: string; from: string; size: number }
  /** `since` counts the calls that had ended when it began: later ones it need not have included. */
  | { do: 'sync'; path: string; since: number }
  | { do: 'rename' | 'link'; path: string; from: string }
  | { do: 'remove'; path: string }
  /** What was written to anything but a file. */
  | { do: 'answer'; text: string }

/** Options of strace: whole buffers in hexadecimal, with the paths of files. */
export const straceOptions = [
  '-f',
  '-y',
  '-xx',
  '--seccomp-bpf',
  ...['-s', '100000000'],
  ...['-e', 'signal=none'],
  ...[
    '-e',
    'trace=openat,open,creat,write,writev,pwrite64,pwritev,pwritev2,ftruncate,truncate,fallocate,fsync,fdatasync,sync,syncfs,' +
      'rename,renameat,renameat2,unlink,unlinkat,link,linkat,copy_file_range,sendfile',
  ],
]

const unhex = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex')

/** Strings, each as bytes. */
const stringsIn = (text: string): Buffer[] =>
  [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => unhex(hex))
/** What descriptors stand for: paths, or the names of sockets and the like. */
const describedIn = (text: string): string[] =>
  [...text.matchAll(/\d+<([^>]*)>/g)].map(([, hex = '']) => unhex(hex).toString())
const numbersIn = (text: string): number[] => [...text.replace(/"[^"]*"|<[^>]*>/g, '').matchAll(/-?\d+/g)].map(Number)

const writeOf = (name: string, args: string, result: number): Call => {
  const [path = ''] = describedIn(args)
  const bytes = Buffer.concat(stringsIn(args)).subarray(0, result)
  if (!path.startsWith('/')) return { do: 'answer', text: bytes.toString('latin1') }
  return { do: 'write', path, at: name.startsWith('pwrite') ? (numbersIn(args).at(-1) ?? 0) : null, bytes }
}

const callsOf = (name: string, args: string, result: number, since: number): Call[] => {
  const names = stringsIn(args).map(String)
  const [first = '', second = ''] = names
  const described = describedIn(args)
  const [file = ''] = described
  switch (name) {
    case 'open':
    case 'openat':
    case 'creat':
      return /O_CREAT|O_TRUNC/.test(args) || name === 'creat'
        ? [{ do: 'create', path: first, truncate: /O_TRUNC/.test(args) || name === 'creat' }]
        : []
    case 'write':
    case 'writev':
    case 'pwrite64':
    case 'pwritev':
    case 'pwritev2':
      return [writeOf(name, args, result)]
    case 'ftruncate':
      return [{ do: 'truncate', path: file, size: numbersIn(args).at(-1) ?? 0 }]
    case 'truncate':
      return [{ do: 'truncate', path: first, size: numbersIn(args).at(-1) ?? 0 }]
    case 'fsync':
    case 'fdatasync':
      return [{ do: 'sync', path: file, since }]
    case 'rename':
    case 'renameat':
    case 'renameat2':
      return [{ do: 'rename', path: second, from: first }]
    case 'link':
    case 'linkat':
      return [{ do: 'link', path: second, from: first }]
    case 'unlink':
    case 'unlinkat':
      return [{ do: 'remove', path: first }]
    case 'copy_file_range':
      return [{ do: 'copy', path: described[1] ?? '', from: file, size: result }]
    default:
      throw new Error(`the drill does not know what ${name}(${args.slice(0, 200)}) does to files`)
  }
}

/** The calls in the order in which they ended. */
export const parseTrace = (text: string): Call[] => {
  const calls: Call[] = []
  /** Calls under way, by thread. */
  const begun = new Map<string, { text: string; since: number }>()
  for (const line of text.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (rest.endsWith('<unfinished ...>')) {
      begun.set(thread, { text: rest.slice(0, -'<unfinished ...>'.length).trimEnd(), since: calls.length })
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)
    const { text: before, since } = (resumed && begun.get(thread)) || { text: '', since: calls.length }
    const whole = resumed ? before + (resumed[1] ?? '') : rest
    const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\) += (-?\d+)/.exec(whole) ?? []
    // Signals, ends of threads, and calls that failed.
    if (name === '' || Number(result) < 0) continue
    calls.push(...callsOf(name, args, Number(result), since))
  }
  return calls
}
