// One bot on one server, from joining to leaving.

import { load } from './packages.mjs'
import { Fault } from './faults.mjs'
import { Body } from './body.mjs'
import { States } from './states.mjs'

const OLDEST = '1.16.5' // of which blocks and packets are as we know them
const KEPT_EVENTS = 500
const MODE_MS = 1500 // some servers tell the game mode a little after the spawn
const SETTLED_MS = 200 // flying-squid puts a new player in place twice
const LONGEST_TEXT = 300
const PING_MS = 3000

const NETWORK = {
  ECONNREFUSED: ['no server listens there', 'start it, or check host and port'],
  ECONNRESET: ['the server closed the connection', ''],
  ENOTFOUND: ['there is no such host', 'check the host'],
  EAI_AGAIN: ['the name of the host cannot be looked up', 'check the host and the network'],
  EHOSTUNREACH: ['the host cannot be reached', 'check host and network'],
  ENETUNREACH: ['the network cannot be reached', 'check host and network'],
  ETIMEDOUT: ['the host does not answer', 'check host, port and firewall']
}

export class Session {
  /** Joins; throws a Fault that says why not. */
  static async join (options) {
    const until = Date.now() + options.deadline_ms
    await checkVersion(options)
    const session = new Session(options)
    try {
      await session.#enter(until, options.deadline_ms / 1000)
      return session
    } catch (error) {
      session.leave()
      throw error
    }
  }

  constructor ({ host, port, version, name, silence_ms: silence }) {
    this.silence = silence
    this.version = version
    this.joined = false
    this.fault = null
    this.asked = null // since when the server owes us a word
    this.events = []
    this.dropped = 0
    this.waiting = new Set()
    // Its physics would move and turn the bot between our packets.
    const plugins = { physics: false }
    const bot = this.bot = load('mineflayer').createBot({
      host, port, version, username: name, auth: 'offline', hideErrors: true, logErrors: false, plugins
    })
    bot.setMaxListeners(50)
    bot._client.on('packet', () => { this.asked = null })
    bot.on('kicked', (reason) => this.#kicked(plainText(reason)))
    bot.on('error', (error) => this.#failed(error))
    bot.on('end', (reason) => this.#lose(new Fault('lost', `the connection was closed (${reason})`)))
    bot.on('death', () => this.#event('death', ''))
    bot.on('messagestr', (text) => this.#event('chat', text))
    bot.once('inject_allowed', () => {
      this.body = new Body(bot)
      this.states = new States(bot.registry)
    })
  }

  /** Throws when the bot is on the server no more. */
  check () {
    if (this.fault) throw this.fault
  }

  /** Waits a while, or throws as soon as the server is lost. */
  sleep (ms) {
    return this.wait(() => {}, ms)
  }

  /**
   * A promise of what `start(resolve)` resolves, undefined after `ms`; broken as soon as the server is lost.
   * What `start` returns is called at the end.
   */
  wait (start, ms) {
    return new Promise((resolve, reject) => {
      if (this.fault) return reject(this.fault)
      let cleanUp
      const end = (settle) => (value) => {
        clearTimeout(timer)
        this.waiting.delete(fail)
        cleanUp?.()
        settle(value)
      }
      const fail = end(reject)
      const timer = setTimeout(end(resolve), ms)
      this.waiting.add(fail)
      cleanUp = start(end(resolve))
    })
  }

  /** From now on the server should say something. */
  expect () {
    this.asked ??= Date.now()
  }

  /** Gives the server up when nothing at all came from it for long although it should. */
  checkSilence () {
    const quiet = this.asked === null ? 0 : Date.now() - this.asked
    if (quiet >= this.silence) {
      this.#lose(new Fault('lost', `nothing came from the server for ${(quiet / 1000).toFixed(1)} s`))
      this.bot.end('silence')
    }
    this.check()
  }

  status () {
    const { bot, body } = this
    const { x, y, z } = body?.position ?? { x: 0, y: 0, z: 0 }
    return {
      connected: this.joined && !this.fault,
      position: [x, y, z],
      game_mode: bot.game?.gameMode ?? '',
      alive: Boolean(bot.isAlive) && !this.fault,
      ping: bot.player?.ping ?? bot._client.latency ?? 0,
      health: bot.health ?? 0,
      version: this.version
    }
  }

  drainEvents () {
    const out = { events: this.events, dropped: this.dropped }
    this.events = []
    this.dropped = 0
    return out
  }

  leave () {
    this.left = true
    this.body?.stop()
    try { this.bot.quit() } catch {}
    this.#lose(new Fault('lost', 'the bot has left'))
  }

  async #enter (until, seconds) {
    const spawned = await this.wait((resolve) => { this.bot.once('spawn', () => resolve(true)) }, until - Date.now())
    if (!spawned) {
      const mend = 'check that it is a Minecraft server and not overloaded'
      throw new Fault('join', `the server did not let the bot in within ${seconds} s`, mend)
    }
    const { bot, body } = this
    body.start()
    const ready = () => body.placed && bot.world.getColumnAt(bot.entity.position)
    while (!ready()) {
      if (Date.now() > until) throw new Fault('join', 'the server sent no world', 'try again')
      await this.sleep(20)
    }
    for (let seen = -1; seen !== body.corrections;) {
      seen = body.corrections
      await this.sleep(SETTLED_MS)
    }
    for (const last = Date.now() + MODE_MS; bot.game.gameMode !== 'creative';) {
      if (Date.now() > last) {
        const mend = `type on the server: gamemode creative ${bot.username}`
        throw new Fault('join', `the bot is in ${bot.game.gameMode} mode, not in creative mode`, mend)
      }
      await this.sleep(20)
    }
    bot.setQuickBarSlot(0)
    bot._client.write('abilities', { flags: 2, flyingSpeed: 0.05, walkingSpeed: 0.1 })
    this.#sneak()
    this.joined = true
  }

  // Sneaking, a click places against doors and chests instead of opening them.
  #sneak () {
    const { bot } = this
    if (bot.supportFeature('newPlayerInputPacket')) {
      bot._client.write('player_input', { inputs: { shift: true } })
    } else {
      const actionId = bot.supportFeature('entityActionUsesStringMapper') ? 'start_sneaking' : 0
      bot._client.write('entity_action', { entityId: bot.entity.id, actionId, jumpBoost: 0 })
    }
  }

  #kicked (reason) {
    this.#event('kicked', reason)
    if (this.joined) this.#lose(new Fault('lost', `kicked: ${reason}`))
    else this.#lose(new Fault('join', `the server turns the bot away: ${reason}`, mendKick(reason)))
  }

  #failed (error) {
    this.#event('error', String(error?.message || error?.code || error).split('\n')[0])
    if (error?.code in NETWORK) {
      const [what, mend] = NETWORK[error.code]
      this.#lose(this.joined ? new Fault('lost', what) : new Fault('join', what, mend))
    }
  }

  #lose (fault) {
    if (this.fault) return
    if (!this.joined && fault.code === 'lost' && !this.left) fault = new Fault('join', fault.message)
    this.fault = fault
    this.body?.stop()
    this.#event('end', fault.message)
    for (const fail of [...this.waiting]) fail(fault)
  }

  #event (kind, text) {
    this.events.push({ kind, text: shortened(text) })
    if (this.events.length > KEPT_EVENTS) {
      this.events.shift()
      this.dropped++
    }
  }
}

/** A server of another version may as well take the bot in and talk past it: it is asked before. */
async function checkVersion ({ host, port, version, deadline_ms: ms }) {
  const known = load('minecraft-data')
  const data = known.versionsByMinecraftVersion.pc[version]
  const place = (name) => known.versionsByMinecraftVersion.pc[name].dataVersion
  const { latestSupportedVersion: latest } = load('mineflayer')
  if (!data || !(place(version) >= place(OLDEST)) || place(version) > place(latest)) {
    const what = `the bot does not speak version ${version} of the game`
    throw new Fault('join', what, `name one from ${OLDEST} to ${latest}`)
  }
  let theirs
  try {
    const closeTimeout = Math.min(PING_MS, ms / 2)
    theirs = await load('minecraft-protocol').ping({ host, port, version, closeTimeout, noPongTimeout: 500 })
  } catch (error) {
    // Servers need not answer this question.
    if (error.code in NETWORK && error.code !== 'ECONNRESET') throw new Fault('join', ...NETWORK[error.code])
  }
  const { name, protocol } = theirs?.version ?? {}
  if (Number.isInteger(protocol) && protocol !== data.version) {
    throw new Fault('join', `the server is of version ${shortened(name)}, not ${version}`, 'ask for its version')
  }
}

function mendKick (reason) {
  if (/white-?list/i.test(reason)) return 'have the bot\'s name put on the whitelist'
  if (/outdated|incompatible|version/i.test(reason)) return 'ask for the version of the server'
  if (/already|logged in from|duplicate/i.test(reason)) return 'give the bot another name'
  if (/verif|session|authenticat|premium/i.test(reason)) return 'set online-mode=false on the server'
  if (/full/i.test(reason)) return 'wait for a free place'
  return ''
}

const shortened = (text) => String(text).slice(0, LONGEST_TEXT)

/** What a kick says, from text, JSON or NBT. */
function plainText (reason) {
  let value = reason
  if (typeof value === 'string') {
    try { value = JSON.parse(value) } catch { return reason }
  }
  return words(value).replace(/§./g, '').replace(/\s+/g, ' ').trim() || 'no reason given'
}

const BOOKKEEPING = new Set(['type', 'color', 'bold', 'italic', 'underlined', 'strikethrough', 'obfuscated', 'name'])

function words (value) {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || !value) return ''
  if (Array.isArray(value)) return value.map(words).join(' ')
  if ('type' in value && 'value' in value) return words(value.value)
  return Object.entries(value).filter(([key]) => !BOOKKEEPING.has(key)).map(([, inner]) => words(inner)).join(' ')
}
