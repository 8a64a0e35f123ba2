// Promises that were rejected and that nobody awaited.
//
// QuickJS tells an embedder of them (JS_SetHostPromiseRejectionTracker), but the WebAssembly module exports no way to
// ask for it. So its table of functions is exported too, a function of ours is put into it, and its number is written
// where the runtime keeps the tracker: two words behind the interrupt handler, whose place shows when it is set.
// `follow` tries all this out and says so when another build of QuickJS lays things out differently.

const EXPORTS = 7
const TABLE = 1
const WORDS_OF_RUNTIME = 256
const I32 = 0x7f
const I64 = 0x7e

/** The module's bytes with its table exported as `table`. */
export function withTable (bytes) {
  for (let at = 8; at < bytes.length;) {
    const [size, start] = number(bytes, at + 1)
    if (bytes[at] === EXPORTS) {
      const [count, entries] = number(bytes, start)
      const body = [...leb(count + 1), ...bytes.subarray(entries, start + size), ...name('table'), TABLE, 0]
      const section = Buffer.from([EXPORTS, ...leb(body.length), ...body])
      return Buffer.concat([bytes.subarray(0, at), section, bytes.subarray(start + size)])
    }
    at = start + size
  }
  throw new Error('a WebAssembly module without exports')
}

/** Follow the rejections in a context; `first()` gives the reason of the first that nobody awaits, or nothing. */
export function follow (context, table, memory, interrupted) {
  const { runtime } = context
  const ffi = context.ffi
  const words = () => new Uint32Array(memory.buffer, runtime.rt.value, WORDS_OF_RUNTIME)
  const before = words().slice()
  runtime.setInterruptHandler(interrupted)
  const handler = words().findIndex((word, i) => word !== before[i])
  const tracker = handler + 2
  if (handler < 0 || words()[tracker] !== 0) throw unknown()

  const open = new Map() // promise -> pointers to it and to its reason, both kept alive
  const scratch = context.newNumber(0)
  const kept = (value) => {
    new DataView(memory.buffer).setBigInt64(scratch.value, value, true)
    return ffi.QTS_DupValuePointer(context.ctx.value, scratch.value)
  }
  const free = (pointer) => ffi.QTS_FreeValuePointer(context.ctx.value, pointer)
  const number = table.grow(1, typed((ctx, promise, reason, handled) => {
    if (handled) {
      for (const pointer of open.get(promise) ?? []) free(pointer)
      open.delete(promise)
    } else if (!open.has(promise)) open.set(promise, [kept(promise), kept(reason)])
  }))
  words()[tracker] = number

  context.unwrapResult(context.evalCode('globalThis.tried = Promise.reject(1); undefined'))
  const seen = open.size
  context.unwrapResult(context.evalCode('tried.catch(() => {}); delete globalThis.tried'))
  if (seen !== 1 || open.size !== 0) throw unknown()
  context.unwrapResult(runtime.executePendingJobs())
  return {
    first: () => {
      for (const [, reason] of open.values()) return context.memory.heapValueHandle(reason)
    }
  }
}

const unknown = () => new Error('this build of QuickJS is not the one whose rejections can be followed')

/** A function as one of WebAssembly, with the tracker's type: (i32, i64, i64, i32, i32) -> (). */
function typed (call) {
  const type = [0x60, 5, I32, I64, I64, I32, I32, 0]
  const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  const section = (id, body) => bytes.push(id, ...leb(body.length), ...body)
  section(1, [1, ...type])
  section(2, [1, ...name('host'), ...name('call'), 0, 0])
  section(EXPORTS, [1, ...name('call'), 0, 0])
  const module = new WebAssembly.Module(new Uint8Array(bytes))
  return new WebAssembly.Instance(module, { host: { call } }).exports.call
}

const name = (text) => [text.length, ...Buffer.from(text)]

function leb (value) {
  const out = []
  for (; value > 127; value >>>= 7) out.push((value & 127) | 128)
  return [...out, value]
}

function number (bytes, at) {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]
    value |= (byte & 127) << shift
    if (byte < 128) return [value >>> 0, at]
  }
}
