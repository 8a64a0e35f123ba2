// The blocks of the world: written at once, told to every player who sees them, and logged.

import { CodedError } from './lines.mjs'
import { load } from './packages.mjs'

const { Vec3 } = load('vec3')

const PAGE = 200_000 // changes in one reply
const SWEEP = 200 // ticks

/** The stock flat world; its columns are alike, and copying one is much quicker than making it. */
export function flatWorld (stock) {
  return (options) => {
    const sample = stock(options)()
    const json = sample.toJson()
    return () => sample.constructor.fromJson(json)
  }
}

export class Plot {
  constructor (serv, states) {
    this.serv = serv
    this.states = states
    this.world = serv.overworld
    this.log = []
    this.who = ['']
    this.turn = Promise.resolve()
    // Blocks are what was put there: nothing burns, flows, falls or powers its neighbour.
    serv.updateBlock = serv.notifyNeighborsOfStateChange = serv.notifyNeighborsOfStateChangeDirectional = () => {}
    serv.setBlock = async (world, at, number) => {
      if (world === this.world) this.write([[at.x, at.y, at.z, number]], '')
    }
    // A world without a folder would forget what was built where no player is near; and two who ask for a column at
    // once would get two, of which one is lost with all that is written into it.
    this.world.unloadColumn = () => {}
    this.world.getColumn = async (x, z) => this.#column(x, z)
    this.touched = new Set()
    serv.on('tick', (_seconds, tick) => {
      if (tick % SWEEP === 0) this.inTurn(() => this.#forget())
    })
  }

  /** Do one thing after another: what players wish and what Python sets must not mix. */
  inTurn (work) {
    const done = this.turn.then(work)
    this.turn = done.catch(() => {})
    return done
  }

  set (palette, cells, index) {
    return this.inTurn(() => {
      const numbers = palette.map((text) => this.states.number(text))
      return this.write(index.map((state, i) => [cells[3 * i], cells[3 * i + 1], cells[3 * i + 2], numbers[state]]), '')
    })
  }

  read ([x, y, z]) {
    const column = this.#column(x >> 4, z >> 4)
    return this.#high(column, y) ? 0 : column.getBlockStateId(new Vec3(x & 15, y, z & 15))
  }

  /** Write changes [x, y, z, number]; returns how many cells are different now. */
  write (changes, player) {
    const columns = this.#columns(changes)
    const tick = this.serv.tickCount
    const who = this.#number(player)
    const sections = new Map()
    let changed = 0
    for (const [x, y, z, number] of changes) {
      const column = columns.get(key(x, z))
      const place = new Vec3(x & 15, y, z & 15)
      if (column.getBlockStateId(place) === number) continue
      column.setBlockStateId(place, number)
      this.touched.add(key(x, z))
      this.log.push(tick, who, x, y, z, number)
      changed++
      const name = `${x >> 4},${y >> 4},${z >> 4}`
      let section = sections.get(name)
      if (!section) sections.set(name, section = { x: x >> 4, y: y >> 4, z: z >> 4, cells: new Map() })
      section.cells.set((x & 15) << 8 | (z & 15) << 4 | (y & 15), number)
    }
    for (const section of sections.values()) this.#tell(section)
    return changed
  }

  /** Tell a player what is in a cell that he may be wrong about. */
  tell (player, [x, y, z]) {
    const column = this.#seenBy(player, x >> 4, z >> 4) && this.world.getLoadedColumn(x >> 4, z >> 4)
    if (!column || this.#high(column, y)) return
    const number = column.getBlockStateId(new Vec3(x & 15, y, z & 15))
    player._client.write('block_change', { location: new Vec3(x, y, z), type: number })
  }

  changesFrom (from) {
    const log = this.log.slice(6 * from, 6 * (from + PAGE))
    const palette = new Map()
    for (let i = 5; i < log.length; i += 6) {
      let at = palette.get(log[i])
      if (at === undefined) palette.set(log[i], at = palette.size)
      log[i] = at
    }
    return {
      log,
      palette: [...palette.keys()].map((number) => this.states.text(number)),
      who: this.who,
      total: this.log.length / 6
    }
  }

  /** Drop what nobody built in and nobody sees, so that a long flight does not fill the memory. */
  #forget () {
    for (const name of Object.keys(this.world.columns)) {
      const [x, z] = name.split(',').map(Number)
      if (this.touched.has(name) || this.serv.players.some((player) => this.#seenBy(player, x, z))) continue
      this.world.forceUnloadColumn(name, x, z)
    }
  }

  #column (x, z) {
    if (!this.world.getLoadedColumn(x, z)) this.world.setLoadedColumn(x, z, this.world.chunkGenerator(x, z), false)
    return this.world.getLoadedColumn(x, z)
  }

  #columns (changes) {
    const columns = new Map()
    for (const [x, y, z] of changes) {
      const name = key(x, z)
      if (!columns.has(name)) columns.set(name, this.#column(x >> 4, z >> 4))
      if (this.#high(columns.get(name), y)) throw new CodedError('height', `the world has no cell ${x}, ${y}, ${z}`)
    }
    return columns
  }

  #high (column, y) {
    return y < column.minY || y >= column.minY + column.worldHeight
  }

  #number (player) {
    const at = this.who.indexOf(player)
    return at >= 0 ? at : this.who.push(player) - 1
  }

  #seenBy (player, x, z) {
    return player.world === this.world && player.loadedChunks?.[`${x},${z}`] !== undefined
  }

  #tell ({ x, y, z, cells }) {
    const records = [...cells].map(([place, number]) => number << 12 | place)
    for (const player of this.serv.players) {
      if (!this.#seenBy(player, x, z)) continue
      if (records.length > 1) {
        player._client.write('multi_block_change', { chunkCoordinates: { x, y, z }, notTrustEdges: false, records })
        continue
      }
      const [[place, number]] = cells
      const location = new Vec3(16 * x + (place >> 8), 16 * y + (place & 15), 16 * z + (place >> 4 & 15))
      player._client.write('block_change', { location, type: number })
    }
  }
}

function key (x, z) {
  return `${x >> 4},${z >> 4}`
}
