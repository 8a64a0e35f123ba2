// The bot for a parent that speaks JSON lines.

import { guardStdio, openLines } from './lines.mjs'
import { names, perform } from './core.mjs'

guardStdio()
openLines(Object.fromEntries(names.map((name) => [name, (input) => perform(name, input)])))
