// The job: notes the alerts that begin and end, and sends them.

import { noteCommandResult } from '../../checks/diagnostics/alert-command.ts'
import { diskOf } from '../../checks/diagnostics/disk.ts'
import type { Config, Environment } from '../../config/config.ts'
import type { Db } from '../../database/query.ts'
import { saveState } from '../../database/saved-state.ts'
import { errorText } from '../../lib/errors.ts'
import { chooseLanguage } from '../../lib/texts.ts'
import { dayText } from '../../lib/time.ts'
import { runCommand } from '../../mail/command.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Webhook } from '../../mail/webhook.ts'
import type { AlertChannel } from '../alerts.ts'
import { addRaised, lastTold, pendingAlerts, type Raised, saveRaised } from '../history.ts'
import { alertKinds } from '../kinds.ts'
import { alertSentences } from '../sentences.ts'
import { diskSamples, type Evaluation, evaluate } from './evaluate.ts'
import { type ReadContext, rememberGoalDays } from './goals.ts'
import { tellReached } from './reached.ts'

export type WatchOptions = {
  db: Db
  context: ReadContext
  now: () => number
  mailer: Mailer
  webhook: Webhook
  config: Pick<Config, 'alertCommand' | 'lang'>
  env: Environment
  /** The name of the site, and the address of its dashboard; null if not known. */
  name: string | null
  dashboard: string | null
}

export type AlertWatch = {
  channels: readonly AlertChannel[]
  /** Returns a sentence on what was found. */
  run: () => Promise<string>
  /** Interrupts a command, and resolves when nothing is written any more. */
  stop: () => Promise<void>
}

const day = 86_400
const commandTimeout = 60_000
/** Seconds from one run to the next. */
const interval = 600
const maxSamples = 8

/** Notes the free space once a day. */
const noteDisk = (db: Db, now: number): void => {
  const samples = diskSamples(db)
  const last = samples.at(-1)
  if (last !== undefined && now - last.at < day && now >= last.at) return
  const kept = samples.filter(({ at }) => at < now).slice(1 - maxSamples)
  saveState(db, 'disk', { samples: [...kept, { at: now, free: diskOf(db.name).free }] })
}

/** Notes what begins and what ends. The end of an alert that was turned off is not reported. */
const follow = (db: Db, evaluation: Evaluation, now: number): void =>
  db
    .transaction(() => {
      const open = pendingAlerts(db).filter(({ endedAt }) => endedAt === null)
      for (const kind of alertKinds) {
        const found = evaluation.get(kind)
        const raised = open.filter(one => one.kind === kind)
        const finding = found?.finding ?? null
        if (finding !== null && raised.length === 0) addRaised(db, kind, finding, now)
        if (finding === null)
          for (const one of raised)
            saveRaised(db, { ...one, endedAt: now, toldEndAt: found === undefined ? now : null })
      }
    })
    .immediate()

/** What is to be reported now: a beginning unless one of its kind was reported in the last 24 hours, and the end of what was reported. */
const toTell = (db: Db, now: number): Raised[] => {
  const told = lastTold(db)
  return pendingAlerts(db).filter(({ kind, endedAt, toldAt }) =>
    endedAt === null ? toldAt === null && now - (told.get(kind) ?? -Infinity) >= day : toldAt !== null,
  )
}

const stateOf = ({ endedAt }: Raised): 'raised' | 'over' => (endedAt === null ? 'raised' : 'over')

const factsOf = (raised: Raised) => ({
  ...raised.values,
  goal: raised.goal,
  id: raised.id,
  kind: raised.kind,
  state: stateOf(raised),
})

export const createAlertWatch = (options: WatchOptions): AlertWatch => {
  const { db, context, now, mailer, webhook, env, name, dashboard } = options
  const { alertCommand: command, lang } = options.config
  const stopping = new AbortController()
  const readGoals = rememberGoalDays()
  const sentences = alertSentences(context.zone, chooseLanguage([lang]))
  const channels: AlertChannel[] = [
    ...(mailer.isReady ? (['mail'] as const) : []),
    ...(command === null ? [] : (['command'] as const)),
    ...(webhook.takes('alerts') ? (['webhook'] as const) : []),
  ]

  const runWith = async (command: string, raised: Raised, subject: string, text: string): Promise<void> => {
    const variables = {
      ALERT_ID: String(raised.id),
      ALERT_KIND: raised.kind,
      ALERT_STATE: stateOf(raised),
      ALERT_SUBJECT: subject,
    }
    const run = { env: { ...env, ...variables }, timeout: commandTimeout, signal: stopping.signal }
    const error = await runCommand(command, text, run).then(() => null, errorText)
    noteCommandResult(db, now(), error)
    if (error !== null) throw new Error(error)
  }

  /** Sends it through all channels. One that works is enough: another try would repeat it there. */
  const tell = async (raised: Raised): Promise<boolean> => {
    const { subject, text } = sentences.message(raised, { name: name ?? 'Footfall', url: dashboard })
    const sending = [
      ...(mailer.isReady ? [mailer.deliver({ subject, text })] : []),
      ...(command === null ? [] : [runWith(command, raised, subject, text)]),
      ...(webhook.takes('alerts')
        ? [webhook.deliver({ subject, text }, { event: 'alert', facts: factsOf(raised) })]
        : []),
    ]
    const results = await Promise.allSettled(sending)
    const isTold = results.some(({ status }) => status === 'fulfilled')
    const at = now()
    if (isTold) saveRaised(db, { ...raised, ...(raised.endedAt === null ? { toldAt: at } : { toldEndAt: at }) })
    return isTold
  }

  /** Of ten minutes ago, so that what was reached just before midnight is told as well. */
  const postReached = (): Promise<number> => {
    const day = context.zone.dayOf(now() - interval)
    return tellReached(db, context, day, (goal, visits) =>
      webhook.deliver(sentences.reached(goal, day, visits, { name: name ?? 'Footfall', url: dashboard }), {
        event: 'goal',
        facts: { goal, day: dayText(day), visits },
      }),
    )
  }

  const work = async (): Promise<string> => {
    const evaluation = await evaluate(db, context, now(), readGoals)
    if (stopping.signal.aborted) return 'Stopped.'
    noteDisk(db, now())
    follow(db, evaluation, now())
    const raised = pendingAlerts(db).filter(({ endedAt }) => endedAt === null).length
    const pending = channels.length > 0 ? toTell(db, now()) : []
    let told = 0
    for (const one of pending) if (await tell(one)) told += 1
    const reached = webhook.takes('goals') ? await postReached() : 0
    const sentence = `Alerts raised: ${raised}. Messages sent: ${told + reached}.`
    return told === pending.length ? sentence : `${sentence} Failed: ${pending.length - told}; they are sent again.`
  }

  let running: Promise<unknown> = Promise.resolve()
  return {
    channels,
    run: () => {
      const working = work()
      running = working.catch(() => {})
      return working
    },
    stop: async () => {
      stopping.abort(new Error('The service stops.'))
      await running
    },
  }
}
