// What is shown at the moment, and how keys, pointer and panel change it.

const WHITE = [255, 255, 255]
const BLACK = [15, 18, 20]
const VIEWS = [
  ['home', 'Whole', 'View of the whole'], ['top', 'Top', 'View from above'], ['north', 'N', 'View from north'],
  ['east', 'E', 'View from east'], ['south', 'S', 'View from south'], ['west', 'W', 'View from west']
]

const book = readBook()
book.boxes = book.shapes
book.shapes = book.boxes.map(readShape)
const panel = document.getElementById('panel')
const canvas = document.getElementById('view')
const tip = document.getElementById('tip')
const night = window.matchMedia('(prefers-color-scheme: dark)')
const still = window.matchMedia('(prefers-reduced-motion: reduce)')

const view = {
  turn: book.turns.length - 1,
  paint: 'material', // material, rules, order, or the number of a field
  chosen: null, // a material or a verdict that alone is coloured
  top: 0, // cells above this height are not shown
  thin: false, // other blocks almost transparent
  edges: true,
  ground: true,
  picked: -1,
  playing: 0
}
let world
let stage = null
let painted = null
let mesh = null

const turn = () => book.turns[view.turn]
const seen = i => world.y[i] <= view.top
const stateOf = i => book.states[world.state[i]]
const cellText = i => `(${world.x[i]}, ${world.y[i]}, ${world.z[i]})`

function start () {
  document.getElementById('summary').textContent = book.summary
  try {
    stage = new Stage(canvas)
  } catch (error) {
    document.getElementById('stage').classList.add('failed')
    tip.textContent = 'This browser shows no three-dimensional picture: WebGL is switched off or missing.'
    tip.hidden = false
  }
  const faulty = book.turns.some(t => t.verdicts.some(isFault))
  openTurn(view.turn)
  if (faulty && turn().verdicts.some(isFault)) view.paint = 'rules'
  else if (turn().fields.length) view.paint = 0
  if (stage) {
    document.getElementById('views').append(...VIEWS.map(([key, text, label]) =>
      el('button', { type: 'button', text, 'aria-label': label, title: label, onclick: () => stage.look(key) })))
    const compass = makeCompass(document.getElementById('compass'))
    stage.onDraw = () => compass(stage.azimuth())
    stage.resize()
    stage.look('home')
    new ResizeObserver(() => stage.resize()).observe(canvas.parentElement)
    night.addEventListener('change', () => { stage.paintGround(night.matches); refresh() })
    listen()
  }
  refresh()
  rebuildPanel()
}

function openTurn (number) {
  view.turn = number
  view.chosen = null
  view.picked = -1
  stop()
  const scene = turn()
  world = new World(scene)
  view.top = world.high[1]
  if (typeof view.paint === 'number' && view.paint >= scene.fields.length) view.paint = 'material'
  if ((view.paint === 'rules' && !scene.verdicts.length) || (view.paint === 'order' && !scene.log)) view.paint = 'material'
  document.getElementById('facts').textContent = scene.facts + (scene.ground ? `; ground: ${scene.ground}` : '')
  canvas.setAttribute('aria-label', `${book.name}: ${scene.facts}. Enter tells the block in the middle of the picture.`)
  if (stage) stage.place(world, night.matches)
}

function paintOf () {
  const options = { chosen: view.chosen, dark: night.matches, thin: view.thin }
  if (view.paint === 'material') return paintByMaterial(book, world, options)
  if (view.paint === 'rules') return paintByRule(book, world, options)
  if (view.paint === 'order') return paintByOrder(book, world, options)
  return paintByField(book, world, options, turn().fields[view.paint])
}

// Colours and triangles anew; the panel stays as it is.
function refresh () {
  painted = paintOf()
  if (!stage) return
  const marks = (painted.marks || []).flatMap(({ cells: [xs, ys, zs], colour }) => Array.from(xs, (x, n) => ({
    cell: [x, ys[n], zs[n]], colour
  })))
  view.marks = marks.length
  mesh = meshOf(world, book, seen, painted, view.ground, marks)
  stage.show(mesh, painted.flat)
  stage.uniforms.edges.value = view.edges ? 1 : 0
  stage.frame('marks', marks.map(({ cell: [x, y, z] }) => [x, y, z, x + 1, y + 1, z + 1]), marks.map(m => m.colour), true)
  const newest = view.paint !== 'rules' && world.step < world.steps ? world.event[world.step - 1] : -1
  stage.frame('newest', newest >= 0 && world.state[newest] >= 0 ? [cellBox(newest)] : [], [night.matches ? WHITE : BLACK], true)
  tell(view.picked)
}

function cellBox (i) {
  const boxes = book.boxes[stateOf(i).shape]
  const at = [world.x[i], world.y[i], world.z[i]]
  return [0, 1, 2].map(a => Math.min(...boxes.map(b => b[a])) + at[a] - 0.005)
    .concat([0, 1, 2].map(a => Math.max(...boxes.map(b => b[a + 3])) + at[a] + 0.005))
}

// What is to be said of a cell: lines of text.
function about (i) {
  const lines = [`${cellText(i)} ${stateOf(i).text}`]
  if (i < world.blocks && world.step === world.steps) {
    for (const field of turn().fields) {
      const value = field.values[i]
      if (!Number.isNaN(value)) lines.push(`${field.title} ${short(value)}${field.unit ? ` ${field.unit}` : ''}`)
    }
    for (const verdict of turn().verdicts) {
      if (isFault(verdict) && isMarked(verdict, i)) lines.push(`✗ ${verdict.rule}`)
    }
  }
  if (world.placed[i] >= 0) lines.push(`step ${world.placed[i] + 1} of ${world.steps}`)
  return lines
}

// Mark a cell and say what it is, in the panel and where given beside the pointer.
function tell (i, place = null) {
  if (i >= 0 && (world.state[i] < 0 || !seen(i))) i = -1
  view.picked = i
  stage.frame('picked', i >= 0 ? [cellBox(i)] : [], [night.matches ? WHITE : BLACK], false)
  const told = document.getElementById('told')
  if (told) told.textContent = i >= 0 ? about(i).join(' · ') : 'Point at a block or tap it.'
  tip.hidden = i < 0 || place === null
  if (tip.hidden) return
  tip.replaceChildren(...about(i).map(line => el('div', { text: line })))
  const { clientWidth: wide, clientHeight: high } = canvas.parentElement
  tip.style.left = `${Math.max(Math.min(place[0] + 14, wide - tip.offsetWidth - 6), 6)}px`
  tip.style.top = `${Math.max(Math.min(place[1] + 14, high - tip.offsetHeight - 6), 6)}px`
}

function rebuildPanel () {
  const focused = panel.contains(document.activeElement) ? pathTo(document.activeElement) : null
  const scene = turn()
  const again = change => { change(); refresh(); rebuildPanel() }
  const parts = []
  if (book.turns.length > 1) {
    parts.push(section('Turn', choice('Turn', book.turns.map((t, n) => [n, String(n + 1)]), view.turn, n => again(() => openTurn(n)))))
  }
  if (scene.asked) parts.push(el('details', {}, el('summary', { text: 'What was asked' }), el('p', { class: 'asked', text: scene.asked })))
  if (scene.verdicts.length) {
    const chosen = view.paint === 'rules' ? view.chosen : null
    parts.push(section('Verdicts', verdictList(scene.verdicts, chosen, n => again(() => { view.paint = 'rules'; view.chosen = n }))))
  }
  const paints = [['material', 'Material']]
  if (scene.verdicts.length) paints.push(['rules', 'Rules'])
  scene.fields.forEach((field, n) => paints.push([n, field.title]))
  if (scene.log) paints.push(['order', 'Order'])
  parts.push(section('Paint by',
    choice('Paint by', paints, view.paint, key => again(() => { view.paint = key; view.chosen = null })),
    legendOf(painted.legend, key => again(() => { view.chosen = key }))))
  parts.push(section('Block', el('p', { id: 'told', role: 'status', text: 'Point at a block or tap it.' })))
  const show = []
  const { low, high } = world
  if (high[1] > low[1]) {
    show.push(slider('Up to height', low[1], high[1], view.top, y => y === high[1] ? 'all' : `y = ${y}`, y => { view.top = y; refresh() }))
  }
  if (scene.log) {
    show.push(slider('Placed so far', 0, world.steps, world.step, n => `${n} of ${world.steps}`, n => { stop(); goTo(n) }))
    show.push(el('button', { type: 'button', id: 'play', text: view.playing ? 'Pause' : 'Play the building', onclick: play }))
  }
  show.push(tick('Lines between blocks', view.edges, on => { view.edges = on; refresh() }))
  show.push(tick('Ground', view.ground, on => { view.ground = on; stage && stage.showGround(on); refresh() }))
  if (view.paint !== 'material' || view.chosen !== null) show.push(tick('See through the other blocks', view.thin, on => { view.thin = on; refresh() }))
  parts.push(section('Show', ...show))
  panel.replaceChildren(...parts)
  if (stage) tell(view.picked)
  if (focused) focusAt(focused)
}

// The place of an element in the panel, so that the focus can go back there after the panel is made anew.
function pathTo (element) {
  const path = []
  for (; element !== panel; element = element.parentElement) path.unshift([...element.parentElement.children].indexOf(element))
  return path
}

function focusAt (path) {
  const found = path.reduce((at, n) => at && at.children[n], panel)
  if (found) found.focus()
}

function goTo (step) {
  world.replay(step)
  refresh()
}

function play () {
  if (view.playing) return stop()
  if (world.step === world.steps) world.replay(0)
  const jump = Math.max(1, Math.ceil(world.steps / (still.matches ? 10 : 240)))
  view.playing = setInterval(() => {
    goTo(Math.min(world.step + jump, world.steps))
    const input = panel.querySelector('input[aria-label="Placed so far"]')
    input.value = world.step
    input.previousElementSibling.textContent = `${world.step} of ${world.steps}`
    if (world.step === world.steps) stop()
  }, still.matches ? 1000 : 60)
  document.getElementById('play').textContent = 'Pause'
}

function stop () {
  clearInterval(view.playing)
  view.playing = 0
  const button = document.getElementById('play')
  if (button) button.textContent = 'Play the building'
}

function listen () {
  const place = event => {
    const box = canvas.getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }
  const pickAt = ([px, py]) => stage.pick(px / canvas.clientWidth * 2 - 1, 1 - py / canvas.clientHeight * 2, world, book, seen)
  let pressed = null
  canvas.addEventListener('pointerdown', event => { pressed = place(event) })
  canvas.addEventListener('pointermove', event => {
    if (event.pointerType === 'touch' || event.buttons) return
    const at = place(event)
    tell(pickAt(at), at)
  })
  canvas.addEventListener('pointerup', event => {
    const at = place(event)
    if (pressed && Math.hypot(at[0] - pressed[0], at[1] - pressed[1]) < 6) tell(pickAt(at), at)
    pressed = null
  })
  canvas.addEventListener('pointerleave', event => { if (event.pointerType !== 'touch') tip.hidden = true })
  const keys = {
    ArrowLeft: () => stage.turn(-0.12, 0), ArrowRight: () => stage.turn(0.12, 0),
    ArrowUp: () => stage.turn(0, 0.1), ArrowDown: () => stage.turn(0, -0.1),
    '+': () => stage.zoom(0.85), '=': () => stage.zoom(0.85), '-': () => stage.zoom(1.18),
    PageUp: () => stage.zoom(0.85), PageDown: () => stage.zoom(1.18),
    Home: () => stage.look('home'), Enter: () => tell(pickAt([canvas.clientWidth / 2, canvas.clientHeight / 2])),
    Escape: () => tell(-1)
  }
  const moves = {
    ArrowLeft: () => stage.move(-0.04, 0), ArrowRight: () => stage.move(0.04, 0),
    ArrowUp: () => stage.move(0, 0.04), ArrowDown: () => stage.move(0, -0.04)
  }
  canvas.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const action = (event.shiftKey && moves[event.key]) || keys[event.key]
    if (!action) return
    event.preventDefault()
    action()
  })
}

start()

// What the page shows now, for tests and for the curious.
window.mineceSelfCheck = {
  get turn () { return view.turn },
  get paint () { return view.paint },
  get step () { return world.step },
  get blocks () { return world.blocks },
  get shown () { return Array.from(world.state.subarray(0, world.count)).filter((s, i) => s >= 0 && seen(i)).length },
  get faces () { return mesh.faces },
  get rectangles () { return mesh.rectangles },
  get marks () { return view.marks },
  get told () { return document.getElementById('told').textContent },
  painted: colour => { // cells that have a colour now, [red, green, blue]
    let found = 0
    for (let i = 0; i < world.count; i++) {
      if (world.state[i] >= 0 && seen(i) && colour.every((v, k) => v === painted.colours[painted.code(i)][k])) found++
    }
    return found
  },
  pixels: () => stage.pixels()
}
