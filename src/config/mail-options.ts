// The options of the messages that the service sends.
import { kinds, optional, webhookEvents } from './kinds.ts'
import { type Option, sendingMail, sendingWebhooks, serve } from './option.ts'

export const mailOptions = {
  digest: {
    group: 'Mail',
    value: 'PERIODS',
    kind: kinds.periods,
    default: '',
    commands: ['serve', 'cron'],
    about:
      'Digests to send to --mail-to: day, week or month, separated by commas. At 06:30 in the time zone of the site, of the ' +
      'day, week or month before.',
  },
  mailTo: {
    group: 'Mail',
    value: 'ADDRESSES',
    kind: kinds.mailAddresses,
    default: '',
    commands: sendingMail,
    about: 'E-mail addresses that get messages, separated by commas.',
  },
  alertRecipients: {
    group: 'Mail',
    value: 'ADDRESSES',
    kind: kinds.mailAddresses,
    default: '',
    commands: serve,
    about: 'E-mail addresses that get alerts, separated by commas. Default: those of --mail-to.',
  },
  mailFrom: {
    group: 'Mail',
    value: 'ADDRESS',
    kind: optional(kinds.mailAddress),
    default: '',
    commands: sendingMail,
    about:
      'E-mail address that messages come from. Default: the user of FOOTFALL_SMTP_URL if that is an address, else the first ' +
      'of --mail-to.',
  },
  mailCommand: {
    group: 'Mail',
    value: 'COMMAND',
    kind: optional(kinds.shellCommand),
    default: '',
    commands: sendingMail,
    about:
      "Command that messages are sent with instead of FOOTFALL_SMTP_URL, such as 'sendmail -t'. It is run by 'sh -c' and gets " +
      'the message on standard input.',
  },
  alertCommand: {
    group: 'Mail',
    value: 'COMMAND',
    kind: optional(kinds.shellCommand),
    default: '',
    commands: sendingMail,
    about:
      "Command that sends alerts, in addition to mail. It is run by 'sh -c' and gets the text on standard input, and " +
      'ALERT_ID, ALERT_KIND, ALERT_STATE (raised or over) and ALERT_SUBJECT in the environment.',
  },
  webhook: {
    group: 'Mail',
    value: 'URL',
    kind: optional(kinds.webhook),
    default: '',
    commands: sendingWebhooks,
    about:
      'URL that messages are posted to, in addition. Anyone who has the URL of a chat can write there: set it in the ' +
      'environment, since every user of the machine can see command lines.',
  },
  webhookFormat: {
    group: 'Mail',
    value: 'FORMAT',
    kind: kinds.webhookFormat,
    default: 'json',
    commands: sendingWebhooks,
    about: 'Form of what is posted: json for programs, or that of slack, discord, ntfy or teams.',
  },
  webhookEvents: {
    group: 'Mail',
    value: 'EVENTS',
    kind: kinds.webhookEvents,
    default: webhookEvents.join(','),
    commands: sendingWebhooks,
    about:
      'What is posted: alerts, digests (those of --digest), goals (each goal once on a day on which it is reached).',
  },
  webhookAllowPrivate: {
    group: 'Mail',
    value: '',
    kind: kinds.truth,
    default: '',
    commands: sendingWebhooks,
    about: 'Lets --webhook lead into a private network, such as to a chat on this machine.',
  },
  lang: {
    group: 'Mail',
    value: 'LANGUAGE',
    kind: kinds.language,
    default: 'en',
    commands: sendingMail,
    about: 'Language of digests and alerts: en, de, fr or es, also with a region such as en-GB.',
  },
} satisfies Record<string, Option>
