// The options of the database, GeoIP and logging.
import { logLevels } from '../runtime/log.ts'
import { choice, kinds, optional } from './kinds.ts'
import { downloadingGeoip, everyCommand, type Option, serve, usingFile, usingGeoip } from './option.ts'

export const dataOptions = {
  data: {
    group: 'Data',
    value: 'FILE',
    kind: kinds.file,
    default: './footfall.db',
    commands: usingFile,
    about: 'The database file, created at the first start.',
  },
  backupFolder: {
    group: 'Data',
    value: 'FOLDER',
    kind: optional(kinds.file),
    default: '',
    commands: ['serve', 'cron'],
    about: 'Folder for nightly backups of the database.',
  },
  backupKeep: {
    group: 'Data',
    value: 'NUMBER',
    kind: kinds.days,
    default: '7',
    commands: ['serve', 'cron'],
    about: 'Number of nightly backups to keep.',
  },
  archiveFormat: {
    group: 'Data',
    value: 'FORMAT',
    kind: choice('ndjson', 'parquet', 'both'),
    default: 'ndjson',
    commands: ['serve', 'cron'],
    about: 'Form of the files of retention_mode archive: ndjson, which import reads, parquet, or both.',
  },
  geoipCity: {
    group: 'Data',
    value: 'FILE',
    kind: optional(kinds.file),
    default: '',
    commands: usingGeoip,
    about: 'City database (MMDB) to use instead of the built-in country database.',
  },
  geoipFallbackUrl: {
    group: 'Data',
    value: 'URL',
    kind: kinds.template,
    default: 'https://download.db-ip.com/free/dbip-city-lite-{year}-{month}.mmdb.gz',
    commands: downloadingGeoip,
    about: "URL of the free city database; gzip is detected. Default: DB-IP's monthly database.",
  },
  geoipEdition: {
    group: 'Data',
    value: 'NAME',
    kind: kinds.edition,
    default: 'GeoLite2-City',
    commands: downloadingGeoip,
    about: 'Edition to download with the license key (geoip_license_key), such as GeoIP2-City.',
  },
  geoipLicensedUrl: {
    group: 'Data',
    value: 'URL',
    kind: optional(kinds.licensedTemplate),
    default: '',
    commands: downloadingGeoip,
    about:
      'URL of the licensed database, with {edition}, {suffix} and, if the key belongs in the URL, {key}. ' +
      "Default: MaxMind's.",
  },
  logLevel: {
    group: 'Log',
    value: 'LEVEL',
    kind: choice(...logLevels),
    default: 'info',
    commands: everyCommand,
    about: 'Lowest level to log: error, warn, info or debug.',
  },
  logFormat: {
    group: 'Log',
    value: 'FORMAT',
    kind: choice('text', 'json'),
    default: 'text',
    commands: serve,
    about: 'Format of log lines: text or json.',
  },
  loginFile: {
    group: 'Log',
    value: 'FILE',
    kind: optional(kinds.file),
    default: '',
    commands: serve,
    about: 'New file for the login of the first start: link, name and password, a line each. Default: it is shown.',
  },
} satisfies Record<string, Option>
