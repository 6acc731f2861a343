import { writeFileSync } from 'node:fs'
import { type Config, parseConfig, publicUrlOf } from '../config/config.ts'
import { adminPassword, jwtKeys, shopKey, smtpServer, webhookSecret } from '../config/environment.ts'
import { demoSentence } from '../database/demo-mark.ts'
import { ExpectedError, errorText } from '../lib/errors.ts'
import { createLog, type Log, limitRepeats } from '../runtime/log.ts'
import { type Service, startService } from '../service/service.ts'
import type { Command } from './command.ts'
import { stopSignal } from './stop.ts'

type Address = { host: string; port: number }

const messages: Record<string, (address: Address) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} of ${host} is already in use. Stop the other program, or choose another port with --port.`,
  EACCES: ({ port }) =>
    `This user is not allowed to listen on port ${port}. Choose a port of 1024 or higher with --port.`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} is not an address of this machine. Set --host to one that is, or to 0.0.0.0 for all.`,
  ENOTFOUND: ({ host }) => `The host ${host} is unknown. Set --host to an address of this machine.`,
  EAI_AGAIN: ({ host }) => `The host ${host} cannot be resolved. Set --host to an address of this machine.`,
}

const socketMessages: Record<string, (path: string) => string> = {
  EADDRINUSE: path => `Another program listens at ${path}, or there is a file. Choose another path with --listen.`,
  // The system says this of a missing folder as well.
  EACCES: path => `This user may not make ${path}, or its folder is missing. Choose another path with --listen.`,
}

/** Turns an error of listening into a message that says what to do; returns other errors unchanged. */
const explainListenError = (
  error: unknown,
  config: Pick<Config, 'host' | 'port' | 'listen' | 'metricsListen'>,
): unknown => {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return error
  if (!/^(listen|bind|getaddrinfo)$/.test(String(error.syscall))) return error
  if (config.listen !== null && 'address' in error && error.address === config.listen) {
    const text = socketMessages[String(error.code)]?.(config.listen)
    return text === undefined ? error : new ExpectedError(text, { cause: error })
  }
  const explain = messages[String(error.code)]
  if (explain === undefined) return error
  const metrics = config.metricsListen
  const isMetrics = metrics !== null && 'port' in error && error.port === metrics.port
  const message = isMetrics ? explain(metrics).replaceAll(/--(port|host)/g, '--metrics-listen') : explain(config)
  return new ExpectedError(message, { cause: error })
}

type Welcome = Pick<Service, 'firstRun' | 'trackerTag' | 'url' | 'dashboardUrl'>

const greeting = 'Welcome to Footfall. This message is shown only at the first start.'

/** For a site with the plugin, which puts the tracker into its pages and passes on what they send. */
const wordpressWelcome = ({ firstRun, dashboardUrl }: Welcome, data: string): string[] =>
  firstRun === null
    ? []
    : [
        greeting,
        '',
        'The plugin connects WordPress with it. Leave this running, and in another terminal write the plugin to a file:',
        '',
        '  footfall wordpress-plugin /tmp/footfall-wordpress.zip',
        '',
        "Install it, in wp-admin (Plugins, Add New) or in WordPress' folder:",
        '',
        '  wp plugin install /tmp/footfall-wordpress.zip --activate',
        '',
        'This prints how to connect the two:',
        '',
        `  footfall connect wordpress --data ${data}`,
        '',
        'The dashboard is in wp-admin from then on, for the users of WordPress. Keep this login for times without WordPress:',
        '',
        `  address   ${dashboardUrl}`,
        `  login     ${firstRun.login}`,
        `  password  ${firstRun.password ?? 'the one in FOOTFALL_ADMIN_PASSWORD'}`,
        '',
      ]

/** Printed at the first start only: the login, and the snippet for the site's pages. */
const welcome = ({ firstRun, trackerTag, url, dashboardUrl }: Welcome, isPublicUrlKnown: boolean): string[] =>
  firstRun === null
    ? []
    : [
        greeting,
        '',
        'Open this link in a browser to log in. It works once and expires in an hour:',
        '',
        `  ${firstRun.loginUrl}`,
        '',
        'Later, log in with:',
        '',
        `  login     ${firstRun.login}`,
        `  password  ${firstRun.password ?? 'the one in FOOTFALL_ADMIN_PASSWORD'}`,
        '',
        "Add this line to your site's pages, before </head>:",
        '',
        `  ${trackerTag}`,
        '',
        ...(isPublicUrlKnown
          ? [`The web server of ${new URL(dashboardUrl).host} must pass these addresses on to ${url}.`, '']
          : [
              `${url} is this machine's own address. For visitors elsewhere put a proxy in front (docs/operate.md),`,
              'and name the address that they reach with --public-url.',
              '',
            ]),
        "WordPress needs neither: run 'footfall wordpress-plugin' and install the file that it writes (docs/wordpress.md).",
        '',
      ]

/** Writes the first start's login to the file of --login-file, if there is one; returns what is left to be shown. */
const loginTo = (file: string | null, service: Service, log: Log): Service => {
  const { firstRun } = service
  if (file === null || firstRun === null) return service
  try {
    writeFileSync(file, `${firstRun.loginUrl}\n${firstRun.login}\n${firstRun.password ?? ''}\n`, {
      mode: 0o600,
      flag: 'wx',
    })
    log.info('the login of the first start was written to the file of --login-file', { file })
    return { ...service, firstRun: null }
  } catch (error) {
    log.error('the login of the first start could not be written to --login-file and is shown instead', {
      reason: errorText(error),
    })
    return service
  }
}

const sayAsText = (print: (line: string) => void, service: Service, lines: readonly string[]): void => {
  for (const line of lines) print(line)
  if (service.demo !== null) print(demoSentence(service.demo))
  if (service.dashboardUrl !== `${service.url}/`) print(`dashboard at ${service.dashboardUrl}`)
  print(`listening on ${service.url}`)
}

/** The same in lines that a reader of JSON takes, on standard output as well. */
const sayAsJson = ({ info }: Log, { firstRun, demo, dashboardUrl, url, trackerTag }: Service): void => {
  if (firstRun !== null) {
    const { loginUrl: login_url, login, password } = firstRun
    info('first start: the link works once, for an hour', { login_url, login, password, tracker_tag: trackerTag })
  }
  if (demo !== null) info(demoSentence(demo))
  info('listening', { url, dashboard_url: dashboardUrl })
}

const exitDelay = 1000

export const serve: Command = {
  name: 'serve',
  example: 'serve --data footfall.db --site-url https://www.example.org',
  about: 'Run the service: count visits and serve reports until stopped.',
  flags: [
    {
      flag: '--for-wordpress',
      about: 'Say at the first start how to connect the WordPress plugin, in the place of the tag for pages.',
    },
  ],
  run: async ({ flags, env, clock, print, warn }) => {
    const config = parseConfig(flags, env)
    const password = adminPassword(env)
    const log = limitRepeats(
      createLog({
        level: config.logLevel,
        format: config.logFormat,
        write: line => warn(line.trimEnd()),
        clock,
      }),
    )
    const stopped = stopSignal(config.logFormat === 'json' ? log.error : warn)
    process.on('SIGHUP', () => log.info('SIGHUP: nothing to reload; settings apply at once, options at the next start'))
    const options = {
      clock,
      log,
      env,
      jwtKeys: jwtKeys(env),
      webhookSecret: webhookSecret(env),
      shopKey: shopKey(env),
      smtp: smtpServer(env),
      ...(password === null ? {} : { adminPassword: password }),
    }
    const service = await startService(config, options).catch(error => {
      throw explainListenError(error, config)
    })
    const shown = loginTo(config.loginFile, service, log)
    if (config.logFormat === 'json')
      sayAsJson(createLog({ level: 'info', format: 'json', write: line => print(line.trimEnd()), clock }), shown)
    else
      sayAsText(
        print,
        shown,
        flags.forWordpress === true
          ? wordpressWelcome(shown, config.data)
          : welcome(shown, publicUrlOf(config) !== null),
      )
    const signal = await Promise.race([stopped, service.failed])
    log.info('stopping', { signal })
    await service.close()
    log.info('stopped')
    // Everything is saved by now, so nothing needs to keep the process alive.
    setTimeout(() => process.exit(), exitDelay).unref()
    return 0
  },
}
