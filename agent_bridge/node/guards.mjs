// What keeps a Node that the Python package `javascript` started quiet, alive and tied to its parent.

const LONGEST_LINE = 2000
const GOODBYE_MS = 150

const write = process.stderr.write.bind(process.stderr)

/** A line for the log that the parent keeps. */
function note (text) {
  for (const line of String(text).split('\n')) {
    if (line.trim()) write(`[log] ${line.slice(0, LONGEST_LINE)}\n`)
  }
}

// Replies travel on stderr, one to a line: what else is written must not look like one nor be joined to one, and the
// user's stdout is not ours.
const isReply = (chunk) => typeof chunk === 'string' && (chunk.startsWith('{"r":') || chunk.startsWith('{"c":'))

function quiet (passes) {
  return (chunk, encoding, done) => {
    const callback = typeof encoding === 'function' ? encoding : done
    if (passes(chunk)) return write(chunk, callback)
    note(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    callback?.()
    return true
  }
}

/** `farewell` is called when the parent is gone, shortly before this process ends too. */
export function guard (farewell) {
  process.stdout.write = quiet(() => false)
  process.stderr.write = quiet(isReply)

  const survive = (error) => note(error?.stack ?? error)
  process.on('uncaughtException', survive)
  process.on('unhandledRejection', survive)
  // Ctrl-C reaches the whole group; what becomes of this process is for the parent to say.
  process.on('SIGINT', () => {})

  let leaving = false
  const leave = () => {
    if (leaving) return
    leaving = true
    try { farewell() } catch {}
    setTimeout(() => process.exit(0), GOODBYE_MS)
  }
  for (const sign of ['end', 'close', 'error']) process.stdin.on(sign, leave)
  // Another child of the parent's may hold a copy of our stdin and keep it open.
  const parent = process.ppid
  setInterval(() => { if (process.ppid !== parent) leave() }, 500).unref()
}
