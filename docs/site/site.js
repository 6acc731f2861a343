// The script of the documentation's pages: light or dark, search, and lists that are open where there is room. Without it, everything can
// still be read. The index is a script as well, since a page that is opened from disk may not fetch a file.
import MiniSearch from 'minisearch'

const page = document.documentElement
const { root } = page.dataset

/** A browser may keep nothing for pages from disk. */
const kept = {
  get: () => {
    try {
      return localStorage.getItem('theme')
    } catch {
      return null
    }
  },
  set: theme => {
    try {
      localStorage.setItem('theme', theme)
    } catch {}
  },
}

const isDark = () =>
  (page.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'

// Before the page is drawn.
const chosen = kept.get()
if (chosen !== null) page.dataset.theme = chosen

const switchTheme = button => {
  const show = () => button.setAttribute('aria-pressed', String(isDark()))
  button.addEventListener('click', () => {
    page.dataset.theme = isDark() ? 'light' : 'dark'
    kept.set(page.dataset.theme)
    show()
  })
  button.hidden = false
  show()
}

let index
const load = () =>
  (index ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.onload = () =>
      resolve(
        MiniSearch.loadJSON(window.searchIndex, {
          fields: ['title', 'text'],
          storeFields: ['title', 'page', 'address'],
        }),
      )
    script.onerror = reject
    script.src = `${root}search-index.js`
    document.head.append(script)
  }))

const resultOf = ({ title, page: of, address }) => {
  const link = document.createElement('a')
  link.href = `${root}${address}`
  const small = document.createElement('small')
  small.textContent = title === of ? '' : of
  link.append(title, small)
  return link
}

const search = box => {
  const [input, results] = [box.querySelector('input'), box.querySelector('.results')]
  const close = () => results.replaceChildren()
  input.addEventListener('focus', load)
  input.addEventListener('input', async () => {
    const words = input.value.trim()
    const found = (await load()).search(words, { prefix: true, fuzzy: 0.1, combineWith: 'AND', boost: { title: 4 } })
    // Another letter may have come while the index was loaded.
    if (input.value.trim() !== words) return
    results.replaceChildren(
      ...(words !== '' && found.length === 0 ? ['Nothing found'] : found.slice(0, 12).map(resultOf)),
    )
  })
  results.addEventListener('click', close)
  box.addEventListener('keydown', event => {
    if (event.key === 'Escape') close()
    if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const stops = [input, ...results.querySelectorAll('a')]
    stops[stops.indexOf(event.target) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
    event.preventDefault()
  })
  box.addEventListener('focusout', event => {
    if (!box.contains(event.relatedTarget)) close()
  })
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || event.target.closest('input')) return
    event.preventDefault()
    input.focus()
  })
  box.hidden = false
}

const openWhereWide = (details, query) => {
  const wide = matchMedia(query)
  const set = () => (details.open = wide.matches)
  wide.addEventListener('change', set)
  set()
}

document.addEventListener('DOMContentLoaded', () => {
  switchTheme(document.querySelector('.theme'))
  search(document.querySelector('search'))
  openWhereWide(document.querySelector('.pages'), '(min-width: 56rem)')
  openWhereWide(document.querySelector('.outline'), '(min-width: 80rem)')
  const current = document.querySelector('.pages [aria-current]')
  if (matchMedia('(min-width: 56rem)').matches) current?.scrollIntoView({ block: 'nearest' })
})
