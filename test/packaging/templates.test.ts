// The compose file and the templates for platforms: all name the same image, version, port and volume, and options that exist.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse as parseYaml } from 'yaml'
import { environmentOnly, optionNames, parseConfig, variableOf } from '../../src/config/config.ts'
import { needs } from '../support/needs.ts'

const textOf = (path: string): string => readFileSync(path, 'utf8')
const { version } = JSON.parse(textOf('package.json')) as { version: string }
const image = `registry.example.org/footfall:${version}`
const templates = 'packaging/templates'
const files = ['packaging/compose.yaml', ...globSync(`${templates}/*/**/*.*`).sort()]

/** Compose files, with the service that has the image. */
const composeFiles = files.filter(path => /compose\.ya?ml$|coolify/.test(path))
const serviceOf = (path: string): any =>
  Object.values(parseYaml(textOf(path)).services as object).find(({ image: name = '' }) => name.includes('footfall'))

/** The environment of a service, which is a list or an object. */
const environmentOf = (service: any): Record<string, string> =>
  Array.isArray(service.environment)
    ? Object.fromEntries(service.environment.map((line: string) => line.split('=', 2)))
    : service.environment

/** Where a volume is mounted; without the host's side. */
const targetOf = (volume: any): string => volume.target ?? String(volume).split(':').at(-1)

test('every template can be read', () => {
  assert.ok(files.length > 10)
  for (const path of files) {
    if (/\.ya?ml$/.test(path)) assert.ok(parseYaml(textOf(path)), path)
    if (path.endsWith('.json')) assert.ok(JSON.parse(textOf(path)), path)
    if (path.endsWith('.toml')) assert.ok(parseToml(textOf(path)), path)
  }
})

test('all name one image of this version, and the archive is loaded by that name', () => {
  const named = files.flatMap(path => textOf(path).match(/registry\.example\.org\/footfall:[^\s"']+/g) ?? [])
  assert.equal(named, Array(6).fill(image))
  assert.ok(image.startsWith(`${textOf('packaging/image.mjs').match(/^const name = '(.*)'$/m)?.[1]}:`))
  const versions = files.flatMap(path => [...textOf(path).matchAll(/^\s*"?version"?\s*[:=] "(\d+\.\d+\.\d+)/gm)])
  assert.equal(
    versions.map(([, name]) => name),
    Array(4).fill(version),
  )
})

test('the port is 8787 and the volume /data wherever they are named', () => {
  for (const path of composeFiles) {
    const { ports = [], volumes, healthcheck } = serviceOf(path)
    assert.equal(volumes.map(targetOf), ['/data'], path)
    assert.equal(healthcheck.test, ['CMD', '/usr/bin/footfall', 'health'], path)
    for (const port of ports) assert.is(Number(port.target ?? String(port).split(':').at(-1)), 8787, path)
  }
  const read = (name: string): string => textOf(join(templates, name))
  const [tipi] = JSON.parse(read('runtipi/docker-compose.json')).services
  assert.equal([tipi.internalPort, tipi.volumes[0].containerPath], [8787, '/data'])
  assert.is((parseToml(read('dokploy/template.toml')) as any).config.domains[0].port, 8787)
  assert.is(parseYaml(read('umbrel/docker-compose.yml')).services.app_proxy.environment.APP_PORT, 8787)
  assert.is(parseYaml(read('umbrel/umbrel-app.yml')).port, 8787)
  assert.is(parseYaml(read('casaos/docker-compose.yml'))['x-casaos'].port_map, '8787')
  assert.is((parseToml(read('yunohost/manifest.toml')) as any).resources.ports.main.default, 8787)
  assert.match(read('coolify/footfall.yaml'), '# port: 8787\n')
  assert.match(read('nix/module.nix'), 'FOOTFALL_PORT = "8787"')
})

test('every option that is named exists, and takes what is written', () => {
  // The host, for Caddy and the public address.
  const known = [...[...optionNames, ...Object.keys(environmentOnly)].map(variableOf), 'FOOTFALL_DOMAIN']
  const named = files.flatMap(path => textOf(path).match(/(?<![A-Z_])FOOTFALL_[A-Z_]+/g) ?? [])
  assert.equal(
    named.filter(name => !known.includes(name)),
    [],
  )
  for (const path of composeFiles) {
    const written = Object.entries(environmentOf(serviceOf(path))).filter(
      ([name, value]) => name.startsWith('FOOTFALL_') && !String(value).includes('$'),
    )
    assert.is(parseConfig({}, Object.fromEntries(written)).backupFolder, '/data/backups', path)
  }
})

needs('caddy')('the compose file brings Caddy a configuration that it takes, with a certificate of its own', () => {
  const { configs, services } = parseYaml(textOf('packaging/compose.yaml'))
  const content: string = configs.caddyfile.content.replace(/\$\{FOOTFALL_DOMAIN:-([^}]+)\}/, '$1')
  const folder = mkdtempSync(join(tmpdir(), 'footfall-caddy-'))
  try {
    const path = join(folder, 'Caddyfile')
    writeFileSync(path, content)
    const words = ['adapt', '--validate', '--adapter', 'caddyfile', '--config', path]
    const { status, stdout, stderr } = spawnSync('caddy', words, {
      encoding: 'utf8',
      env: { ...process.env, HOME: folder },
    })
    assert.is(status, 0, stderr)
    const [server] = Object.values(JSON.parse(stdout).apps.http.servers) as any[]
    // On this port Caddy obtains a certificate by itself.
    assert.equal(server.listen, [':443'])
    assert.match(stdout, '"dial":"footfall:8787"')
    assert.match(stdout, '"host":["footfall.example.org"]')
    assert.is(services.caddy.configs[0].target, '/etc/caddy/Caddyfile')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
