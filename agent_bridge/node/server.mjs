// Our Minecraft server: flying-squid, with a flat world in memory, in which nothing happens by itself and in which
// every placement and every removal that a player wishes is judged by Python.

import { guardStdio, openLines, CodedError } from './lines.mjs'
import { load } from './packages.mjs'
import { States } from './states.mjs'
import { flatWorld, Plot } from './plot.mjs'
import { admit, settle } from './players.mjs'

guardStdio()
const squid = load('flying-squid')

const OLDEST = '1.20.4'
const VIEW = 6 // chunks

let serv
let states
let plot

const lines = openLines({
  async start ({ version, host, port, names, spawn, dirt }) {
    const registry = known(version)
    states = new States(registry)
    squid.generations.minece = flatWorld(squid.generations.superflat)
    serv = squid.createMCServer({
      version,
      host,
      port,
      'online-mode': false,
      'everybody-op': false,
      'max-players': 20,
      'max-entities': 100, // players count
      'view-distance': VIEW,
      'player-list-text': { header: '', footer: '' },
      generation: { name: 'minece', options: { seed: 1, middleThickness: dirt } },
      motd: 'minece',
      gameMode: 1,
      difficulty: 0,
      kickTimeout: 30000,
      plugins: {},
      modpe: false,
      logging: false,
      noConsoleOutput: true,
      hideErrors: true,
      // Without it, flying-squid ends the process at the first error that nobody caught.
      debug: () => {},
      beforeLogin: (client) => admit(serv, client, names),
      errorHandler: (client, error) => client.end(String(error?.message ?? error))
    })
    serv.err = serv.warn = (text) => console.error(text)
    const failed = new Promise((_resolve, reject) => serv.on('error', reject))
    plot = new Plot(serv, states)
    settle(serv, plot, spawn, lines)
    await Promise.race([failed, serv.waitForReady(20000)])
    return { port: serv.listeningPort, version: states.version }
  },

  set: ({ palette, cells, index }) => plot.set(palette, cells, index),
  changes: ({ from }) => plot.changesFrom(from),
  players: () => serv.players.map(({ username, minece }) => ({
    name: username,
    position: minece.position,
    yaw: minece.yaw,
    pitch: minece.pitch
  })),
  say ({ text, to }) {
    for (const player of to === null ? serv.players : [present(to)]) player.chat(text)
  },
  title: ({ text, to }) => present(to).minece.title(text),
  kick: ({ name, why }) => present(name)._client.end(why),
  teleport: ({ name, point, yaw, pitch }) => present(name).minece.teleport(point, yaw, pitch),
  // The reply comes after all events that were told before.
  nothing () {},
  facts: () => ({ memory: process.memoryUsage.rss(), tick: serv.tickCount, uptime: process.uptime() }),
  stop () {
    for (const client of Object.values(serv._server.clients)) client.end('the server has stopped')
    setTimeout(() => process.exit(0), 50)
  }
})

function known (version) {
  const newest = squid.testedVersions.at(-1)
  const data = load('minecraft-data')(version)?.version
  if (data?.type !== 'pc' || data['<'](OLDEST) || data['>'](newest)) {
    throw new CodedError('version', `the server speaks versions ${OLDEST} to ${newest}, not ${version}`)
  }
  return load('prismarine-registry')(version)
}

function present (name) {
  const player = serv.getPlayer(name)
  if (!player) throw new CodedError('player', `there is no player ${name}`)
  return player
}
