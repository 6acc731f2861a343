// nginx, Caddy and Apache as Debian has them, each with the files of docs/operate in front of a service.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { makeCertificate } from '../support/certificate.ts'
import { freePort } from '../support/port.ts'
import { patience } from '../support/wait.ts'

export const folderOfFiles = resolve('docs/operate')

/** Where Footfall lies: on a host of its own, under a path of the site, or there and in the place of WordPress' API. */
export const layouts = ['own-host', 'shared-host', 'wordpress'] as const
export type Layout = (typeof layouts)[number]

/** Three sites with a service each, at these names. */
export const severalSites = 'several-sites'
export const severalNames = ['footfall.one.example', 'footfall.two.example', 'footfall.three.example'] as const

type Place = { folder: string; services: readonly string[]; http: number; https: number }

export type FrontProxy = {
  name: string
  program: 'nginx' | 'caddy' | 'apache2'
  /** Writes what the program reads, and returns the arguments to start it with. */
  prepare: (layout: Layout | typeof severalSites, place: Place) => string[]
}

/** What the proxy itself answers where Footfall is not. */
export const sitePage = '<!doctype html><title>The site itself</title>'

const hasIPv6 = existsSync('/proc/net/if_inet6')

/** The file as it is in docs/operate, but for ports and paths of files. */
const fileFor = (path: string, { folder, services, http, https }: Place): string =>
  readFileSync(join(folderOfFiles, path), 'utf8')
    .replaceAll(/127\.0\.0\.1:878([7-9])/g, (_, digit: string) => new URL(services[Number(digit) - 7] ?? '').host)
    .replaceAll(/\/etc\/letsencrypt\/live\/[\w.]+\/(\w+\.pem)/g, join(folder, '$1'))
    .replaceAll(
      /(listen (?:\[::\]:)?|<VirtualHost \*:)(80|443)\b/g,
      (_, before: string, port: string) => `${before}${port === '80' ? http : https}`,
    )
    .replaceAll(/^ *listen \[::\].*\n/gm, line => (hasIPv6 ? line : ''))
    .replaceAll('/var/www/html', folder)

const put = (folder: string, name: string, text: string): string => {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** Locations of the site are in a server of the site. */
const isOwnHost = (layout: string): boolean => layout === 'own-host' || layout === severalSites

const nginxSite = (layout: string, place: Place): string => {
  const text = fileFor(`nginx/${layout}.conf`, place)
  return isOwnHost(layout)
    ? text
    : `server {
    listen ${place.https} ssl;
    server_name www.example.org;
    ssl_certificate ${place.folder}/fullchain.pem;
    ssl_certificate_key ${place.folder}/privkey.pem;
    root ${place.folder}/site;
    ${text}
  }`
}

const nginx: FrontProxy = {
  name: 'nginx',
  program: 'nginx',
  prepare: (layout, place) => {
    const { folder } = place
    put(folder, 'snippets/footfall-proxy.conf', fileFor('nginx/footfall-proxy.conf', place))
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map(one => `${one}_temp_path ${folder}/${one};`)
      .join(' ')
    const path = put(
      folder,
      'nginx.conf',
      `daemon off; pid ${folder}/nginx.pid; error_log stderr warn; worker_processes 1; events {}
      http { default_type text/html; ${temporary} access_log ${folder}/access.log;
      ${nginxSite(layout, place)} }`,
    )
    return ['-e', 'stderr', '-c', path]
  },
}

const caddy: FrontProxy = {
  name: 'Caddy',
  program: 'caddy',
  prepare: (layout, place) => {
    const { folder, http, https } = place
    const own = `{\n\tadmin off\n\tstorage file_system ${folder}/caddy\n\tlocal_certs\n\tskip_install_trust\n\thttp_port ${http}\n\thttps_port ${https}\n}\n`
    return [
      'run',
      '--adapter',
      'caddyfile',
      '--config',
      put(
        folder,
        'Caddyfile',
        own + fileFor(`caddy/${layout}.Caddyfile`, place).replace(`root * ${folder}`, `root * ${folder}/site`),
      ),
    ]
  },
}

const apacheModules = [
  'mpm_event',
  'authz_core',
  'alias',
  'dir',
  'headers',
  'proxy',
  'proxy_http',
  'setenvif',
  'socache_shmcb',
  'ssl',
]

const apache: FrontProxy = {
  name: 'Apache',
  program: 'apache2',
  prepare: (layout, place) => {
    const { folder, http, https } = place
    const text = fileFor(`apache/${layout}.conf`, place)
    const site =
      layout === 'own-host'
        ? text
        : `<VirtualHost *:${https}>
      ServerName www.example.org
      SSLEngine on
      SSLCertificateFile ${folder}/fullchain.pem
      SSLCertificateKeyFile ${folder}/privkey.pem
      DocumentRoot ${folder}/site
      CustomLog ${folder}/access.log common env=!footfall
      ${text}
      </VirtualHost>`
    const modules = apacheModules
      .map(one => `LoadModule ${one}_module /usr/lib/apache2/modules/mod_${one}.so`)
      .join('\n')
    const path = put(
      folder,
      'apache.conf',
      `ServerRoot ${folder}\nServerName localhost\nPidFile ${folder}/apache.pid\nDefaultRuntimeDir ${folder}\nMutex file:${folder}
${modules}\nListen ${http}\nListen ${https}\nErrorLog ${folder}/error.log\nUser www-data\nGroup www-data
LogFormat "%h %r" common\nCustomLog ${folder}/access.log common\nDirectoryIndex index.html\n${site}\n`,
    )
    return ['-X', '-f', path]
  },
}

export const proxies: readonly FrontProxy[] = [nginx, caddy, apache]

const isOpen = (port: number): Promise<boolean> =>
  new Promise(answer => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      answer(true)
    }).on('error', () => answer(false))
  })

export type Sent = {
  path: string
  /** The name asked for; else that of the layout. */
  host?: string
  method?: string
  headers?: Record<string, string>
  body?: string
  /** The address that the request comes from: any of 127.0.0.0/8. */
  from?: string
  plain?: boolean
}
export type Got = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

export type InFront = {
  host: string
  https: number
  /** PEM of the certificate, or of what signed it. */
  certificate: string
  /** Sends a request as a browser of the internet would. */
  send: (sent: Sent) => Promise<Got>
  /** What the program has written to its log of requests. */
  accessLog: () => string
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
}

/** Runs work with a proxy in front of the services, of which all layouts but that of several sites have one. */
export const withProxy = async (
  proxy: FrontProxy,
  layout: Layout | typeof severalSites,
  services: readonly string[],
  work: (inFront: InFront) => Promise<void>,
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-proxy-'))
  // Workers of the proxies run as another user.
  chmodSync(folder, 0o755)
  makeCertificate(folder, ['footfall.example.org', 'www.example.org', 'localhost', ...severalNames])
  const place: Place = { folder, services, http: await freePort(), https: await freePort() }
  put(folder, 'site/index.html', sitePage)
  const child = spawn(proxy.program, proxy.prepare(layout, place), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, PATH: `${process.env.PATH}:/usr/sbin` },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      said += text
    })
  const name =
    layout === severalSites ? severalNames[0] : layout === 'own-host' ? 'footfall.example.org' : 'www.example.org'

  const send = ({
    path,
    host = name,
    method = 'GET',
    headers = {},
    body,
    from = '127.0.1.1',
    plain = false,
  }: Sent): Promise<Got> =>
    new Promise((answer, fail) => {
      const options = {
        host: '127.0.0.1',
        localAddress: from,
        path,
        method,
        agent: false as const,
        headers: { host, ...headers },
      }
      const read = (response: import('node:http').IncomingMessage): void => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', part => {
            text += part
          })
          .on('end', () => answer({ status: response.statusCode ?? 0, headers: response.headers, text }))
      }
      const sent = plain
        ? requestHttp({ ...options, port: place.http }, read)
        : requestHttps({ ...options, port: place.https, servername: host, rejectUnauthorized: false }, read)
      sent.on('error', fail).end(body)
    })

  try {
    const end = Date.now() + patience * 1000
    // Caddy makes a certificate for each name, one after the other.
    const hosts = layout === severalSites ? severalNames : [name]
    const answers = async (): Promise<boolean> =>
      (await isOpen(place.https)) &&
      (await Promise.all(hosts.map(host => send({ path: '/', host }))).then(
        () => true,
        () => false,
      ))
    while (!(await answers())) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`${proxy.name} does not start: ${said}`)
      await wait(50)
    }
    const signer = globSync(join(folder, 'caddy/pki/authorities/local/root.crt'))[0] ?? join(folder, 'fullchain.pem')
    const logFile = join(folder, 'access.log')
    await work({
      host: name,
      https: place.https,
      certificate: signer,
      send,
      accessLog: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : said),
    })
  } finally {
    await ended(child)
    rmSync(folder, { recursive: true, force: true })
  }
}
