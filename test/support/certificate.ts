// A certificate of our own, for proxies in tests.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Writes privkey.pem and fullchain.pem for some host names, valid for a day. */
export const makeCertificate = (folder: string, hosts: readonly string[]): { key: string; certificate: string } => {
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')]
  const names = hosts.map(host => `DNS:${host}`).join()
  const wanted = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const subject = ['-subj', '/CN=footfall test', '-addext', `subjectAltName=${names}`]
  const { status, stderr } = spawnSync(
    'openssl',
    ['req', '-x509', ...wanted, ...subject, '-keyout', key, '-out', certificate],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`)
  return { key, certificate }
}
