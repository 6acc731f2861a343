import { adminPassword, jwtKeys, shopKey, webhookSecret } from '../config/environment.ts'
import { parseConfig, type Config } from '../config/config.ts'
import { demoSentence } from '../database/demo-mark.ts'
import { createLog } from '../runtime/log.ts'
import { startService, type Service } from '../service/service.ts'
import { type Command, CommandError } from './command.ts'
import { stopSignal } from './stop.ts'

type Address = { host: string; port: number }

const sentences: Record<string, (address: Address) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} of ${host} is in use by another program. Stop that one, or choose another port with --port.`,
  EACCES: ({ port }) => `This user may not listen on port ${port}. Choose a port from 1024 with --port.`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} is not an address of this machine. Name one that is with --host, or 0.0.0.0 for all.`,
  ENOTFOUND: ({ host }) => `The host ${host} is unknown. Name an address of this machine with --host.`,
  EAI_AGAIN: ({ host }) => `The host ${host} cannot be looked up. Name an address of this machine with --host.`,
}

/** An error of listening as a sentence that says what to do; any other error as it is. */
const explainListenError = (error: unknown, config: Pick<Config, 'host' | 'port' | 'metricsListen'>): unknown => {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return error
  if (!/^(listen|bind|getaddrinfo)$/.test(String(error.syscall))) return error
  const explain = sentences[String(error.code)]
  if (explain === undefined) return error
  const second = config.metricsListen
  const isSecond = second !== null && 'port' in error && error.port === second.port
  const sentence = isSecond ? explain(second).replaceAll(/--(port|host)/g, '--metrics-listen') : explain(config)
  return new CommandError(sentence, { cause: error })
}

/** Printed at the first start only: the login, and the line to paste into the site's pages. */
const welcome = ({ firstRun, trackerTag }: Pick<Service, 'firstRun' | 'trackerTag'>): string[] =>
  firstRun === null
    ? []
    : [
        'Welcome to Footfall. This is its first start, and all this is shown only now.',
        '',
        'Log in with a browser by this link; it works once, within an hour:',
        '',
        `  ${firstRun.loginUrl}`,
        '',
        'or, later on, with:',
        '',
        `  login     ${firstRun.login}`,
        `  password  ${firstRun.password ?? 'the one in FOOTFALL_ADMIN_PASSWORD'}`,
        '',
        "Paste this line into your site's pages, before </head>:",
        '',
        `  ${trackerTag}`,
        '',
      ]

const exitDelay = 1000

export const serve: Command = {
  name: 'serve',
  about: 'Count visits and answer reports, until it is stopped.',
  run: async ({ flags, env, clock, print, warn }) => {
    const config = parseConfig(flags, env)
    const password = adminPassword(env)
    const stopped = stopSignal(warn)
    const log = createLog({
      level: config.logLevel,
      format: config.logFormat,
      write: line => warn(line.trimEnd()),
      clock,
    })
    const service = await startService(config, {
      clock,
      log,
      env,
      jwtKeys: jwtKeys(env),
      webhookSecret: webhookSecret(env),
      shopKey: shopKey(env),
      ...(password === null ? {} : { adminPassword: password }),
    }).catch(error => {
      throw explainListenError(error, config)
    })
    for (const line of welcome(service)) print(line)
    if (service.demo !== null) print(demoSentence(service.demo))
    print(`listening on ${service.url}`)
    log.info('stopping', { signal: await stopped })
    await service.close()
    log.info('stopped')
    // Whatever still holds the process open has nothing left to save.
    setTimeout(() => process.exit(), exitDelay).unref()
    return 0
  },
}
