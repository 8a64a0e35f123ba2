const own = globalThis;
const foreign = [];
const AsyncFunction = (async () => {}).constructor;
const GeneratorFunction = (function* () {}).constructor;
const AsyncGeneratorFunction = (async function* () {}).constructor;
const makers = [Function, AsyncFunction, GeneratorFunction, AsyncGeneratorFunction];

const caught = [];
const errors = [
  () => null.x,
  () => setTimeout(),
  () => process.env,
  () => skills.nothing(),
  () => decodeURIComponent('%'),
  () => new Array(-1),
  () => JSON.parse('{'),
  () => { const f = () => f(); f() },
  () => 1n + 1,
  () => bot.on('x'),
  () => world.getBlockAtPosition(bot, 0, 1n)
];
for (const error of errors) try { error() } catch (e) { caught.push(e) }

const start = [
  own, skills, world, bot, log, console, Vec3, makers, caught, arguments, this,
  skills.placeBlock(bot, 'stone', 1, 0, 1), world.getNearestBlocks(bot, 'dirt', 2), bot.blockAt(new Vec3(0, -1, 0)),
  world.getPosition(bot), bot.inventory.items()
];
const seen = new Set(start);
const queue = [...start];
let functions = 0;
while (queue.length) {
  const value = queue.pop();
  if (typeof value === 'function') {
    functions++;
    for (const text of ['return this', 'return globalThis', 'return typeof host === "undefined" ? null : host']) {
      try {
        const found = value.constructor.constructor === Function ? value.constructor(text).call() : undefined;
        if (found instanceof Promise || found?.next) continue;
        if (found !== undefined && found !== null && found !== own) foreign.push(text);
      } catch { }
    }
  }
  let keys = [];
  try { keys = Reflect.ownKeys(value) } catch { continue }
  for (const key of [...keys, '__proto__', 'constructor']) {
    let next;
    try { next = value[key] } catch (e) { next = e }
    const walks = next !== null && (typeof next === 'object' || typeof next === 'function');
    if (walks && !seen.has(next) && seen.size < 4000) {
      seen.add(next);
      queue.push(next);
    }
  }
}
log(bot, JSON.stringify({ foreign, functions, caught: caught.length === errors.length }));

const names = (
  'global window self module exports __dirname __filename host ask std os scriptArgs print load ' +
  'loadScript read readFile Java ActiveXObject navigator document crypto structuredClone Atomics gc ' +
  'importScripts postMessage EventTarget Temporal Intl ShadowRealm $262 bjson QTS refuse describe'
).split(' ');
const there = (name) => { try { return (0, eval)(`typeof ${name}`) !== 'undefined' } catch { return true } };
log(bot, names.filter(there).join());

const refused = [
  'process.env', 'process.exit()', 'process.mainModule.require("fs")', 'process.binding = 1', '"env" in process',
  'Object.keys(process)', 'Object.getPrototypeOf(process)', 'delete process.env', 'Object.create(process).env',
  'process.constructor.constructor("return 1")', 'require("fs")', 'fetch("http://127.0.0.1")', 'WebAssembly.Memory',
  'new WebSocket("ws://a")', 'new XMLHttpRequest()', 'new Worker("x")', 'Buffer.from("a")', 'Deno.readFile', 'Bun.file',
  'setInterval(() => {}, 1)', 'setImmediate(() => {})'
];
const passes = (text) => { try { (0, eval)(text); return true } catch (e) { return e.name !== 'FeatureRefused' } };
log(bot, refused.filter(passes).join());
const stack = (act) => { try { act() } catch (e) { return e.stack } };
log(bot, new Error('x').stack.includes('/') || stack(() => null.x).includes('/'));
log(bot, stack(() => setTimeout()).includes('/') || stack(() => setTimeout()).includes('runner'));
