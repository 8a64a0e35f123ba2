// What a program finds in its sandbox: skills, world, bot, Vec3, log, and a clock and chance that repeat.
//
// Evaluated in the sandbox before the program, as a function of host(name, ...plain values) -> JSON text, the seed and
// the builder's name. Programs may change every built-in object afterwards. What the runner relies on (refuse, refused,
// describe) therefore uses only what is captured here, and no syntax that looks up methods: no for-of, no spread, no
// destructuring of arrays.
(function (host, seed, username) {
  'use strict'

  const { apply, construct, ownKeys } = Reflect
  const { create, defineProperty, freeze } = Object
  const { parse: parseJson, stringify } = JSON
  const { floor, imul, sqrt, abs, max, min, PI } = Math
  const { isArray } = Array
  const isFinite = Number.isFinite
  const unbound = Function.prototype.call.bind.bind(Function.prototype.call)
  const slice = unbound(String.prototype.slice)
  const indexOf = unbound(String.prototype.indexOf)
  const has = unbound(WeakSet.prototype.has)
  const add = unbound(WeakSet.prototype.add)
  const push = unbound(Array.prototype.push)
  const exec = unbound(RegExp.prototype.exec)
  const BaseError = Error
  const text = String

  const LONGEST_WORD = 1024
  const LONGEST_LINE = 70000
  const MOST_TYPES = 64

  const ask = (...args) => parseJson(apply(host, undefined, args))

  // ---- values that go to the host are plain: never an object whose code would run there

  const number = (value) => (typeof value === 'number' ? value : undefined)
  const word = (value) => (typeof value === 'string' ? slice(value, 0, LONGEST_WORD) : undefined)

  const words = (value) => {
    if (typeof value === 'string') return word(value)
    if (!isArray(value)) return undefined
    let out = ''
    for (let i = 0; i < value.length && i < MOST_TYPES; i++) {
      if (typeof value[i] === 'string') out += (out && ',') + slice(value[i], 0, 64)
    }
    return out
  }

  const shown = (value) => {
    try {
      if (typeof value === 'string') return value
      if (typeof value !== 'object' || value === null) return text(value)
      if (value instanceof BaseError) return `${value.name}: ${value.message}`
      if (value instanceof Vec3) return value.toString()
      return stringify(value) ?? text(value)
    } catch {
      return '[value]'
    }
  }

  // ---- what is not offered

  const refusals = new WeakSet()
  const asked = create(null)

  class FeatureRefused extends BaseError {
    constructor(feature) {
      super(`${feature} is not offered to programs`)
      defineProperty(this, 'name', { value: 'FeatureRefused', configurable: true })
    }
  }

  const refuse = (feature) => {
    asked[feature] = (asked[feature] ?? 0) + 1
    const error = new FeatureRefused(feature)
    add(refusals, error)
    return error
  }

  const global = globalThis
  const offer = (name, value) =>
    defineProperty(global, name, { value, writable: true, enumerable: false, configurable: true })

  const refuseCall = (name) => offer(name, { [name]: function () { throw refuse(name) } }[name])

  const refuseUse = (name, callable) => {
    const handler = create(null)
    const trap = () => { throw refuse(name) }
    for (const key of ownKeys(Reflect)) handler[key] = trap
    offer(name, new Proxy(callable ? function () {} : {}, handler))
  }

  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'requestAnimationFrame', 'require', 'fetch']) {
    refuseCall(name)
  }
  for (const name of ['process', 'WebAssembly', 'Deno', 'Bun']) refuseUse(name, false)
  for (const name of ['Buffer', 'Worker', 'XMLHttpRequest', 'WebSocket']) refuseUse(name, true)
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) offer(name, () => {})

  // ---- chance and time repeat

  let dice = seed | 0
  Math.random = function random() {
    dice = (dice + 0x6d2b79f5) | 0
    let t = imul(dice ^ (dice >>> 15), 1 | dice)
    t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  const RealDate = Date
  const START = RealDate.UTC(2024, 0, 1)
  let clock = START
  const FARTHEST = RealDate.UTC(9999, 0, 1)
  const later = (ms) => { clock = min(FARTHEST, clock + floor(max(0, isFinite(ms) ? ms : 0))) }
  // A program that waits for the time to pass must get to its end, so looking at the clock moves it.
  const now = () => { later(1); return clock }
  const showDate = unbound(RealDate.prototype.toString)
  const SeededDate = function Date(...args) {
    if (!new.target) return showDate(new RealDate(now()))
    return construct(RealDate, args.length ? args : [now()], new.target)
  }
  defineProperty(SeededDate, 'prototype', { value: RealDate.prototype, writable: false })
  defineProperty(SeededDate, 'length', { value: 7 })
  RealDate.prototype.constructor = SeededDate
  SeededDate.now = now
  SeededDate.parse = RealDate.parse
  SeededDate.UTC = RealDate.UTC
  offer('Date', SeededDate)
  offer('performance', freeze({ now: () => now() - START }))

  // ---- Vec3, as the vec3 package has it

  const coordinate = (value) => (value === undefined || value === null ? 0 : +value)

  class Vector {
    constructor(x, y, z) {
      this.x = coordinate(x)
      this.y = coordinate(y)
      this.z = coordinate(z)
    }

    isZero() { return this.x === 0 && this.y === 0 && this.z === 0 }
    at(id) { return this.toArray()[id] }
    set(x, y, z) { this.x = x; this.y = y; this.z = z; return this }
    update(other) { return this.set(other.x, other.y, other.z) }
    clone() { return new Vec3(this.x, this.y, this.z) }
    offset(dx, dy, dz) { return new Vec3(this.x + dx, this.y + dy, this.z + dz) }
    plus(other) { return this.offset(other.x, other.y, other.z) }
    add(other) { return this.set(this.x + other.x, this.y + other.y, this.z + other.z) }
    minus(other) { return this.offset(-other.x, -other.y, -other.z) }
    subtract(other) { return this.set(this.x - other.x, this.y - other.y, this.z - other.z) }
    translate(dx, dy, dz) { return this.set(this.x + dx, this.y + dy, this.z + dz) }
    scaled(factor) { return new Vec3(this.x * factor, this.y * factor, this.z * factor) }
    scale(factor) { return this.set(this.x * factor, this.y * factor, this.z * factor) }
    multiply(other) { return this.set(this.x * other.x, this.y * other.y, this.z * other.z) }
    divide(other) { return this.set(this.x / other.x, this.y / other.y, this.z / other.z) }
    floored() { return new Vec3(floor(this.x), floor(this.y), floor(this.z)) }
    floor() { return this.set(floor(this.x), floor(this.y), floor(this.z)) }
    rounded() { return new Vec3(Math.round(this.x), Math.round(this.y), Math.round(this.z)) }
    round() { return this.update(this.rounded()) }
    abs() { return new Vec3(abs(this.x), abs(this.y), abs(this.z)) }
    min(other) { return new Vec3(min(this.x, other.x), min(this.y, other.y), min(this.z, other.z)) }
    max(other) { return new Vec3(max(this.x, other.x), max(this.y, other.y), max(this.z, other.z)) }
    modulus(other) { return new Vec3(modulo(this.x, other.x), modulo(this.y, other.y), modulo(this.z, other.z)) }
    volume() { return this.x * this.y * this.z }
    norm() { return sqrt(this.dot(this)) }
    dot(other) { return this.x * other.x + this.y * other.y + this.z * other.z }
    innerProduct(other) { return this.dot(other) }
    cross(other) {
      return new Vec3(this.y * other.z - this.z * other.y, this.z * other.x - this.x * other.z,
        this.x * other.y - this.y * other.x)
    }
    unit() { const length = this.norm(); return length ? this.scaled(1 / length) : this.clone() }
    normalize() { return this.update(this.unit()) }
    distanceSquared(other) { const d = this.minus(other); return d.dot(d) }
    distanceTo(other) { return sqrt(this.distanceSquared(other)) }
    manhattanDistanceTo(other) { const d = this.minus(other).abs(); return d.x + d.y + d.z }
    xyDistanceTo(other) { return this.offset(-other.x, -other.y, -this.z).norm() }
    xzDistanceTo(other) { return this.offset(-other.x, -this.y, -other.z).norm() }
    yzDistanceTo(other) { return this.offset(-this.x, -other.y, -other.z).norm() }
    equals(other, error = 0) {
      return abs(this.x - other.x) <= error && abs(this.y - other.y) <= error && abs(this.z - other.z) <= error
    }
    toArray() { return [this.x, this.y, this.z] }
    toString() { return `(${this.x}, ${this.y}, ${this.z})` }
  }

  const modulo = (a, b) => ((a % b) + b) % b

  function Vec3(x, y, z) {
    let out
    if (isArray(x)) out = new Vector(x[0], x[1], x[2])
    else if (typeof x === 'object' && x !== null) out = new Vector(x.x, x.y, x.z)
    else if (typeof x === 'string') {
      const found = exec(/^\s*\(?\s*([^,\s]+)\s*,\s*([^,\s]+)\s*,\s*([^,\s)]+)\s*\)?\s*$/, x)
      out = found ? new Vector(found[1], found[2], found[3]) : new Vector(NaN, NaN, NaN)
    } else out = new Vector(x, y, z)
    return out
  }
  Vec3.prototype = Vector.prototype
  defineProperty(Vector.prototype, 'constructor', { value: Vec3, writable: true, configurable: true })
  Vec3.Vec3 = Vec3
  offer('Vec3', Vec3)
  offer('vec3', Vec3)

  // ---- blocks

  const properties = (state) => {
    const out = {}
    const open = indexOf(state, '[')
    if (open < 0) return out
    let rest = slice(state, open + 1, -1)
    while (rest) {
      const comma = indexOf(rest, ',')
      const part = comma < 0 ? rest : slice(rest, 0, comma)
      rest = comma < 0 ? '' : slice(rest, comma + 1)
      const equals = indexOf(part, '=')
      const value = slice(part, equals + 1)
      const typed = value === 'true' ? true : value === 'false' ? false : exec(/^\d+$/, value) ? +value : value
      const entry = { __proto__: null, value: typed, writable: true, enumerable: true, configurable: true }
      defineProperty(out, slice(part, 0, equals), entry)
    }
    return out
  }

  class Block {
    constructor(x, y, z, state, solid) {
      const open = indexOf(state, '[')
      this.position = new Vec3(x, y, z)
      this.name = open < 0 ? state : slice(state, 0, open)
      this.displayName = this.name
      this.state = state
      this.boundingBox = solid ? 'block' : 'empty'
      this.diggable = state !== 'air'
    }

    getProperties() { return properties(this.state) }
    get _properties() { return properties(this.state) }
  }

  const block = (row) => new Block(row[0], row[1], row[2], row[3], row[4])

  const blocks = (rows) => {
    const out = []
    for (let i = 0; i < rows.length; i++) push(out, block(rows[i]))
    return out
  }

  const blockAt = (x, y, z) => {
    const row = ask('blockAt', number(x), number(y), number(z))
    return row && block(row)
  }

  const point = (row) => new Vec3(row[0], row[1], row[2])
  const position = () => point(ask('position'))
  const near = (types, distance, count) => blocks(ask('near', words(types), number(distance), number(count)))

  // ---- world: looks, at once

  const world = {
    getPosition: (bot) => position(),
    getBlockAtPosition: (bot, x = 0, y = 0, z = 0) => {
      const at = position()
      return blockAt(at.x + x, at.y + y, at.z + z) ?? { name: 'air' }
    },
    getNearestFreeSpace: (bot, size = 1, distance = 8) => {
      const found = ask('freeSpace', number(size), number(distance))
      return found ? point(found) : undefined
    },
    getSurroundingBlocks: (bot) => {
      const at = (y) => world.getBlockAtPosition(bot, 0, y, 0).name
      return [`Block Below: ${at(-1)}`, `Block at Legs: ${at(0)}`, `Block at Head: ${at(1)}`]
    },
    getFirstBlockAboveHead: (bot, ignored = null, distance = 32) => ask('aboveHead', words(ignored), number(distance)),
    getNearestBlocks: (bot, types = null, distance = 16, count = 10000) => near(types, distance, count),
    getNearestBlock: (bot, type, distance = 16) => near(type, distance, 1)[0] ?? null,
    getNearestBlocksWhere: (bot, predicate, distance = 8, count = 10000) => {
      const out = []
      const all = near(null, distance, 10000)
      for (let i = 0; i < all.length && out.length < count; i++) if (predicate(all[i])) push(out, all[i])
      return out
    },
    getInventoryStacks: (bot) => items(),
    getInventoryCounts: (bot) => ask('inventory'),
    getCraftableItems: (bot) => [],
    getNearbyEntities: (bot, maxDistance = 16) => [],
    getNearbyEntityTypes: (bot) => [],
    getNearestEntityWhere: (bot, predicate, maxDistance = 16) => null,
    getNearbyPlayers: (bot, maxDistance = 16) => [],
    getNearbyPlayerNames: (bot) => [],
    getVillagerProfession: (entity) => 'none',
    getNearbyBlockTypes: (bot, distance = 16) => ask('nearTypes', number(distance)),
    getBiomeName: (bot) => 'plains',
    isClearPath: async (bot, target) => true,
    isEntityType: (name) => false,
    shouldPlaceTorch: (bot) => false
  }

  // ---- skills: acts. Their bodies run when they are called, so that effects keep the order of the calls.

  const say = (message) => { ask('log', slice(message, 0, LONGEST_LINE)) }

  const act = (name, kinds) => ({
    async [name](bot, ...args) {
      const plain = [name]
      for (let i = 0; i < kinds.length; i++) plain[i + 1] = kinds[i](args[i])
      return parseJson(apply(host, undefined, plain))
    }
  })[name]

  const pause = (name, unit, usual) => ({
    async [name](bot, amount = usual) {
      later(amount * unit)
      return ask('wait')
    }
  })[name]

  const n = number
  const skills = {
    placeBlock: act('placeBlock', [word, n, n, n, word]),
    breakBlockAt: act('breakBlockAt', [n, n, n]),
    setBlock: act('setBlock', [word, n, n, n]),
    fill: act('fill', [word, n, n, n, n, n, n]),
    goToPosition: act('goToPosition', [n, n, n]),
    goToNearestBlock: act('goToNearestBlock', [word, n, n]),
    moveAway: act('moveAway', [n]),
    digDown: act('digDown', [n]),
    equip: act('equip', [word]),
    discard: act('discard', [word]),
    activateNearestBlock: act('activateNearestBlock', [word]),
    tillAndSow: act('tillAndSow', [n, n, n, word]),
    useDoor: async (bot, door = null) => ask('useDoor', number(door?.x), number(door?.y), number(door?.z)),
    wait: pause('wait', 1, 0),
    stay: pause('stay', 1000, 30),
    log: (bot, message) => log(bot, message)
  }
  const NOT_OFFERED = [
    'craftRecipe', 'smeltItem', 'clearNearestFurnace', 'collectBlock', 'pickupNearbyItems', 'attackNearest',
    'attackEntity', 'defendSelf', 'putInChest', 'takeFromChest', 'viewChest', 'consume', 'giveToPlayer',
    'goToNearestEntity', 'goToPlayer', 'followPlayer', 'moveAwayFromEntity', 'avoidEnemies', 'goToBed',
    'goToGoal', 'goToSurface', 'useToolOn', 'useToolOnBlock', 'showVillagerTrades', 'tradeWithVillager',
    'autoLight'
  ]
  for (const name of NOT_OFFERED) {
    skills[name] = { async [name]() { return ask('notOffered', name) } }[name]
  }

  // ---- log

  const log = (...args) => say(shown(args.length > 1 || args[0] === bot ? args[1] : args[0]))
  const print = (...args) => {
    let line = ''
    for (let i = 0; i < args.length && line.length < LONGEST_LINE; i++) line += (i ? ' ' : '') + shown(args[i])
    say(line)
  }
  const console = {}
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table']) console[name] = print

  // ---- bot: what of mineflayer's such programs use

  const items = () => {
    const counts = ask('inventory')
    const names = ownKeys(counts)
    const out = []
    for (let i = 0; i < names.length; i++) push(out, { name: names[i], count: counts[names[i]], slot: 36 + i })
    return out
  }

  const pick = (options) => {
    const matching = options?.matching
    if (typeof matching !== 'function') return near(matching, options?.maxDistance ?? 16, options?.count ?? 1)
    return world.getNearestBlocksWhere(bot, matching, options?.maxDistance ?? 16, options?.count ?? 1)
  }

  let held = null
  const still = async () => true
  const YAW = { north: 0, west: PI / 2, south: PI, east: -PI / 2 }
  const entity = {
    username,
    type: 'player',
    id: 1,
    pitch: 0,
    height: 1.8,
    width: 0.6,
    onGround: true,
    get position() { return position() },
    get velocity() { return new Vec3(0, 0, 0) },
    get yaw() { return YAW[ask('facing')] }
  }
  const bot = {
    username,
    entity,
    game: { gameMode: 'creative', dimension: 'overworld', difficulty: 'peaceful', levelType: 'flat' },
    health: 20,
    food: 20,
    entities: {},
    players: {},
    interrupt_code: false,
    output: '',
    get version() { return ask('version') },
    get time() { return { timeOfDay: 6000, isDay: true, day: 0 } },
    get heldItem() { return held && { name: held, count: 1 } },
    inventory: { items, slots: [], count: (name) => ask('inventory')[name] ?? 0, emptySlotCount: () => 36 },
    blockAt: (at) => blockAt(at.x, at.y, at.z),
    findBlock: (options) => pick(options)[0] ?? null,
    findBlocks: (options) => {
      const found = pick(options)
      const out = []
      for (let i = 0; i < found.length; i++) push(out, found[i].position)
      return out
    },
    canSeeBlock: () => true,
    canDigBlock: () => true,
    chat: (message) => say(shown(message)),
    whisper: (name, message) => say(shown(message)),
    equip: async (item) => {
      held = word(typeof item === 'string' ? item : item?.name) ?? null
      return ask('equip', held ?? undefined)
    },
    unequip: async () => { held = null },
    placeBlock: async (reference, side) => {
      const at = reference.position.plus(side)
      if (!await ask('placeAt', held ?? undefined, n(at.x), n(at.y), n(at.z), n(-side.x), n(-side.y), n(-side.z))) {
        throw new BaseError(`cannot place ${held} at ${at}`)
      }
    },
    dig: async (target) => {
      const at = target.position
      if (!ask('breakBlockAt', n(at.x), n(at.y), n(at.z))) throw new BaseError(`cannot dig at ${at}`)
    },
    waitForTicks: async (ticks) => { ask('wait'); later(ticks * 50) },
    waitForChunksToLoad: still,
    look: still,
    lookAt: still,
    setControlState: () => {},
    clearControlStates: () => {},
    creative: {
      flyTo: async (at) => { ask('goToPosition', n(at.x), n(at.y), n(at.z)) },
      startFlying: () => {},
      stopFlying: () => {}
    },
    modes: { isOn: (name) => name === 'cheat', exists: () => false, pause: () => {}, unpause: () => {} }
  }
  for (const name of ['on', 'once', 'emit', 'addListener', 'removeListener', 'loadPlugin', 'quit', 'end']) {
    bot[name] = { [name]() { throw refuse(`bot.${name}`) } }[name]
  }

  offer('skills', skills)
  offer('world', world)
  offer('bot', bot)
  offer('log', log)
  offer('console', console)
  offer('queueMicrotask', (job) => { (async () => { await undefined; job() })() })

  // ---- for the runner

  const describe = (thrown) => {
    const out = ['', '', '']
    try {
      const fault = typeof thrown === 'object' && thrown !== null
      out[0] = fault ? text(thrown.name ?? 'object') : typeof thrown
      out[1] = fault ? text(thrown.message ?? shown(thrown)) : shown(thrown)
      out[2] = fault && typeof thrown.stack === 'string' ? thrown.stack : ''
    } catch {
      out[0] ||= 'Error'
    }
    return stringify({
      __proto__: null, // no toJSON of the program's
      name: slice(out[0], 0, 200),
      message: slice(out[1], 0, 2000),
      stack: slice(out[2], 0, 4000)
    })
  }

  return freeze({
    __proto__: null,
    bot,
    refuse,
    refused: (error) => typeof error === 'object' && error !== null && has(refusals, error),
    asked: () => stringify(asked),
    describe
  })
})
