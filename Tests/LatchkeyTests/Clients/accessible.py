# SPDX-License-Identifier: Apache-2.0
"""What a checker such as axe measures of a page in a browser (WCAG 2.2, level AA), by day, at night and on 320 pixels."""

from chromium import Window

# What is wrong with the page as it is shown: a list of sentences, empty where nothing is.
FAULTS = """(() => {
  const faults = [], all = query => [...document.querySelectorAll(query)], root = document.documentElement
  const say = (what, element) => faults.push(what + ': ' + (element ? element.outerHTML.slice(0, 160) : ''))
  const shown = element => element.getClientRects().length > 0
  if (!root.lang || !document.title) say('no language or title')
  if (all('h1').length !== 1 || all('main').length !== 1) say('not one first heading and one main part')
  const levels = all('h1,h2,h3').map(element => +element.tagName[1])
  if (levels.some((level, index) => level > (levels[index - 1] ?? 0) + 1)) say('a level of headings is left out')
  const ids = all('[id]').map(element => element.id)
  if (new Set(ids).size !== ids.length) say('an identifier twice')
  // 1.4.10: everything is there at 320 pixels, in one direction.
  if (root.scrollWidth > innerWidth) say('wider than the window by ' + (root.scrollWidth - innerWidth))
  for (const element of all('main *, footer *'))
    if (shown(element) && element.getBoundingClientRect().right > innerWidth + 0.5) say('beyond the edge', element)
  for (const field of all('input:not([type=hidden])').filter(shown)) {
    if (!field.labels.length && !field.ariaLabel) say('no label', field)
    if (field.type !== 'checkbox' && field.type !== 'radio' && (!field.autocomplete || field.autocomplete === 'off')) say('no purpose', field)
    if (field.maxLength >= 0 && field.maxLength < 128) say('too short for what is pasted', field)
  }
  // 2.5.8: what is pressed is 24 pixels high and wide, but links within sentences.
  for (const element of all('button, a.button, footer a, label.check').filter(shown)) {
    const box = element.getBoundingClientRect()
    if (box.height < 24 || box.width < 24) say('too small', element)
  }
  // 2.4.7: whatever has the focus shows it.
  const before = document.activeElement
  for (const element of all('a[href], button, input:not([type=hidden])').filter(shown)) {
    element.focus({ focusVisible: true, preventScroll: true })
    const style = getComputedStyle(element)
    if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) say('focus is not seen', element)
  }
  before.focus({ preventScroll: true })
  // 1.4.3: each text on what stands behind it.
  const colour = text => { const parts = text.match(/[\\d.]+/g).map(Number); return [...parts, 1].slice(0, 4) }
  const light = rgb => {
    const [r, g, b] = rgb.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const ground = element => {
    for (let each = element; each; each = each.parentElement) {
      const found = colour(getComputedStyle(each).backgroundColor)
      if (found[3] === 1) return found
    }
    return [255, 255, 255, 1]
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    if (!walker.currentNode.data.trim() || !shown(element)) continue
    const [one, two] = [light(colour(getComputedStyle(element).color)), light(ground(element))].sort((a, b) => b - a)
    const contrast = (one + 0.05) / (two + 0.05)
    if (contrast < 4.5) say('contrast of ' + contrast.toFixed(2), element)
  }
  return faults
})()"""


class CheckedWindow(Window):
    """A window that looks at every page of the server that it comes to. Addresses of pages that were looked at are kept,
    so that a walk can say which it has not seen."""

    def __init__(self, browser, base, **settings):
        self.base, self.seen, self.checks = base, set(), False
        super().__init__(browser, **settings)
        self.checks = True

    def loaded(self, act):
        super().loaded(act)
        if self.checks and self.url.startswith(self.base):
            self.look()

    def look(self):
        page = self.url[len(self.base):].split("?")[0]
        # A field that wants the focus has it before anything else takes it.
        first = self.value("document.querySelector('[autofocus]')?.name")
        assert first is None or self.has_focus(first), (page, first)
        for width, scheme in [(320, "light"), (1280, "dark"), (1280, "light")]:
            self.size(width, 900)
            self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            faults = self.value(FAULTS)
            assert not faults, (page, self.heading, width, scheme, faults)
        self.seen.add((page, self.heading))
