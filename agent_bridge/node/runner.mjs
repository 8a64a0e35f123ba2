// Runs one untrusted program in QuickJS, itself in a process of its own that may read nothing but the packages.
//
// Lines of JSON on standard input and output, one at a time: first the run ({source, seed, ...}) comes in and ["ready"]
// goes out; then each call of the program goes out as [name, ...plain values] and its answer comes in; at last
// {"end": ...} goes out. All of it is synchronous, so that calls take effect in the order in which they are made.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { follow, withTable } from './rejections.mjs'

const MODULES = process.env.MINECE_NODE_MODULES
const PAGE = 65536
const FIRST_PAGES = 256 // what the module is linked for
const STACK = 256 * 1024 // more overflows the host's stack before QuickJS notices
const JOBS_AT_ONCE = 100
const LOOKS_BETWEEN = 64 // interrupts between two looks at the parent
const VARIANT = '@jitl/quickjs-wasmfile-release-sync'
const FILE = 'program.js'
const HEAD = '(async function (bot) {'

const require = createRequire(path.join(MODULES, 'index.js'))
const { newQuickJSWASMModuleFromVariant, newVariant } = require('quickjs-emscripten-core')

// ---- lines

const chunk = Buffer.alloc(PAGE)
let rest = Buffer.alloc(0)

function readSome () {
  for (;;) {
    try {
      return fs.readSync(0, chunk, 0, chunk.length, null)
    } catch (error) {
      if (error.code !== 'EAGAIN') process.exit(1)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

function readLine () {
  const parts = [rest]
  let end = rest.indexOf(10)
  while (end < 0) {
    const count = readSome()
    if (!count) process.exit(0) // nobody is there any more
    const part = Buffer.from(chunk.subarray(0, count))
    end = part.indexOf(10)
    parts.push(part)
  }
  const last = parts.pop()
  rest = last.subarray(end + 1)
  parts.push(last.subarray(0, end))
  return Buffer.concat(parts).toString('utf8')
}

function writeLine (text) {
  const bytes = Buffer.from(text + '\n', 'utf8')
  for (let done = 0; done < bytes.length;) {
    try {
      done += fs.writeSync(1, bytes, done)
    } catch (error) {
      if (error.code !== 'EAGAIN') process.exit(0)
    }
  }
}

// ---- the sandbox

const run = JSON.parse(readLine())
const prelude = fs.readFileSync(new URL('./guest.js', import.meta.url), 'utf8')
const pages = Math.max(FIRST_PAGES, Math.floor((run.memory_mb * 1024 * 1024) / PAGE))
const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: pages })
let table
async function instantiateWasm (imports, done) {
  const file = path.join(path.dirname(require.resolve(VARIANT)), 'emscripten-module.wasm')
  const { instance } = await WebAssembly.instantiate(withTable(fs.readFileSync(file)), imports)
  table = instance.exports.table
  done(instance)
}
const quickjs = await newQuickJSWASMModuleFromVariant(
  newVariant(require(VARIANT).default, { wasmMemory: memory, emscriptenModule: { instantiateWasm } }))
const runtime = quickjs.newRuntime()
const context = runtime.newContext()
runtime.setMaxStackSize(STACK)
let deadline = Infinity
let late = false
let looks = 0
const rejections = follow(context, table, memory, () => {
  if (looks++ % LOOKS_BETWEEN === 0 && process.ppid !== run.parent) process.exit(0)
  late ||= performance.now() > deadline
  return late
})

const host = context.newFunction('host', (...handles) => {
  const row = []
  for (const handle of handles) {
    const type = context.typeof(handle)
    if (type === 'number') row.push(context.getNumber(handle))
    else if (type === 'string') row.push(context.getString(handle))
    else row.push(null)
  }
  writeLine(JSON.stringify(row))
  return context.newString(readLine())
})

const guest = context.unwrapResult(context.evalCode(prelude, 'guest.js'))
const tools = context.unwrapResult(
  context.callFunction(guest, context.undefined, host, context.newNumber(run.seed), context.newString(run.username)))
const tool = (name) => context.getProp(tools, name)

runtime.setModuleLoader(() => {
  return { error: call('refuse', context.newString('import')) }
})

writeLine('["ready"]')
deadline = performance.now() + run.seconds * 1000
writeLine(JSON.stringify({ ...outcome(), asked: asked() }))
process.exit(0)

// ---- the run

function outcome () {
  try {
    const made = context.evalCode(`${HEAD}${run.source}\n})`, FILE)
    if (made.error) return fault(made.error)
    const started = context.callFunction(made.value, context.undefined, tool('bot'))
    if (started.error) return fault(started.error)
    while (!late && runtime.hasPendingJob()) {
      const done = runtime.executePendingJobs(JOBS_AT_ONCE)
      if (done.error) return fault(done.error)
      late ||= performance.now() > deadline
    }
    if (late) return { end: 'timeout' }
    const state = context.getPromiseState(started.value)
    const unseen = state.type === 'rejected' ? state.error : rejections.first()
    return unseen ? fault(unseen) : { end: 'ok' }
  } catch (error) {
    return late ? { end: 'timeout' } : broken(error)
  }
}

/** How often each feature that is not offered was asked for. */
function asked () {
  try {
    return JSON.parse(context.getString(call('asked')))
  } catch {
    return {}
  }
}

function call (name, ...handles) {
  return context.unwrapResult(context.callFunction(tool(name), context.undefined, ...handles))
}

/** What a program did that broke the sandbox itself: it cannot be asked for more. */
function broken (error) {
  if (error instanceof RangeError) return { end: 'threw', name: 'InternalError', message: 'stack overflow' }
  if (isFull()) return { end: 'memory' }
  const message = `the sandbox broke: ${String(error?.message ?? error).slice(0, 200)}`
  return { end: 'threw', name: 'InternalError', message }
}

function isFull () {
  return memory.buffer.byteLength > 0.75 * pages * PAGE
}

function fault (thrown) {
  if (late) return { end: 'timeout' }
  const what = JSON.parse(context.getString(call('describe', thrown)))
  if (late) return { end: 'timeout' }
  // When there is no room for the error either, null is thrown.
  const without = isFull() && context.sameValue(thrown, context.null)
  if (without || (what.name === 'InternalError' && what.message === 'out of memory')) return { end: 'memory' }
  const lines = run.source.split('\n')
  const place = /\bprogram\.js:(\d+)(?::(\d+))?/.exec(what.stack)
  let line = 0
  let column = 0
  if (place) {
    line = Math.min(Number(place[1]), lines.length)
    column = Number(place[2] ?? 0)
    if (line === 1 && column > HEAD.length) column -= HEAD.length
  }
  // What stands behind the program is no token of its own.
  const ended = what.name === 'SyntaxError' && place && Number(place[1]) > lines.length
  const message = ended ? 'unexpected end of the program' : what.message
  const there = { name: what.name, message, line, column: ended ? 0 : column }
  if (context.dump(call('refused', thrown)) === true) return { end: 'refused', ...there }
  if (what.name === 'SyntaxError' && /^\s*(import|export)\b|\bimport\.meta\b/.test(lines[line - 1] ?? '')) {
    return { end: 'refused', ...there, name: 'FeatureRefused', message: 'import is not offered to programs' }
  }
  return { end: 'threw', ...there }
}
