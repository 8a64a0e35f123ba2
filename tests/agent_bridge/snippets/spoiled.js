const spoil = () => { throw new Error('spoiled') };
const wrong = () => 'wrong';
for (const value of [Object.prototype, Array.prototype, String.prototype, Number.prototype]) {
  Object.defineProperty(value, 'toJSON', { __proto__: null, value: wrong, configurable: true, writable: true });
}
const nothing = { __proto__: null, get: () => undefined, set: () => {}, configurable: true };
for (const key of ['name', 'message', 'stack', 'end', 'value', 'then']) {
  Object.defineProperty(Object.prototype, key, nothing);
}
const all = [
  Array.prototype, ['map', 'push', 'join', 'slice', 'forEach', 'concat', Symbol.iterator],
  String.prototype, ['slice', 'split', 'indexOf', 'toString', 'valueOf', Symbol.iterator],
  Promise.prototype, ['then', 'catch', 'finally'],
  Promise, ['resolve', 'reject', 'all'],
  JSON, ['parse', 'stringify'],
  Reflect, ['apply', 'construct', 'ownKeys'],
  Function.prototype, ['call', 'bind', 'apply', 'toString'],
  WeakSet.prototype, ['has', 'add'],
  RegExp.prototype, ['exec', 'test', Symbol.split],
  Object, ['freeze', 'create', 'keys', 'defineProperty'],
  Math, ['floor', 'min', 'max', 'imul'],
  Number, ['isFinite'],
  Array, ['isArray'],
  globalThis, ['String', 'Number', 'Error', 'Object', 'Array', 'Promise', 'Proxy', 'WeakSet', 'Symbol'],
  globalThis, ['Reflect', 'JSON', 'Math']
];
for (let i = 0; i < all.length; i += 2) for (let j = 0; j < all[i + 1].length; j++) all[i][all[i + 1][j]] = spoil;
const held = skills.placeBlock(bot, 'stone', 1, 0, 1);
const answer = await held;
log(bot, answer);
await skills.placeBlock(bot, 'stone', 2.7, 0, 1);
await skills.placeBlock(bot, 'stone', 2, 5, 1);
log(bot, world.getPosition(bot).x);
setTimeout(() => {}, 1);
