// A player for tests: a mineflayer client that does single things and tells which packets came back.

const { guardStdio, openLines, CodedError } = await import(`${process.env.SCRIPTS}/lines.mjs`)
const { load } = await import(`${process.env.SCRIPTS}/packages.mjs`)
const { States } = await import(`${process.env.SCRIPTS}/states.mjs`)

guardStdio()
const mineflayer = load('mineflayer')
const { Vec3 } = load('vec3')

let bot
let states
let blocks = []
let said = []
let titles = []
let ended = ''

function until (emitter, event, filter = () => true) {
  return new Promise((resolve) => {
    const heard = (...values) => {
      if (!filter(...values)) return
      emitter.off(event, heard)
      resolve(values[0])
    }
    emitter.on(event, heard)
  })
}

function words (component) {
  return typeof component === 'string' ? component : JSON.stringify(component)
}

function watch () {
  const client = bot._client
  const heard = (x, y, z, number) => blocks.push([x, y, z, states.text(number)])
  client.on('block_change', ({ location: { x, y, z }, type }) => heard(x, y, z, type))
  client.on('multi_block_change', ({ chunkCoordinates: { x, y, z }, records }) => {
    for (const record of records) {
      heard(16 * x + (record >> 8 & 15), 16 * y + (record & 15), 16 * z + (record >> 4 & 15), record >> 12)
    }
  })
  client.on('set_title_text', ({ text }) => titles.push(words(text)))
  bot.on('message', (message) => said.push(message.toString()))
  bot.on('kicked', (reason) => { ended = words(reason) })
  bot.on('end', (reason) => { ended ||= reason })
}

let sequence = 0

async function acknowledged (send) {
  blocks = []
  const number = ++sequence
  const start = performance.now()
  const done = until(bot._client, 'acknowledge_player_digging', ({ sequenceId }) => sequenceId === number)
  send(number)
  await done
  return { ms: performance.now() - start, blocks }
}

openLines({
  async join ({ host, port, version, name }) {
    ended = ''
    bot?.removeAllListeners()
    bot = mineflayer.createBot({ host, port, version, username: name, auth: 'offline', hideErrors: true, physicsEnabled: false })
    const turnedAway = new Promise((resolve, reject) => {
      bot.once('kicked', (reason) => reject(new CodedError('kicked', words(reason))))
      bot.once('error', reject)
      bot.once('end', () => reject(new CodedError('end', 'the connection ended')))
    })
    await Promise.race([until(bot, 'spawn'), turnedAway])
    turnedAway.catch(() => {})
    states = new States(bot.registry)
    watch()
    await bot.waitForChunksToLoad()
    return { position: bot.entity.position.toArray(), mode: bot.game.gameMode, time: bot.time.timeOfDay }
  },
  async hold ({ item, slot = 36 }) {
    const Item = load('prismarine-item')(bot.registry)
    const wanted = item ? new Item(bot.registry.itemsByName[item].id, 1) : null
    bot._client.write('set_creative_slot', { slot, item: Item.toNotch(wanted) })
  },
  go ({ point, yaw = 0, pitch = 0 }) {
    const [x, y, z] = point
    bot.entity.position.set(x, y, z)
    const flags = { onGround: false, hasHorizontalCollision: false }
    bot._client.write('position_look', { x, y, z, yaw, pitch, onGround: false, flags })
  },
  use: ({ on: [x, y, z], face, cursor: [cursorX, cursorY, cursorZ], hand = 0 }) => acknowledged((sequence) =>
    bot._client.write('block_place', {
      location: new Vec3(x, y, z),
      direction: ['down', 'up', 'north', 'south', 'west', 'east'].indexOf(face),
      hand, cursorX, cursorY, cursorZ, insideBlock: false, worldBorderHit: false, sequence
    })),
  dig: ({ on: [x, y, z], status = 0 }) => acknowledged((sequence) =>
    bot._client.write('block_dig', { location: new Vec3(x, y, z), status, face: 1, sequence })),
  async place ({ item, on, face }) {
    const Item = load('prismarine-item')(bot.registry)
    await bot.creative.setInventorySlot(36, new Item(bot.registry.itemsByName[item].id, 1), 1)
    const block = bot.blockAt(new Vec3(...on))
    const start = performance.now()
    try {
      await bot._placeBlockWithOptions(block, new Vec3(...face), { forceLook: 'ignore', swingArm: 'right' })
      return { ms: performance.now() - start, error: '' }
    } catch (error) {
      return { ms: performance.now() - start, error: error.message }
    }
  },
  async digWhole ({ on }) {
    await bot.dig(bot.blockAt(new Vec3(...on)), 'ignore')
  },
  useItem: () => acknowledged((sequence) => bot._client.write('use_item', { hand: 0, sequence, rotation: { x: 0, y: 0 } })),
  read: ({ cells }) => cells.map(([x, y, z]) => states.text(bot.world.getBlockStateId(new Vec3(x, y, z)))),
  say: ({ text }) => bot.chat(text),
  heard () {
    const out = { said, titles, ended, position: bot.entity.position.toArray(), mode: bot.game.gameMode, time: bot.time.timeOfDay }
    said = []
    titles = []
    return out
  },
  all: () => Object.values(bot.registry.blocksByName).map(({ defaultState }) => states.text(defaultState)),
  leave: () => bot.quit()
})
