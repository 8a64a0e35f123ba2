// What can be asked of a bot, whatever the way in which it is asked. One bot to a process.

import { Answers } from './answers.mjs'
import { Fault, asError } from './faults.mjs'
import { Hands } from './hands.mjs'
import { Session } from './session.mjs'
import { Sight } from './sight.mjs'

// After which a call is given up from outside: beyond its own deadline, or beyond the last wish that it began.
const GRACE_MS = 2000
const LAST_WISH_MS = 14_000

let session = null
let sight
let hands

const actions = {
  async connect (options) {
    session?.leave()
    session = null
    session = await Session.join(options)
    sight = new Sight(session)
    hands = new Hands(session, sight, new Answers(session, sight))
    return present().status()
  },
  placeMany: (input) => present() && hands.inTurn(input.hands, hands.place, input),
  breakMany: (input) => present() && hands.inTurn(input.cells, hands.dig, input),
  fill: (input) => present() && hands.inTurn(input.cells, (cell, ms) => hands.fill(input.item, cell, ms), input),
  readBox: (input) => present() && sight.readBox(input),
  awaitStates: (input) => present() && sight.awaitStates(input),
  async goTo ({ point: [x, y, z], deadline_ms: ms }) {
    const { body } = present()
    const until = Date.now() + ms
    const there = body.position.clone().set(x, y, z)
    if (!await body.fly(session, there, until)) body.slowDown()
    if (!await sight.reach(Math.floor(x), Math.floor(z), until)) {
      throw sight.unreachable([x, y, z])
    }
    if (!await body.fly(session, there, until)) {
      const what = `the server does not let the bot fly to (${x}, ${y}, ${z})`
      throw new Fault('unreachable', what, 'check that nothing is in the way')
    }
    return session.status()
  },
  status: () => session?.status() ?? { connected: false },
  drainEvents: () => session?.drainEvents() ?? { events: [], dropped: 0 },
  quit () {
    session?.leave()
    return {}
  }
}

export const names = Object.keys(actions)

/** The outcome of one action: `{ ok }` or `{ error: { code, message, mend } }`; it never throws. */
export async function perform (name, input) {
  let timer
  try {
    const late = new Promise((resolve, reject) => {
      const limit = limitOf(input)
      timer = setTimeout(() => reject(new Fault('deadline', `${name} took more than ${limit} ms`)), limit)
    })
    const work = Promise.resolve().then(() => actions[name](input))
    return { ok: await Promise.race([work, late]) }
  } catch (error) {
    return { error: asError(error) }
  } finally {
    clearTimeout(timer)
  }
}

function limitOf ({ deadline_ms: deadline, budget_ms: budget }) {
  if (budget !== undefined) return budget + LAST_WISH_MS
  return (deadline ?? 0) + GRACE_MS
}

function present () {
  if (!session) throw new Fault('lost', 'the bot is on no server')
  session.check()
  return session
}
