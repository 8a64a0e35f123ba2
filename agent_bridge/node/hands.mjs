// Placing and breaking as a player does: fly there, take the item in hand, look, click, see what the server says.

import { load } from './packages.mjs'
import { Fault } from './faults.mjs'
import { EYE, bodyCells, bodyMeets } from './body.mjs'

const REACH = 4
const FLIGHT_MS = 5000
const SLOT = 36 // the first of the hotbar
const DISTANCES = [3.5, 3, 2.5, 2, 3.9]
const OFFSETS = offsets()
const FACES = [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [-1, 0, 0], [1, 0, 0]]
const NEIGHBOURS = [0, 2, 3, 4, 5, 1] // below, the sides, above
const AIRS = new Set(['air', 'cave_air', 'void_air'])
const FLUIDS = new Set(['water', 'lava', 'bubble_column'])
// What gives way to a placed block.
const REPLACED = new Set([
  ...AIRS, ...FLUIDS, 'short_grass', 'grass', 'tall_grass', 'fern', 'large_fern', 'dead_bush', 'bush', 'seagrass',
  'tall_seagrass', 'short_dry_grass', 'tall_dry_grass', 'leaf_litter', 'fire', 'soul_fire', 'vine', 'glow_lichen',
  'hanging_roots', 'crimson_roots', 'warped_roots', 'nether_sprouts', 'structure_void', 'light', 'snow'
])

export class Hands {
  constructor (session, sight, answers) {
    const { bot } = session
    this.session = session
    this.bot = bot
    this.body = session.body
    this.sight = sight
    this.answers = answers
    this.Vec3 = load('vec3').Vec3
    this.Item = load('prismarine-item')(bot.registry)
  }

  /** Does one thing after the other for as long as `budget_ms` allows, at least one; results of those done. */
  async inTurn (wishes, work, { hand_ms: ms, budget_ms: budget }) {
    const until = Date.now() + budget
    const results = []
    for (const wish of wishes) {
      if (results.length && Date.now() > until) break
      results.push(await work.call(this, wish, ms))
      this.session.check()
    }
    return { results }
  }

  /** Clicks with an item exactly as asked. */
  async place ({ item, on, face, cursor, yaw, pitch, cell }, ms) {
    return this.#use(item, on, face, cursor, () => [yaw, pitch], cell, ms)
  }

  /** Places an item into a cell against whatever is beside it. */
  async fill (item, cell, ms) {
    if (!await this.#reach(cell)) return refused('out of reach')
    const there = this.sight.block(cell)
    if (there.name === item) return refused('same block already there')
    if (!REPLACED.has(there.name)) return refused('cell taken')
    for (const side of NEIGHBOURS) {
      const on = cell.map((value, axis) => value + FACES[side][axis])
      const block = this.sight.block(on)
      if (!block || REPLACED.has(block.name)) continue
      const face = side ^ 1
      const cursor = FACES[face].map((value) => 0.5 + value / 2)
      return this.#use(item, on, face, cursor, (point) => this.body.towards(point), cell, ms)
    }
    return refused('nothing to place on')
  }

  /** Breaks a block. */
  async dig (cell, ms) {
    if (!await this.#reach(cell)) return refused('out of reach')
    const before = this.sight.block(cell).name
    if (AIRS.has(before)) return refused('nothing to break')
    const middle = new this.Vec3(...cell).offset(0.5, 0.5, 0.5)
    return this.#patiently(async () => {
      if (!await this.#stand(middle, cell, () => this.body.towards(middle))) return refused('out of reach')
      const { body, bot } = this
      const [yaw, pitch] = body.towards(middle)
      body.look(yaw, pitch)
      const away = body.eye.minus(middle)
      const axis = ['x', 'y', 'z'].reduce((a, b) => Math.abs(away[b]) > Math.abs(away[a]) ? b : a)
      const face = { x: 4, y: 0, z: 2 }[axis] + (away[axis] > 0 ? 1 : 0)
      return this.#act((sequence) => {
        bot.swingArm('right')
        bot._client.write('block_dig', { status: 0, location: position(cell), face, sequence })
      }, cell, cell, ({ name }) => AIRS.has(name) || (FLUIDS.has(name) && name !== before) ? '' : 'refused by the server', ms)
    })
  }

  async #use (item, on, face, cursor, look, cell, ms) {
    const kind = this.bot.registry.itemsByName[item]
    if (!kind) return refused('no such block')
    if (!await this.#reach(cell) || !await this.#reach(on)) return refused('out of reach')
    if (AIRS.has(this.sight.block(on).name)) return refused('nothing to place on')
    const before = this.sight.block(cell).name
    const point = new this.Vec3(...on.map((value, axis) => value + cursor[axis]))
    return this.#patiently(async () => {
      if (!await this.#stand(point, cell, () => look(point))) return refused('out of reach')
      this.#hold(kind)
      this.body.look(...look(point))
      return this.#act((sequence) => {
        this.bot.swingArm('right')
        this.bot._client.write('block_place', {
          hand: 0,
          location: position(on),
          direction: face,
          cursorX: cursor[0],
          cursorY: cursor[1],
          cursorZ: cursor[2],
          insideBlock: false,
          worldBorderHit: false,
          sequence
        })
      }, on, on.map((value, axis) => value + FACES[face][axis]), (block, changes) => {
        if (changes.some(([x, y, z]) => same([x, y, z], cell) || same([x, y, z], on))) return ''
        if (block.name === item) return 'same block already there'
        return REPLACED.has(before) ? 'refused by the server' : 'cell taken'
      }, ms, cell)
    })
  }

  async #act (send, clicked, target, verdict, ms, cell = target) {
    const start = performance.now()
    const { answered, changes } = await this.answers.to(send, clicked, target, ms)
    if (!answered) this.session.checkSilence()
    const block = this.sight.block(cell)
    let reason = block ? verdict(block, changes) : 'out of reach'
    if (reason && !answered) reason = 'no answer'
    return { done: !reason, reason, changes, ms: Math.round(performance.now() - start) }
  }

  // A server that does not let the bot fly as it likes puts it back, and then a click is out of reach.
  async #patiently (attempt) {
    const { body } = this
    const { corrections } = body
    const result = await attempt()
    if (result.done || corrections === body.corrections) return result
    body.slowDown()
    return attempt()
  }

  async #reach ([x, , z]) {
    return this.sight.reach(x, z, Infinity)
  }

  #hold (kind) {
    const { bot } = this
    if (bot.quickBarSlot !== 0) bot.setQuickBarSlot(0)
    if (bot.inventory.slots[SLOT]?.type === kind.id) return
    const item = new this.Item(kind.id, 1)
    bot._client.write('set_creative_slot', { slot: SLOT, item: this.Item.toNotch(item) })
    // Not the library's way, which waits for an answer that newer servers do not give.
    bot._setSlot(SLOT, item)
  }

  /** Goes to where a point can be clicked and the body is out of the way; stays where that is so already. */
  async #stand (point, cell, look) {
    const { body } = this
    if (suits(body.position, point, cell)) return true
    const places = this.#places(point, cell, look)
    const found = places.find((place) => this.#free(place)) ?? places[0]
    if (!found) throw new Fault('internal', `no place to stand for (${cell.join(', ')})`)
    await body.fly(this.session, found, Date.now() + FLIGHT_MS)
    return suits(body.position, point, cell)
  }

  /** Places from which the point lies straight ahead, then others, the nearest first. */
  #places (point, cell, look) {
    const [yaw, pitch] = look().map((degrees) => degrees * Math.PI / 180)
    const ahead = new this.Vec3(-Math.sin(yaw) * Math.cos(pitch), -Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch))
    const feet = point.offset(0, -EYE, 0)
    const straight = DISTANCES.map((far) => feet.minus(ahead.scaled(far)))
    const { position } = this.body
    const around = OFFSETS.map(([x, y, z]) => feet.offset(x, y, z))
      .sort((a, b) => a.distanceSquared(position) - b.distanceSquared(position))
    return [...straight, ...around].filter((place) => suits(place, point, cell))
  }

  #free (place) {
    for (const cell of bodyCells(place)) {
      if (this.sight.block(cell)?.boundingBox !== 'empty') return false
    }
    return true
  }
}

// The other half of a door stands above, that of a bed beside the cell.
const suits = (place, point, [x, y, z]) => place.offset(0, EYE, 0).distanceTo(point) <= REACH &&
  !bodyMeets(place, [x - 1, y, z - 1], [x + 1, y + 1, z + 1])

const refused = (reason) => ({ done: false, reason, changes: [], ms: 0 })
const position = ([x, y, z]) => ({ x, y, z })
const same = (a, b) => a.every((value, axis) => value === b[axis])

function offsets () {
  const out = []
  const steps = [-3.5, -2.5, -1.5, 0, 1.5, 2.5, 3.5]
  for (const x of steps) {
    for (const y of steps) for (const z of steps) out.push([x, y, z])
  }
  return out.filter((offset) => Math.hypot(...offset) < REACH)
}
