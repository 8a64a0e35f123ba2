// The panel beside the picture. Every text comes in through textContent, never as markup.

const MOST_ROWS = 12 // rows of a legend that are shown at once

const SIGNS = { pass: '✓', fail: '✗', error: '!', 'not applicable': '–' }

// An element with attributes (on…: handlers, text: its text) and children.
function el (tag, attributes = {}, ...children) {
  const out = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') out.textContent = value
    else if (name.startsWith('on')) out.addEventListener(name.slice(2), value)
    else if (value === true) out.setAttribute(name, '')
    else if (value !== false && value !== null) out.setAttribute(name, value)
  }
  out.append(...children.filter(child => child !== null))
  return out
}

function section (title, ...children) {
  return el('section', { 'aria-label': title }, el('h2', { text: title }), ...children)
}

// Buttons of which one is pressed; `items` are [key, label].
function choice (title, items, chosen, choose) {
  const group = el('div', { class: 'choice', role: 'group', 'aria-label': title })
  for (const [key, label] of items) {
    group.append(el('button', {
      type: 'button', text: label, 'aria-pressed': String(key === chosen), 'data-key': String(key), onclick: () => choose(key)
    }))
  }
  return group
}

function swatch (colour) {
  const out = el('span', { class: 'swatch', 'aria-hidden': 'true' })
  out.style.backgroundColor = css(colour)
  return out
}

// Three significant digits, without an exponent where it can be.
function short (value) {
  if (value === 0) return '0'
  const size = Math.abs(value)
  return size >= 1e5 || size < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(3)))
}

function counted (number, word) {
  return `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`
}

function verdictList (verdicts, chosen, choose) {
  const list = el('ul', { class: 'verdicts' })
  verdicts.forEach((verdict, n) => {
    const kind = verdict.status.replace(' ', '-')
    const button = el('button', {
      type: 'button', class: `verdict ${kind}`, 'aria-pressed': String(chosen === n), onclick: () => choose(chosen === n ? null : n)
    },
    el('span', { class: 'sign', 'aria-hidden': 'true', text: SIGNS[verdict.status] }),
    el('span', { class: 'rule', text: verdict.rule }),
    el('span', { class: 'status', text: verdict.status }),
    el('span', { class: 'message', text: verdict.message }))
    list.append(el('li', {}, button))
  })
  return list
}

function legendOf (legend, choose) {
  if (legend.stops) return scaleOf(legend)
  if (!legend.rows.length) return el('p', { class: 'quiet', text: legend.empty || 'No blocks.' })
  const item = row => el('li', {}, el('button', {
    type: 'button', 'aria-pressed': String(legend.chosen === row.key), onclick: () => choose(legend.chosen === row.key ? null : row.key)
  }, swatch(row.colour), el('span', { class: 'name', text: row.label }),
  el('span', { class: 'number', text: row.number.toLocaleString('en') })))
  const list = rows => el('ul', { class: 'legend' }, ...rows.map(item))
  const most = legend.rows.length > MOST_ROWS + 3 ? MOST_ROWS : legend.rows.length
  if (most === legend.rows.length) return list(legend.rows)
  const rest = legend.rows.slice(most)
  return el('div', {}, list(legend.rows.slice(0, most)), el('details', { open: rest.some(row => row.key === legend.chosen) },
    el('summary', { text: `${rest.length} more` }), list(rest)))
}

function scaleOf ({ title, unit, note, stops, low, high, ends, over }) {
  const bar = el('div', { class: 'bar', 'aria-hidden': 'true' })
  bar.style.backgroundImage = `linear-gradient(to right, ${stops.map(css).join(', ')})`
  const with_ = value => unit ? `${short(value)} ${unit}` : short(value)
  const [first, last] = ends || [with_(low), with_(high)]
  const ticks = el('div', { class: 'ticks' }, el('span', { text: first }))
  if (!ends) ticks.append(el('span', { text: with_((low + high) / 2) }))
  ticks.append(el('span', { text: last }))
  return el('div', { class: 'scale', role: 'img', 'aria-label': `${title}: colours from ${first} to ${last}` }, bar, ticks,
    over ? el('p', { class: 'over' }, swatch(OVER), el('span', { text: `above ${with_(high)}: ${counted(over, 'block')}` })) : null,
    note ? el('p', { class: 'quiet', text: note }) : null)
}

function slider (title, low, high, value, say, change) {
  const shown = el('output', { text: say(value) })
  const input = el('input', {
    type: 'range', min: low, max: high, step: 1, value, 'aria-label': title, 'aria-valuetext': say(value),
    oninput: () => {
      shown.textContent = say(Number(input.value))
      input.setAttribute('aria-valuetext', shown.textContent)
      change(Number(input.value))
    }
  })
  return el('label', { class: 'slider' }, el('span', { text: title }), shown, input)
}

function tick (title, checked, change) {
  const input = el('input', { type: 'checkbox', checked, onchange: () => change(input.checked) })
  return el('label', { class: 'tick' }, input, el('span', { text: title }))
}

function svg (tag, attributes, text = '') {
  const out = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) out.setAttribute(name, value)
  out.textContent = text
  return out
}

// The compass: a disc that turns with the view. Gives back the function that turns it.
function makeCompass (root) {
  const disc = svg('g', {})
  disc.append(svg('circle', { r: 38, class: 'disc' }), svg('path', { d: 'M0 -24 L6 2 L0 -3 L-6 2 Z', class: 'needle' }))
  const letters = [['N', 0, -31], ['E x', 30, 0], ['S z', 0, 31], ['W', -31, 0]].map(([text, x, y]) => {
    const letter = svg('text', { class: text === 'N' ? 'north' : '', 'text-anchor': 'middle', 'dominant-baseline': 'central' }, text)
    disc.append(letter)
    return [letter, x, y]
  })
  root.append(disc)
  return angle => {
    disc.setAttribute('transform', `rotate(${angle * 180 / Math.PI})`)
    for (const [letter, x, y] of letters) letter.setAttribute('transform', `translate(${x} ${y}) rotate(${-angle * 180 / Math.PI})`)
  }
}
