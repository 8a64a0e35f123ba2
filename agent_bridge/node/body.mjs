// Where the bot is and where it looks, packet by packet: moving takes effect at once, looking is exact.

import { load } from './packages.mjs'

export const EYE = 1.62
const HALF = 0.3
const TALL = 1.8
const HEARTBEAT_MS = 1000
// Blocks to a packet, and packets to a tick: the game's own server takes n packets in a tick that lead 10 √n blocks
// away.
const QUICK = { stride: 5, burst: 4 }
const GENTLE = { stride: 0.5, burst: 1 }
const TICK_MS = 50
const GENTLE_MS = 10_000
const TO_RADIANS = Math.PI / 180

export class Body {
  constructor (bot) {
    const { Vec3 } = load('vec3')
    this.bot = bot
    this.position = new Vec3(0, 0, 0)
    this.yaw = 0
    this.pitch = 0
    this.placed = false
    /** How often the server put the bot elsewhere than it was. */
    this.corrections = 0
    this.gentleUntil = 0
    bot._client.on('position', (packet) => this.#put(packet))
  }

  start () {
    this.#look()
    this.timer = setInterval(() => this.#move(), HEARTBEAT_MS)
  }

  stop () {
    clearInterval(this.timer)
  }

  get eye () {
    return this.position.offset(0, EYE, 0)
  }

  /** Turns, in the game's degrees. */
  look (yaw, pitch) {
    this.yaw = yaw
    this.pitch = pitch
    this.#look()
  }

  /** The yaw and pitch with which the bot looks at a point. */
  towards (point) {
    const { x, y, z } = point.minus(this.eye)
    return [-Math.atan2(x, z) / TO_RADIANS, -Math.atan2(y, Math.hypot(x, z)) / TO_RADIANS]
  }

  /** Flies slowly for a while, for a server that does not let the bot fly as it likes. */
  slowDown () {
    this.gentleUntil = Date.now() + GENTLE_MS
  }

  /** Flies in a straight line, through what is in the way; false if the server put the bot elsewhere meanwhile. */
  async fly (session, point, until = Infinity) {
    const { corrections } = this
    const { stride, burst } = Date.now() < this.gentleUntil ? GENTLE : QUICK
    for (let steps = 1; ; steps++) {
      const way = point.minus(this.position)
      const length = way.norm()
      if (length <= stride) break
      this.#to(this.position.plus(way.scaled(stride / length)))
      if (steps % burst) continue
      if (Date.now() > until) return false
      await session.sleep(TICK_MS)
      if (corrections !== this.corrections) return false
    }
    this.#to(point)
    return corrections === this.corrections
  }

  /** Moves by a hair: some servers send what they owe only to players who move. */
  stir () {
    this.#to(this.position.offset(0, this.stirred ? -0.01 : 0.01, 0))
    this.stirred = !this.stirred
  }

  #to (point) {
    this.position = point
    this.#move()
  }

  #move () {
    const { x, y, z } = this.position
    this.bot.entity.position.set(x, y, z)
    this.bot._client.write('position', { x, y, z, ...grounded() })
  }

  #look () {
    const { yaw, pitch } = this
    this.bot.entity.yaw = Math.PI - yaw * TO_RADIANS
    this.bot.entity.pitch = -pitch * TO_RADIANS
    this.bot._client.write('look', { yaw, pitch, ...grounded() })
  }

  #put (packet) {
    const { bot } = this
    const mask = { x: 1, y: 2, z: 4, yaw: 8, pitch: 16 }
    const relative = (key) => typeof packet.flags === 'object' ? packet.flags[key] : packet.flags & mask[key]
    const value = (key, now) => relative(key) ? now + packet[key] : packet[key]
    const old = this.position.clone()
    this.position = old.clone().set(value('x', old.x), value('y', old.y), value('z', old.z))
    this.yaw = value('yaw', this.yaw)
    this.pitch = value('pitch', this.pitch)
    if (!this.placed || old.distanceTo(this.position) > 0.001) this.corrections++
    this.placed = true
    if (bot.supportFeature('teleportUsesOwnPacket')) {
      bot._client.write('teleport_confirm', { teleportId: packet.teleportId })
    }
    const { x, y, z } = this.position
    bot.entity?.position.set(x, y, z)
    bot._client.write('position_look', { x, y, z, yaw: this.yaw, pitch: this.pitch, ...grounded() })
  }
}

const grounded = () => ({ onGround: false, flags: { onGround: false, hasHorizontalCollision: false } })

/** Whether a body at a point has part in a box of cells, `low` to `high` with both in it. */
export function bodyMeets (point, low, high) {
  return point.x + HALF > low[0] && point.x - HALF < high[0] + 1 &&
    point.y + TALL > low[1] && point.y < high[1] + 1 &&
    point.z + HALF > low[2] && point.z - HALF < high[2] + 1
}

/** The cells that a body at a point is in. */
export function * bodyCells (point) {
  for (let x = Math.floor(point.x - HALF); x <= Math.floor(point.x + HALF); x++) {
    for (let y = Math.floor(point.y); y <= Math.floor(point.y + TALL); y++) {
      for (let z = Math.floor(point.z - HALF); z <= Math.floor(point.z + HALF); z++) yield [x, y, z]
    }
  }
}
