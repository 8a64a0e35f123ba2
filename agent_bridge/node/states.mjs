// Block states as text, `name[key=value,...]`, and as the numbers of one version of the game.

import { CodedError } from './lines.mjs'

const PATTERN = /^(?:minecraft:)?([a-z0-9_]+)(?:\[([a-z0-9_=,]*)\])?$/

function valuesOf (state) {
  // The game counts true before false.
  if (state.type === 'bool') return ['true', 'false']
  return state.values ?? Array.from({ length: state.num_values }, (_, i) => String(i))
}

export class States {
  constructor (registry) {
    this.version = registry.version.minecraftVersion
    this.blocks = registry.blocksByName
    this.byNumber = registry.blocksByStateId
    this.numbers = new Map()
    this.texts = new Map()
  }

  /** The number of a state; properties that are left out have their defaults. */
  number (text) {
    let number = this.numbers.get(text)
    if (number === undefined) this.numbers.set(text, number = this.#parse(text))
    return number
  }

  /** The text of a number, with all properties, sorted. */
  text (number) {
    let text = this.texts.get(number)
    if (text === undefined) this.texts.set(number, text = this.#write(number))
    return text
  }

  #parse (text) {
    const [, name, list] = PATTERN.exec(text) ?? []
    if (name === undefined) throw new CodedError('state', `${text} is no block state`)
    const block = Object.hasOwn(this.blocks, name) ? this.blocks[name] : undefined
    if (block === undefined) throw new CodedError('state', `${this.version} has no block ${name}`)
    const chosen = digits(block, block.defaultState - block.minStateId)
    for (const pair of list ? list.split(',') : []) {
      const [key, value] = pair.split('=')
      const at = block.states.findIndex((state) => state.name === key)
      if (at < 0) throw new CodedError('state', `${name} has no property ${key} in ${this.version}`)
      chosen[at] = valuesOf(block.states[at]).indexOf(value)
      if (chosen[at] < 0) throw new CodedError('state', `${name} has no ${key}=${value} in ${this.version}`)
    }
    return block.states.reduce((sum, state, i) => sum * state.num_values + chosen[i], 0) + block.minStateId
  }

  #write (number) {
    const block = this.byNumber[number]
    if (block === undefined) throw new CodedError('state', `${this.version} has no state ${number}`)
    if (!block.states.length) return block.name
    const chosen = digits(block, number - block.minStateId)
    const pairs = block.states.map((state, i) => `${state.name}=${valuesOf(state)[chosen[i]]}`)
    return `${block.name}[${pairs.sort().join(',')}]`
  }
}

/** Which value each property has; the last property counts fastest. */
function digits (block, offset) {
  const out = []
  for (const state of block.states.toReversed()) {
    out.unshift(offset % state.num_values)
    offset = Math.floor(offset / state.num_values)
  }
  return out
}
