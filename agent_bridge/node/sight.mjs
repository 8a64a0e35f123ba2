// What the client sees: cells, boxes, and whether blocks have arrived.

import { load } from './packages.mjs'
import { Fault } from './faults.mjs'

const MOST_CELLS = 2 ** 24
const POLL_MS = 20
const COLUMN_MS = 5000
const OVERDUE_MS = 300

export class Sight {
  constructor (session) {
    const { Vec3 } = load('vec3')
    const { bot } = session
    this.session = session
    this.world = bot.world
    this.states = session.states
    this.low = bot.game.minY
    this.high = bot.game.minY + bot.game.height
    this.point = new Vec3(0, 0, 0)
    this.blocks = bot.registry.blocksByStateId
  }

  loaded (x, z) {
    return Boolean(this.world.getColumn(x >> 4, z >> 4))
  }

  /** The number of a cell's state, null where it is not loaded. */
  number (x, y, z) {
    const column = this.world.getColumn(x >> 4, z >> 4)
    if (!column) return null
    if (y < this.low || y >= this.high) return 0
    return column.getBlockStateId(this.point.set(x & 15, y, z & 15))
  }

  /** What is known of a cell's block, null where it is not loaded. */
  block ([x, y, z]) {
    const number = this.number(x, y, z)
    return number === null ? null : this.blocks[number]
  }

  /** Flies to where a column is loaded; false where that cannot be done in time. */
  async reach (x, z, until) {
    const { session } = this
    const { body } = session
    const last = Math.min(until, Date.now() + COLUMN_MS)
    while (!this.loaded(x, z)) {
      if (Date.now() > last) return false
      session.expect()
      const there = body.position.clone().set(x + 0.5, body.position.y, z + 0.5)
      const away = there.distanceTo(body.position)
      if (away > 1) await body.fly(session, this.#nearer(there, away), last)
      else body.stir()
      await session.sleep(POLL_MS)
      session.checkSilence()
    }
    return true
  }

  // A chunk at a time: what is looked for may come into view long before the bot is there.
  #nearer (there, away) {
    const { position } = this.session.body
    return away <= 16 ? there : position.plus(there.minus(position).scaled(16 / away))
  }

  async readBox ({ low, high, deadline_ms: ms }) {
    const until = Date.now() + ms
    const size = low.map((value, axis) => high[axis] - value + 1)
    const cells = size[0] * size[1] * size[2]
    if (!(size.every((side) => side > 0) && cells <= MOST_CELLS)) {
      throw new Fault('request', `a box of ${size.join(' x ')} cells cannot be read`)
    }
    const numbers = new Int32Array(cells)
    let columns = columnsOf(low, high)
    while (columns.length) {
      const rest = columns.filter((column) => !this.#copy(column, low, high, size, numbers))
      if (rest.length === columns.length) {
        const [x, z] = nearest(rest, this.session.body.position)
        if (!await this.reach(x, z, until)) throw this.unreachable([x, low[1], z])
      }
      columns = rest
    }
    return { size, ...this.#packed(numbers) }
  }

  unreachable (cell) {
    const what = `the server did not send what is at (${cell.join(', ')})`
    return new Fault('unreachable', what, 'check that it lies in the world and near enough')
  }

  #copy ([x0, z0], low, high, size, numbers) {
    const column = this.world.getColumn(x0 >> 4, z0 >> 4)
    if (!column) return false
    const endX = Math.min(high[0], (x0 | 15))
    const endZ = Math.min(high[2], (z0 | 15))
    for (let x = x0; x <= endX; x++) {
      for (let y = Math.max(low[1], this.low); y <= Math.min(high[1], this.high - 1); y++) {
        const row = ((x - low[0]) * size[1] + y - low[1]) * size[2] - low[2]
        for (let z = z0; z <= endZ; z++) numbers[row + z] = column.getBlockStateId(this.point.set(x & 15, y, z & 15))
      }
    }
    return true
  }

  #packed (numbers) {
    const palette = []
    const places = new Map()
    const runs = []
    for (let i = 0; i < numbers.length;) {
      const number = numbers[i]
      let place = places.get(number)
      if (place === undefined) {
        places.set(number, place = palette.length)
        palette.push(this.states.text(number))
      }
      const start = i
      while (i < numbers.length && numbers[i] === number) i++
      runs.push(i - start, place)
    }
    return { palette, runs }
  }

  /** Positions of the cells that were not seen in their state by the deadline. */
  async awaitStates ({ palette, cells, index, deadline_ms: ms }) {
    const until = Date.now() + ms
    const wanted = palette.map((text) => this.#numberOf(text))
    let missing = index.map((_, i) => i)
    for (let seen = Date.now(); ;) {
      const before = missing.length
      const away = []
      missing = missing.filter((i) => {
        const number = this.number(cells[3 * i], cells[3 * i + 1], cells[3 * i + 2])
        if (number === null) away.push([cells[3 * i], cells[3 * i + 2]])
        return number === null || number !== wanted[index[i]]
      })
      if (!missing.length || Date.now() > until) return { missing }
      if (missing.length < before) seen = Date.now()
      // Those in sight first: what is on its way to them arrives soon.
      if (away.length && (away.length === missing.length || Date.now() - seen > OVERDUE_MS)) {
        await this.reach(...nearest(away, this.session.body.position), until)
        seen = Date.now()
      }
      await this.session.sleep(POLL_MS)
    }
  }

  #numberOf (text) {
    try { return this.states.number(text) } catch { return -1 }
  }
}

/** The lowest cells of a box in each of its columns. */
function columnsOf (low, high) {
  const out = []
  for (let x = low[0]; x <= high[0]; x = (x | 15) + 1) {
    for (let z = low[2]; z <= high[2]; z = (z | 15) + 1) out.push([x, z])
  }
  return out
}

function nearest (places, { x, z }) {
  const away = ([px, pz]) => Math.hypot(px - x, pz - z)
  return places.reduce((best, place) => away(place) < away(best) ? place : best)
}
