// Who may join, and what comes of what players do.

import { load } from './packages.mjs'

const { Vec3 } = load('vec3')

const EYES = 1.62
const REACH = 6 // 5 in creative mode, and the margin that the game's own server grants
const NOON = 6000
const SIDES = ['down', 'up', 'north', 'south', 'west', 'east']
const STEPS = [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [-1, 0, 0], [1, 0, 0]]
const OFF_HAND = 45

// What gives way to a block that is placed against it.
const YIELDING = new Set(`air cave_air void_air water lava bubble_column short_grass fern dead_bush tall_grass large_fern
  vine glow_lichen sculk_vein fire soul_fire seagrass tall_seagrass hanging_roots warped_roots crimson_roots
  nether_sprouts light structure_void resin_clump snow[layers=1]`.split(/\s+/))

// What stands in one cell several times.
const ADDING_UP = /candle$|^sea_pickle$|^turtle_egg$|^snow$/

// All through which stock code would change the world, the players or itself.
const UNWANTED = ['block_place', 'block_dig', 'use_item', 'use_entity', 'window_click', 'tab_complete', 'chat',
  'chat_message', 'chat_command', 'set_creative_slot']

// Commands of the game that stock code lacks; what is a command in neither is only something said.
const RIGHTS = new Set(`advancement attribute clear clone damage data datapack defaultgamemode execute fill fillbiome
  forceload function gamerule item locate loot place playsound random recipe reload return ride rotate save-all schedule
  scoreboard setidletimeout setworldspawn spawnpoint spectate spreadplayers stopsound tag team tellraw tick title
  transfer whitelist worldborder`.split(/\s+/))

/** Turn away, before they are in, those who may not join. */
export function admit (serv, client, names) {
  const name = client.username
  const others = Object.values(serv._server.clients).filter((other) => other !== client && other.admitted)
  let reason = ''
  if (!/^\w{1,16}$/.test(name)) reason = 'This name cannot join: it is not made of 1 to 16 letters, digits and _.'
  else if (names && !names.includes(name)) reason = `${name} is not on the list of this server.`
  else if (others.some((other) => other.username === name)) reason = `${name} is here already.`
  if (reason) client.end(reason)
  else client.admitted = true
}

/** Give the server the players' side of our rules. */
export function settle (serv, plot, spawn, lines) {
  const wishes = new Wishes(serv, plot, lines)
  for (const name of Object.keys(serv.color)) serv.color[name] = ''
  serv.doDaylightCycle = false
  serv.time = NOON
  serv.on('tick', (_seconds, tick) => {
    if (tick % 10 === 0) serv.players.forEach(sendMissingChunks)
  })
  serv.on('newPlayer', (player) => {
    player.minece = new Guest(player, serv)
    player.view ??= Infinity
    player.findSpawnPoint = async () => { player.spawnPoint = new Vec3(...spawn) }
    for (const name of UNWANTED) player._client.removeAllListeners(name)
    wishes.listen(player)
    player.on('spawned', () => {
      // Versions from 1.20.5 on do not take it from the login packet.
      player.setGameMode(1)
      player._client.write('update_time', { age: [0, 0], time: stillTime(serv), tickDayTime: false })
      lines.tell('joined', { player: player.username })
    })
    player.on('disconnected', () => lines.tell('left', { player: player.username }))
  })
}

/** The sun stands still: newer versions have a flag for it, older ones take a negative time. */
function stillTime (serv) {
  return serv.registry.version['>=']('1.21.2') ? [0, NOON] : [-1, -NOON]
}

/** Stock code looks for missing chunks while a player moves and not once more where he has come to rest. */
function sendMissingChunks (player) {
  const last = player.lastPositionChunkUpdated
  if (last && !player.sendingChunks && player.position.distanceTo(last) > 16) player.worldSendRestOfChunks()
}

/** What stock code does not keep of a player, or keeps too coarsely. */
class Guest {
  constructor (player, serv) {
    this.player = player
    this.serv = serv
    this.yaw = 0
    this.pitch = 0
    this.at = null
    this.sneaks = false
    const client = player._client
    client.on('position', (packet) => this.#moved(packet))
    client.on('position_look', (packet) => { this.#moved(packet); this.#looked(packet) })
    client.on('look', (packet) => this.#looked(packet))
    // Versions from 1.21.2 on tell which keys are down, earlier ones when sneaking starts and stops.
    client.on('player_input', ({ inputs }) => { this.sneaks = inputs.shift === true })
    client.on('entity_action', ({ actionId }) => {
      if (actionId === 'start_sneaking') this.sneaks = true
      if (actionId === 'stop_sneaking') this.sneaks = false
    })
  }

  get position () {
    return this.at ?? this.player.position.toArray()
  }

  #moved ({ x, y, z }) {
    this.at = [x, y, z]
  }

  #looked ({ yaw, pitch }) {
    this.yaw = yaw
    this.pitch = pitch
  }

  async teleport (point, yaw, pitch) {
    const { player } = this
    const [x, y, z] = point
    await player.sendPosition(new Vec3(x, y, z), false, true)
    Object.assign(this, { at: point, yaw, pitch })
    player._client.write('position', { x, y, z, dx: 0, dy: 0, dz: 0, yaw, pitch, flags: 0, teleportId: 1 })
  }

  title (text) {
    const client = this.player._client
    client.write('set_title_time', { fadeIn: 5, stay: 60, fadeOut: 10 })
    client.write('set_title_text', { text: this.serv._createNetworkEncodedChatComponent(text) })
  }
}

/** Carries players' wishes to Python and its answers back. */
class Wishes {
  constructor (serv, plot, lines) {
    this.serv = serv
    this.plot = plot
    this.lines = lines
    this.acknowledges = serv.registry.protocol.play.toClient.types.packet_acknowledge_player_digging
  }

  listen (player) {
    const client = player._client
    client.on('block_place', (packet) => this.#use(player, packet))
    client.on('block_dig', (packet) => this.#dig(player, packet))
    client.on('use_item', ({ sequence }) => this.#acknowledge(player, sequence))
    client.on('set_creative_slot', (packet) => this.#take(player, packet))
    client.on('chat_message', ({ message }) => this.#hear(player, message))
    client.on('chat', ({ message }) => this.#hear(player, message))
    client.on('chat_command', ({ command }) => this.#hear(player, `/${command}`))
    client.on('chat_command_signed', ({ command }) => this.#hear(player, `/${command}`))
  }

  #use (player, { location, direction, hand, cursorX, cursorY, cursorZ, sequence }) {
    const on = [location.x, location.y, location.z]
    const step = STEPS[direction]
    const item = player.inventory.slots[hand === 1 ? OFF_HAND : 36 + player.heldItemSlot]?.name
    if (!step) return this.#acknowledge(player, sequence)
    const beside = on.map((value, axis) => value + step[axis])
    const wish = item && {
      wish: 'use', item, on, face: SIDES[direction], cursor: [cursorX, cursorY, cursorZ], ...this.#stance(player)
    }
    this.#judge(player, wish, [on, beside], sequence, () => this.#obstacle(wish, beside))
  }

  #dig (player, { location, status, sequence }) {
    if (status === 6) this.#swapHands(player)
    // The first packet breaks in creative mode; later ones of the same dig say nothing new.
    if (status !== 0) return this.#acknowledge(player, sequence)
    const cell = [location.x, location.y, location.z]
    this.#judge(player, { wish: 'dig', on: cell, ...this.#stance(player) }, [cell], sequence, () => '')
  }

  #stance (player) {
    const { position: [x, y, z], yaw, pitch } = player.minece
    return { player: player.username, yaw, pitch, eye: [x, y + EYES, z] }
  }

  /** Cells are told to the player whatever comes of the wish, so that client and server agree. */
  #judge (player, wish, cells, sequence, obstacle) {
    this.plot.inTurn(async () => {
      if (wish) {
        const refused = outOfReach(wish) || obstacle() || await this.#carryOut(wish)
        if (refused) this.lines.tell('refused', { player: wish.player, reason: refused, cell: cells.at(-1) })
      }
      for (const cell of cells) this.plot.tell(player, cell)
      this.#acknowledge(player, sequence)
    }).catch((error) => console.error(error.stack))
  }

  async #carryOut (wish) {
    const { changes, refused, error } = await this.lines.ask(wish)
    if (refused) return refused
    if (error) return 'no answer'
    try {
      const numbers = changes.map(([x, y, z, text]) => [x, y, z, this.plot.states.number(text)])
      this.plot.write(numbers, wish.player)
      return ''
    } catch (fault) {
      await this.lines.ask({ wish: 'nothing', fault: fault.message })
      return 'no answer'
    }
  }

  /** Whether a body is where the item's block would be; a block that can be walked through is in nobody's way. */
  #obstacle (wish, beside) {
    const block = this.serv.registry.blocksByName[wish.item]
    if (!block || block.boundingBox === 'empty') return ''
    const cell = takesIn(this.plot.states.text(this.plot.read(wish.on)), wish) ? wish.on : beside
    return Object.values(this.serv.entities).some((entity) => stands(entity, cell)) ? 'cell taken' : ''
  }

  #acknowledge (player, sequence) {
    if (this.acknowledges && sequence !== undefined) {
      player._client.write('acknowledge_player_digging', { sequenceId: sequence })
    }
  }

  #swapHands (player) {
    const main = 36 + player.heldItemSlot
    const { slots } = player.inventory
    const [held, other] = [slots[main], slots[OFF_HAND]]
    player.inventory.updateSlot(main, other)
    player.inventory.updateSlot(OFF_HAND, held)
  }

  #take (player, { slot, item }) {
    if (slot < 0 || slot >= player.inventory.slots.length) return
    const Item = load('prismarine-item')(this.serv.registry)
    player.inventory.updateSlot(slot, Item.fromNotch(item))
  }

  #hear (player, text) {
    const [, command] = /^\/(\S*)/.exec(text) ?? []
    if (command === 'help' || command === '?') {
      player.chat('There are no commands here: place and break blocks, and talk.')
    } else if (command && (RIGHTS.has(command) || this.serv.commands.find(command))) {
      player.chat(`You may not use /${command} here.`)
      this.lines.tell('refused', { player: player.username, reason: 'no such right', text })
    } else {
      this.lines.tell('chat', { player: player.username, text })
      if (command === undefined) this.serv.broadcast(`<${player.username}> ${text}`)
    }
  }
}

function outOfReach ({ eye, on }) {
  const gaps = on.map((low, axis) => Math.max(low - eye[axis], 0, eye[axis] - low - 1))
  return Math.hypot(...gaps) <= REACH ? '' : 'out of reach'
}

/** Whether the clicked block gives way to the item's or takes it in. */
function takesIn (clicked, { item, face, cursor: [, height] }) {
  const [name] = clicked.split('[')
  if (YIELDING.has(name) || YIELDING.has(clicked)) return true
  if (name !== item) return false
  const atSide = face !== 'up' && face !== 'down'
  if (clicked.includes('type=bottom')) return face === 'up' || (atSide && height > 0.5)
  if (clicked.includes('type=top')) return face === 'down' || (atSide && height <= 0.5)
  return ADDING_UP.test(item)
}

function stands (entity, cell) {
  const { width, height } = size(entity)
  const [x, y, z] = entity.minece?.position ?? entity.position.toArray()
  const low = [x - width / 2, y, z - width / 2]
  const high = [x + width / 2, y + height, z + width / 2]
  return cell.every((value, axis) => low[axis] < value + 1 - 1e-6 && high[axis] > value + 1e-6)
}

function size (entity) {
  if (entity.type === 'player') return { width: 0.6, height: entity.minece?.sneaks ? 1.5 : 1.8 }
  return { width: entity.size?.x ?? 0, height: entity.size?.y ?? 0 }
}
