// The focus never falls to the page itself: where what had it is gone, or takes none, what is around it has it instead.

const places = 'section, form, dialog, [role=tabpanel], #content'

const pathOf = (node: EventTarget | null): Element[] => {
  const path: Element[] = []
  for (let at = node instanceof Element ? node : null; at !== null; at = at.parentElement) path.push(at)
  return path
}

const takesFocus = (node: Element): boolean => node.isConnected && !node.matches(':disabled')

/** Parts that know better where the focus goes have set it by then, in milliseconds. */
const patience = 50

export const keepFocus = (page: HTMLElement): void => {
  /** What had the focus last, and what was around it. */
  let path: readonly Element[] = []
  let standIn: Element | null = null
  const isLost = (): boolean => document.activeElement === document.body
  const restore = (): void => {
    const [own, ...around] = path
    if (own === undefined || !(isLost() || document.activeElement === standIn)) return
    const place = around.find(one => one.isConnected && one.matches(places)) ?? document.getElementById('content')
    const next = takesFocus(own) ? own : isLost() ? place : null
    if (!(next instanceof HTMLElement)) return
    standIn = next === own ? null : next
    if (next !== own && !next.hasAttribute('tabindex')) next.tabIndex = -1
    next.focus({ preventScroll: true })
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  new MutationObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(restore, patience)
  }).observe(page, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', ({ target }) => {
    if (target === standIn) return
    path = pathOf(target)
    standIn = null
  })
  // A click beside everything leaves it on purpose.
  document.addEventListener('pointerup', () => {
    setTimeout(() => {
      const [own] = path
      if (isLost() && own !== undefined && takesFocus(own)) path = []
    })
  })
}
