// What colour each cell has. A paint is { code(i), colours, legend, flat }: the number of each cell's colour, the rows
// of red, green, blue, opacity, what the legend says, and whether colours must stay as the legend shows them.

const FAULTS = [[214, 39, 40], [255, 127, 14], [148, 70, 189], [227, 80, 160], [140, 86, 75], [31, 119, 180], [23, 150, 160]]
const PASS = [44, 160, 84]
const SCALE = [[69, 117, 180], [145, 191, 219], [224, 243, 248], [254, 224, 144], [252, 141, 89], [215, 48, 39]]
const ORDER = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]]
const OVER = [142, 20, 150]
const SHADES = 64

function between (stops, share) {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1)
  const n = Math.min(Math.floor(place), stops.length - 2)
  return stops[n].map((v, k) => Math.round(v + (stops[n + 1][k] - v) * (place - n)))
}

const css = ([r, g, b]) => `rgb(${r}, ${g}, ${b})`

function faded (colour, dark) { // a block that is not what is looked at: its own lightness, no hue
  const grey = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]
  const level = Math.round(dark ? 62 + grey * 0.3 : 152 + grey * 0.22)
  return [level, level, level + 3]
}

// Rows of colour: of each state as it is, then of each state faded, then those of `more`.
function colourRows (book, more, dark, thin) {
  const own = book.states.map(s => [...s.colour, Math.round(s.opacity * 255)])
  const grey = book.states.map(s => [...faded(s.colour, dark), thin ? 40 : Math.round(s.opacity * 255)])
  return [...own, ...grey, ...more.map(colour => [...colour, 255])]
}

function paintByMaterial (book, world, options) {
  const { chosen, dark, thin } = options
  const kinds = book.states.length
  const counts = new Map()
  for (let i = 0; i < world.blocks; i++) {
    const state = world.turn.states[i]
    const name = book.states[state].material
    const row = counts.get(name)
    if (row) row.number++
    else counts.set(name, { name, number: 1, colour: book.states[state].colour })
  }
  const rows = [...counts.values()].sort((a, b) => b.number - a.number || (a.name < b.name ? -1 : 1))
  return {
    flat: false,
    colours: colourRows(book, [], dark, thin),
    code: i => {
      const state = world.state[i]
      return chosen === null || book.states[state].material === chosen ? state : kinds + state
    },
    legend: { rows: rows.map(r => ({ key: r.name, label: r.name, number: r.number, colour: r.colour })), chosen }
  }
}

function paintByRule (book, world, options) {
  const { chosen, dark, thin } = options // the number of a verdict, or null for all that fail
  const verdicts = world.turn.verdicts
  const kinds = book.states.length
  const looked = verdicts.map((v, n) => n).filter(n => chosen === null ? isFault(verdicts[n]) : n === chosen)
  const more = verdicts.map((v, n) => colourOfVerdict(verdicts, n))
  const rows = looked.filter(n => verdicts[n].cells).map(n => ({
    key: n, label: verdicts[n].rule, number: verdicts[n].cells, colour: more[n]
  }))
  return {
    flat: true,
    colours: colourRows(book, more, dark, thin),
    code: i => {
      const found = i < world.blocks ? looked.find(n => isMarked(verdicts[n], i)) : undefined
      return found === undefined ? kinds + world.state[i] : 2 * kinds + found
    },
    marks: looked.map(n => ({ cells: verdicts[n].empty, colour: more[n] })),
    legend: { rows, chosen, empty: chosen === null && !verdicts.some(isFault) ? 'No rule fails.' : 'No cells are named.' }
  }
}

const isFault = verdict => verdict.status === 'fail' || verdict.status === 'error'

function colourOfVerdict (verdicts, n) {
  if (!isFault(verdicts[n])) return PASS
  const rank = verdicts.slice(0, n).filter(isFault).length
  return FAULTS[rank % FAULTS.length]
}

function paintByNumber (book, world, options, { value, title, unit, note, stops, low, high, ends, over }) {
  const { dark, thin } = options
  const kinds = book.states.length
  const more = Array.from({ length: SHADES }, (_, n) => between(stops, n / (SHADES - 1)))
  more.push(OVER)
  const span = high - low
  return {
    flat: true,
    colours: colourRows(book, more, dark, thin),
    code: i => {
      const found = value(i)
      if (Number.isNaN(found)) return kinds + world.state[i]
      if (over && found > high) return 2 * kinds + SHADES
      const share = span > 0 ? (found - low) / span : 0
      return 2 * kinds + Math.min(Math.max(Math.round(share * (SHADES - 1)), 0), SHADES - 1)
    },
    legend: { title, unit, note, stops, low, high, ends, over }
  }
}

function paintByField (book, world, options, field) {
  let high = field.limit ?? 0
  let low = 0
  let over = 0
  for (const value of field.values) {
    if (field.limit !== null && value > field.limit) over++
    else if (value > high) high = value
    if (value < low) low = value
  }
  const value = i => i < world.blocks ? field.values[i] : NaN
  return paintByNumber(book, world, options, { ...field, value, stops: SCALE, low, high, over })
}

function paintByOrder (book, world, options) {
  const value = i => world.placed[i] < 0 ? NaN : world.placed[i]
  return paintByNumber(book, world, options, {
    value, title: 'Order of placement', unit: '', note: '', stops: ORDER, low: 0, high: Math.max(world.steps - 1, 0), ends: ['first', 'last']
  })
}
