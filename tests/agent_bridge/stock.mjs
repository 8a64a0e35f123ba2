// Somebody else's server, for tests: flying-squid as it comes, which neither acknowledges clicks nor refuses in words.

const { guardStdio, openLines } = await import(`${process.env.SCRIPTS}/lines.mjs`)
const { load } = await import(`${process.env.SCRIPTS}/packages.mjs`)

guardStdio()

openLines({
  async start ({ version, mode }) {
    const serv = load('flying-squid').createMCServer({
      host: '127.0.0.1',
      port: 0,
      version,
      gameMode: mode,
      'online-mode': false,
      'everybody-op': false,
      'max-players': 5,
      'max-entities': 10,
      'view-distance': 4,
      'player-list-text': { header: '', footer: '' },
      generation: { name: 'superflat', options: { seed: 1 } },
      motd: 'stock',
      difficulty: 0,
      kickTimeout: 30000,
      plugins: {},
      modpe: false,
      logging: false,
      noConsoleOutput: true
    })
    await serv.waitForReady(10000)
    return { port: serv.listeningPort }
  }
})
