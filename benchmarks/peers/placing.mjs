// Peers for benchmarks/worlds.py: the ways of placing that mineflayer and flying-squid have of their own.
//
// usage: node placing.mjs place HOST PORT VERSION COUNT    bot.placeBlock, one block after another, on a server that runs
//        node placing.mjs command VERSION COUNT            /setblock in the chat, on a server of flying-squid's own making
// Prints one line of JSON: {"seconds": …, "right": …}.

import { createRequire } from 'node:module'
import { join } from 'node:path'

const load = createRequire(join(process.env.MINECE_NODE_MODULES, 'index.js'))
const mineflayer = load('mineflayer')
const { Vec3 } = load('vec3')

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const [way, ...rest] = process.argv.slice(2)
const answer = { place, command }[way]
process.stdout.write = process.stderr.write.bind(process.stderr)
const told = await answer(...rest)
await new Promise((resolve) => process.stderr.write('', resolve))
const { writeSync } = await import('node:fs')
writeSync(1, JSON.stringify(told) + '\n')
process.exit(0)

async function join_ (host, port, version) {
  const bot = mineflayer.createBot({ host, port: Number(port), version, username: 'peer', auth: 'offline', hideErrors: true })
  await new Promise((resolve, reject) => { bot.once('spawn', resolve); bot.once('error', reject); bot.once('kicked', reject) })
  await bot.waitForChunksToLoad()
  await sleep(500)
  return bot
}

async function place (host, port, version, count) {
  const bot = await join_(host, port, version)
  const Item = load('prismarine-item')(bot.registry)
  await bot.creative.setInventorySlot(36, new Item(bot.registry.itemsByName.stone.id, 64))
  bot.setQuickBarSlot(0)
  bot.creative.startFlying()
  const side = 6
  const ground = Math.floor(bot.entity.position.y) - 1
  const cells = Array.from({ length: Number(count) }, (_, i) => new Vec3(4 + i % side, ground, 4 + Math.floor(i / side) % side))
  await bot.creative.flyTo(new Vec3(7.5, ground + 4, 7.5))
  const start = performance.now()
  let right = 0
  for (const cell of cells) {
    try {
      await bot.placeBlock(bot.blockAt(cell), new Vec3(0, 1, 0))
      right++
    } catch {}
  }
  return { seconds: (performance.now() - start) / 1000, right }
}

async function command (version, count) {
  const squid = load('flying-squid')
  const serv = squid.createMCServer({
    host: '127.0.0.1', port: 0, 'online-mode': false, 'everybody-op': true, logging: false, gameMode: 1, difficulty: 0,
    generation: { name: 'superflat', options: { seed: 1 } }, kickTimeout: 30000, plugins: {}, modpe: false, motd: '',
    'max-players': 4, 'view-distance': 6, 'max-entities': 100, noConsoleOutput: true, hideErrors: true,
    'player-list-text': { header: { text: '' }, footer: { text: '' } }, version, debug: () => {}
  })
  await serv.waitForReady(20000)
  const bot = await join_('127.0.0.1', serv.listeningPort, version)
  const { x, z } = bot.entity.position.floored()
  const cells = Array.from({ length: Number(count) }, (_, i) => new Vec3(x + i % 10, 20 + Math.floor(i / 100), z + Math.floor(i / 10) % 10))
  const right = () => cells.filter((cell) => bot.blockAt(cell)?.name === 'stone').length
  const start = performance.now()
  for (const { x, y, z } of cells) bot.chat(`/setblock ${x} ${y} ${z} stone`)
  const end = start + 60000
  while (right() < cells.length && performance.now() < end) await sleep(10)
  return { seconds: (performance.now() - start) / 1000, right: right() }
}
