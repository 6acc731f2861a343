// The container image that packaging/image.mjs makes: read from its archive, and run as a container runs it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'
import * as assert from 'uvu/assert'
import { until } from '../support/wait.ts'

type Descriptor = { digest: string; size: number }
type Config = {
  architecture: string
  config: {
    User: string
    Env: string[]
    Entrypoint: string[]
    Cmd: string[]
    StopSignal: NodeJS.Signals
    WorkingDir: string
    ExposedPorts: object
    Volumes: object
    Healthcheck: { Test: string[] }
  }
}
export type Image = { config: Config['config']; layers: Buffer[]; archs: string[] }

/** Opens an archive: the image for x64, its layers unpacked, and all architectures that are in it. */
export const readImage = async (path: string): Promise<Image> => {
  const blobs = new Map<string, Buffer>()
  for (const { header, data } of await unpackTar(readFileSync(path)))
    blobs.set(header.name, Buffer.from(data ?? new Uint8Array()))
  const blob = ({ digest }: Descriptor): Buffer => blobs.get(`blobs/${digest.replace(':', '/')}`) ?? Buffer.alloc(0)
  const json = <T>(descriptor: Descriptor): T => JSON.parse(blob(descriptor).toString()) as T
  const outer = JSON.parse(blobs.get('index.json')?.toString() ?? '') as { manifests: Descriptor[] }
  const index = json<{ manifests: (Descriptor & { platform: { architecture: string } })[] }>(
    outer.manifests[0] as Descriptor,
  )
  const ours = index.manifests.find(({ platform }) => platform.architecture === 'amd64') as Descriptor
  const manifest = json<{ config: Descriptor; layers: Descriptor[] }>(ours)
  return {
    config: json<Config>(manifest.config).config,
    layers: manifest.layers.map(layer => gunzipSync(blob(layer))),
    archs: index.manifests.map(({ platform }) => platform.architecture),
  }
}

/** Lays the root file system into a folder, with its owners and modes. */
export const layRoot = ({ layers }: Image, root: string): void => {
  mkdirSync(root)
  for (const input of layers) assert.is(spawnSync('tar', ['-xpf', '-', '-C', root], { input }).status, 0)
}

/** The command line that runs the image's program in its root as its user, who has no right beyond that. */
const inside = (root: string, { config }: Image, words: readonly string[]): string[] => [
  '/usr/sbin/chroot',
  `--userspec=${config.User}`,
  '--groups=',
  root,
  ...config.Entrypoint,
  ...words,
]

const environment = ({ config }: Image, extra: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(config.Env.map(line => line.split('=', 2) as [string, string])),
  ...extra,
})

/** Runs one command of the image's program, as `docker exec` would. */
export const execute = (root: string, image: Image, words: string[], env: Record<string, string> = {}) => {
  const [command = '', ...args] = inside(root, image, words)
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env: environment(image, env) })
  return { status, stdout, stderr }
}

/** Makes the root read-only but for /data and /tmp, then becomes the command after it. */
const containing = `
mount --bind "$1" "$1" && mount --bind "$1/data" "$1/data" && mount -t tmpfs -o size=16m,mode=1777 tmpfs "$1/tmp" &&
mount -o remount,ro,bind "$1" && shift && exec "$@"`

/** A program that runs as process 1 of a container. */
export type Container = { url: string; output: () => string; stop: () => Promise<number | null> }

const childOf = ({ pid }: ChildProcess): number =>
  Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10)

export const runContainer = async (root: string, image: Image, env: Record<string, string>): Promise<Container> => {
  const shell = ['sh', '-c', containing, 'sh', root, ...inside(root, image, image.config.Cmd)]
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', ...shell], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(image, env),
  })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  const url = await until(() => {
    const found = /^listening on http:\/\/\S+:(\d+)$/m.exec(output)?.[1]
    assert.ok(found, output)
    return `http://127.0.0.1:${found}`
  })
  return {
    url,
    output: () => output,
    stop: () => {
      process.kill(childOf(child), image.config.StopSignal)
      return ended
    },
  }
}
