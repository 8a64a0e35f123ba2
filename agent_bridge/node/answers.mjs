// What the server says to a click: which blocks change, and when it has done with it.

import { load } from './packages.mjs'

// For what may still belong to an answer that has no end mark, and for the mark while it is unknown whether there is
// one.
const GRACE_MS = 50
const LEARNING_MS = 300

export class Answers {
  constructor (session, sight) {
    const { Vec3 } = load('vec3')
    const { bot } = session
    this.session = session
    this.sight = sight
    this.sequence = 0
    // Whether the server acknowledges clicks, as the game does since 1.19; unknown at first.
    this.marked = bot.registry.version['>=']('1.19') ? null : false
    this.watch = null
    // Before the library's own listeners: the state that a cell had must still be known.
    bot._client.prependListener('block_change', ({ location: { x, y, z }, type }) => this.#seen(x, y, z, type))
    bot._client.prependListener('multi_block_change', ({ chunkCoordinates, records }) => {
      const { x, y, z } = new Vec3(chunkCoordinates.x, chunkCoordinates.y, chunkCoordinates.z).scaled(16)
      for (const record of records) {
        this.#seen(x + ((record >> 8) & 15), y + (record & 15), z + ((record >> 4) & 15), record >> 12)
      }
    })
    bot._client.on('acknowledge_player_digging', ({ sequenceId }) => {
      if (sequenceId === undefined) return
      this.marked = true
      if (this.watch && sequenceId >= this.watch.sequence) this.watch.end?.('acknowledged')
    })
  }

  /**
   * Sends something by `send(sequence)` and waits until the server has done with it, at most `ms`. `clicked` and
   * `target` are the cells that the server shows again in any case. Returns whether there was an answer, and all
   * blocks that changed meanwhile, in order.
   */
  async to (send, clicked, target, ms) {
    const { session } = this
    const watch = this.watch = { sequence: ++this.sequence, clicked: `${clicked}`, target: `${target}`, changes: [] }
    try {
      const answered = session.wait((resolve) => { watch.end = resolve; return () => clearTimeout(watch.grace) }, ms)
      session.expect()
      send(watch.sequence)
      const how = await answered
      if (how === 'shown') this.marked ??= false
      return { answered: Boolean(how), changes: watch.changes }
    } finally {
      if (this.watch === watch) this.watch = null // not that of a call which began after this one was given up
    }
  }

  #seen (x, y, z, number) {
    const { watch } = this
    if (!watch) return
    const cell = `${[x, y, z]}`
    if (this.sight.number(x, y, z) !== number) watch.changes.push([x, y, z, this.sight.states.text(number)])
    if (cell === watch.clicked) watch.shownClicked = true
    if (this.marked || cell !== watch.target) return
    // Both cells, in this order, are how the game ends its answer.
    if (watch.shownClicked && this.marked === false) watch.end?.('shown')
    else if (watch.shownClicked || watch.changes.length) {
      watch.grace ??= setTimeout(() => watch.end?.('shown'), this.marked === null ? LEARNING_MS : GRACE_MS)
    }
  }
}
