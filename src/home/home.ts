// The page at `/`: today's figures, kept current while it is looked at, and the tag to paste.
const api = document.documentElement.dataset.api ?? 'analytics/v1'
const interval = 2000
let nonce = ''

const element = (id: string): HTMLElement => document.getElementById(id) ?? document.body

const show = (id: string, visible: boolean): void => {
  element(id).hidden = !visible
}

const ask = async (path: string, init: RequestInit = {}): Promise<any> => {
  const response = await fetch(`${api}${path}`, { ...init, headers: nonce === '' ? {} : { 'X-WP-Nonce': nonce } })
  nonce = response.headers.get('X-WP-Nonce') ?? nonce
  if (response.status === 401 || response.status === 403) throw new DOMException('', 'NotAllowedError')
  if (!response.ok) throw new Error(`The service answered ${response.status}.`)
  return response.status === 204 ? null : response.json()
}

const row = ({ page, views }: { page: string, views: number }): HTMLTableRowElement => {
  const line = document.createElement('tr')
  for (const text of [page, views.toLocaleString()]) line.insertCell().textContent = text
  return line
}

const draw = async (): Promise<void> => {
  const { data: live, meta } = await ask('/realtime')
  const days = `from=${meta.to}&to=${meta.to}`
  const [{ data: { totals } }, { data: pages }] = await Promise.all([ask(`/summary?${days}`), ask(`/pages?${days}&limit=10`)])
  element('zone').textContent = `${meta.to}, ${meta.timezone}`
  element('active').textContent = live.active_visitors.toLocaleString()
  for (const key of ['visitors', 'sessions', 'views']) element(key).textContent = totals[key].toLocaleString()
  element('pages').replaceChildren(...pages.map(row))
  show('waiting', totals.views === 0)
  show('top', pages.length > 0)
}

const fail = (error: unknown): void => {
  const stranger = error instanceof DOMException && error.name === 'NotAllowedError'
  show('stranger', stranger)
  show('figures', !stranger)
  show('leave', !stranger)
  show('failure', !stranger)
  element('failure').textContent = `${error instanceof Error ? error.message : error} Trying again.`
}

const refresh = async (): Promise<void> => {
  try {
    if (!document.hidden) {
      if (nonce === '') nonce = (await ask('/session')).nonce
      await draw()
      show('failure', false)
      show('figures', true)
      show('leave', true)
    }
  } catch (error) {
    fail(error)
    if (!element('stranger').hidden) return
  }
  setTimeout(refresh, interval)
}

element('tag').textContent = `<script defer src="${new URL('tracker.js', location.href)}"></script>`
element('leave').addEventListener('click', async () => {
  await ask('/session', { method: 'DELETE' }).catch(() => {})
  location.reload()
})
void refresh()
