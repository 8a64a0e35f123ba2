// A child for tests of processes.py: it does what it is told, good or bad.

import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'

const { guardStdio, openLines, CodedError } = await import(`${process.env.SCRIPTS}/lines.mjs`)

guardStdio()
console.log('printed by a library')

const lines = openLines({
  echo: (payload) => payload,
  environment: () => ({ ...process.env }),
  refuse () { throw new CodedError('no', 'I will not') },
  never: () => new Promise(() => {}),
  busy ({ seconds }) {
    const end = Date.now() + 1000 * seconds
    while (Date.now() < end);
  },
  die ({ code, words }) {
    console.error(words)
    setTimeout(() => process.exit(code), 50)
    return new Promise(() => {})
  },
  throwLater () { setTimeout(() => { throw new Error('thrown late') }, 1) },
  say ({ bytes }) { process.stderr.write('x'.repeat(bytes) + 'end\n') },
  flood ({ bytes }) {
    while (bytes > 0) {
      try {
        bytes -= writeSync(1, Buffer.alloc(bytes, 120))
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error
      }
    }
  },
  garbage () { writeSync(1, 'this is no JSON\n') },
  ask: ({ questions }) => Promise.all(questions.map((text) => lines.ask({ text }))),
  tell ({ count }) { for (let i = 0; i < count; i++) lines.tell('counted', { i }) },
  grandchild () {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' })
    return child.pid
  }
})
