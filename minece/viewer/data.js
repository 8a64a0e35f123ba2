// The page's content, unpacked: `book.turns[i]` has typed arrays; a World is one turn's cells with a way to find them.

const TYPES = { b: Int8Array, h: Int16Array, i: Int32Array }

function bytes (text) {
  const letters = atob(text)
  const out = new Uint8Array(letters.length)
  for (let i = 0; i < letters.length; i++) out[i] = letters.charCodeAt(i)
  return out
}

const numbers = text => new TYPES[text[0]](bytes(text.slice(1)).buffer)

const cellsOf = packed => packed.map(numbers) // [xs, ys, zs]

function readBook () {
  const book = JSON.parse(document.getElementById('content').textContent)
  book.states = book.states.map(([text, colour, opacity, shape]) => ({
    text, colour, opacity, shape, material: text.split('[')[0]
  }))
  for (const turn of book.turns) {
    turn.cells = cellsOf(turn.cells)
    turn.states = numbers(turn.states)
    turn.dug = cellsOf(turn.dug)
    if (turn.log) {
      turn.log.cells = cellsOf(turn.log.cells)
      turn.log.states = numbers(turn.log.states)
    }
    for (const verdict of turn.verdicts) {
      verdict.marked = bytes(verdict.marked)
      verdict.empty = cellsOf(verdict.empty)
    }
    for (const field of turn.fields) field.values = new Float32Array(bytes(field.values).buffer)
  }
  return book
}

const isMarked = (verdict, block) => (verdict.marked[block >> 3] >> (block & 7)) & 1

const MOST_DENSE = 1 << 24

// Finds a cell's number by its place: a table over the box, or a map where the box is mostly air.
class Grid {
  constructor (low, high) {
    this.low = low.map(v => v - 1)
    this.size = high.map((v, axis) => v - low[axis] + 3)
    const volume = this.size[0] * this.size[1] * this.size[2]
    this.table = volume <= MOST_DENSE ? new Int32Array(volume).fill(-1) : null
    this.map = this.table ? null : new Map()
  }

  key (x, y, z) {
    const [x0, y0, z0] = this.low
    const [sx, sy, sz] = this.size
    const i = x - x0
    const j = y - y0
    const k = z - z0
    return i < 0 || j < 0 || k < 0 || i >= sx || j >= sy || k >= sz ? -1 : (i * sy + j) * sz + k
  }

  get (x, y, z) {
    const key = this.key(x, y, z)
    if (key < 0) return -1
    if (this.table) return this.table[key]
    const found = this.map.get(key)
    return found === undefined ? -1 : found
  }

  set (x, y, z, number) {
    if (this.table) this.table[this.key(x, y, z)] = number
    else this.map.set(this.key(x, y, z), number)
  }
}

// The least and the greatest coordinates of all cells.
function boundsOf (groups) {
  const low = [0, 0, 0]
  const high = [-1, -1, -1]
  const filled = groups.filter(cells => cells[0].length)
  for (let axis = 0; axis < 3 && filled.length; axis++) {
    low[axis] = Math.min(...filled.map(cells => cells[axis].reduce((a, b) => Math.min(a, b))))
    high[axis] = Math.max(...filled.map(cells => cells[axis].reduce((a, b) => Math.max(a, b))))
  }
  return [low, high]
}

// The cells of one turn: first the finished blocks, then those that only the log touches. `state[i]` is what is in
// cell i now (-1: nothing), `placed[i]` the number of the event that put it there (-1: not in the log).
class World {
  constructor (turn) {
    this.turn = turn
    this.blocks = turn.blocks
    const touched = [turn.cells, ...(turn.log ? [turn.log.cells] : [])]
    const [low, high] = boundsOf(touched)
    this.low = low
    this.high = high
    this.framed = boundsOf(turn.blocks ? [turn.cells] : touched) // what the picture is made for
    this.grid = new Grid(low, high)
    const most = turn.blocks + (turn.log ? turn.log.states.length : 0)
    this.x = new Int32Array(most)
    this.y = new Int32Array(most)
    this.z = new Int32Array(most)
    this.count = 0
    const add = (x, y, z) => {
      const i = this.count++
      this.x[i] = x
      this.y[i] = y
      this.z[i] = z
      this.grid.set(x, y, z, i)
      return i
    }
    for (let i = 0; i < turn.blocks; i++) add(turn.cells[0][i], turn.cells[1][i], turn.cells[2][i])
    this.state = new Int32Array(most).fill(-1)
    this.placed = new Int32Array(most).fill(-1)
    this.steps = 0
    if (turn.log) {
      const [xs, ys, zs] = turn.log.cells
      this.event = new Int32Array(xs.length)
      for (let e = 0; e < xs.length; e++) {
        const found = this.grid.get(xs[e], ys[e], zs[e])
        this.event[e] = found < 0 ? add(xs[e], ys[e], zs[e]) : found
      }
      this.steps = xs.length
    }
    this.holes = new Set()
    for (let i = 0; i < turn.dug[0].length; i++) {
      this.holes.add(`${turn.dug[0][i]},${turn.dug[1][i]},${turn.dug[2][i]}`)
    }
    this.replay(this.steps)
    this.order = this.placed.slice(0, this.blocks)
  }

  // Put the cells into the state after so many events of the log.
  replay (step) {
    this.step = step
    const { turn, state, placed } = this
    state.fill(-1)
    placed.fill(-1)
    state.set(turn.states)
    if (!turn.log) return
    for (let e = 0; e < this.steps; e++) state[this.event[e]] = -1 // what the log never touches stands throughout
    for (let e = 0; e < step; e++) {
      const i = this.event[e]
      const next = turn.log.states[e]
      if (state[i] === next) continue
      state[i] = next
      placed[i] = next < 0 ? -1 : e
    }
    if (step === this.steps) state.set(turn.states)
  }
}
