import { adminPassword, jwtKeys, shopKey, webhookSecret } from '../config/environment.ts'
import { parseConfig } from '../config/config.ts'
import { demoSentence } from '../database/demo-mark.ts'
import { createLog } from '../runtime/log.ts'
import { startService } from '../service/service.ts'
import type { Command } from './command.ts'
import { explainListenError } from './listen-error.ts'
import { stopSignal } from './stop.ts'
import { welcome } from './welcome.ts'

const lingering = 1000

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
    setTimeout(() => process.exit(), lingering).unref()
    return 0
  },
}
