// The bot for the Python package `javascript`: functions from JSON text to JSON text that never throw.

import { perform } from './core.mjs'
import { guard } from './guards.mjs'

guard(() => perform('quit', {}))

function answering (name) {
  return async (text) => {
    let input
    try {
      input = JSON.parse(text)
    } catch (error) {
      return JSON.stringify({ error: { code: 'request', message: error.message, mend: '' } })
    }
    return JSON.stringify(await perform(name, input))
  }
}

export const connect = answering('connect')
export const placeMany = answering('placeMany')
export const breakMany = answering('breakMany')
export const fill = answering('fill')
export const readBox = answering('readBox')
export const awaitStates = answering('awaitStates')
export const goTo = answering('goTo')
export const status = answering('status')
export const drainEvents = answering('drainEvents')
export const quit = answering('quit')
