// Packages come from the folder that the environment names, not from a node_modules beside these files.

import { createRequire } from 'node:module'
import { join } from 'node:path'

export const load = createRequire(join(process.env.MINECE_NODE_MODULES, 'index.js'))
