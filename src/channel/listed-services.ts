import type { Service } from './lists.ts'
import { byKey, shortForm } from './services.ts'

/** A service of the referrer lists, with its main host. */
export type ListedService = Service & { host: string }

const mainHost = (name: string, keys: readonly string[]): string => {
  const hosts = keys.map(key => key.replace(/\.\*$/, '.com')).sort((a, b) => a.length - b.length)
  return hosts.find(host => host.startsWith(`${shortForm(name)}.`)) ?? hosts[0] ?? ''
}

/** The main host of each service is the one that begins with its name, else the shortest. */
export const listServices = (): ListedService[] => {
  const byName = new Map<string, { service: Service; keys: string[] }>()
  for (const [key, service] of byKey) {
    if (service === 'spam' || key.startsWith('app:') || key.endsWith('.')) continue
    const known = byName.get(service.name)
    if (known === undefined) byName.set(service.name, { service, keys: [key] })
    else known.keys.push(key)
  }
  return [...byName.values()].map(({ service, keys }) => ({ ...service, host: mainHost(service.name, keys) }))
}
