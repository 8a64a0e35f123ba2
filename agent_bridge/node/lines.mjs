// JSON lines over stdin and stdout, the other end of processes.py: requests come in, questions and events go out.

import { PassThrough, Writable } from 'node:stream'

const input = process.stdin
const output = process.stdout

/** Keep every library away from stdin and stdout, which carry nothing but our lines; what they print goes to stderr. */
export function guardStdio () {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const silence = new PassThrough()
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => silence })
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => nowhere })
  console.log = console.info = console.debug = console.error
  const survive = (error) => console.error(error?.stack ?? String(error))
  process.on('uncaughtException', survive)
  process.on('unhandledRejection', survive)
}

/** An error whose code the other side can tell apart. */
export class CodedError extends Error {
  constructor (code, message) {
    super(message)
    this.code = code
  }
}

/**
 * Answer requests `{id, do, with}` by the handlers of these names, and end the process when stdin ends.
 * Returns `tell(event, data)` and `ask(question)`, a promise of the answer.
 */
export function openLines (handlers) {
  const asked = new Map()
  let questions = 0

  function send (message) {
    output.write(JSON.stringify(message) + '\n')
  }

  async function handle ({ id, do: name, with: payload }) {
    try {
      if (!Object.hasOwn(handlers, name)) throw new CodedError('unknown', `there is no request ${name}`)
      send({ id, ok: (await handlers[name](payload ?? {})) ?? null })
    } catch (error) {
      const code = typeof error?.code === 'string' ? error.code : 'failed'
      send({ id, error: { code, message: String(error?.message ?? error) } })
    }
  }

  function receive (line) {
    const message = JSON.parse(line)
    if ('answer' in message) {
      asked.get(message.answer)?.(message)
      asked.delete(message.answer)
    } else {
      handle(message)
    }
  }

  let parts = []
  input.on('data', (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end))
      receive((parts.length === 1 ? parts[0] : Buffer.concat(parts)).toString())
      parts = []
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  })
  for (const sign of ['end', 'close', 'error']) input.on(sign, () => process.exit(0))
  output.on('error', () => process.exit(0))
  // Another child of the parent's may hold a copy of our stdin and keep it open when the parent is killed.
  const parent = process.ppid
  setInterval(() => { if (process.ppid !== parent) process.exit(0) }, 500).unref()

  return {
    tell: (event, data = {}) => send({ event, ...data }),
    ask: (question) => new Promise((resolve) => {
      asked.set(++questions, resolve)
      send({ ask: questions, ...question })
    })
  }
}
