// What can go wrong with a bot, with a code that Python turns into one of its errors.

/**
 * Codes: "setup" a package is missing; "request" the call makes no sense; "join" the server cannot be joined;
 * "lost" the bot is not on the server any more; "unreachable" a cell that could not be loaded; "deadline" a call took
 * too long; "internal" anything else.
 */
export class Fault extends Error {
  constructor (code, message, mend = '') {
    super(message)
    this.code = code
    this.mend = mend
  }
}

export function asError (error) {
  if (error instanceof Fault) return { code: error.code, message: error.message, mend: error.mend }
  if (error?.code === 'MODULE_NOT_FOUND') {
    return { code: 'setup', message: String(error.message).split('\n')[0], mend: 'run: minece doctor --fix' }
  }
  return { code: 'internal', message: String(error?.stack ?? error).slice(0, 1000), mend: '' }
}
