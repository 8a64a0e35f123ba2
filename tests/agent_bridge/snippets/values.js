let touched = 0;
const touch = () => { touched++; return 1 };
const trap = new Proxy(function () {}, new Proxy({}, { get() { touched++; } }));
const values = [
  { valueOf: touch, toString: touch, toJSON: touch, [Symbol.toPrimitive]: touch }, trap,
  Symbol('x'), Symbol.iterator, 5n, [1], new Number(1), new String('stone'), () => 1, undefined, null, true,
  NaN, Infinity, -0, '1', new Date(), /x/
];
const answers = [];
for (const value of values) {
  answers.push(
    await skills.placeBlock(bot, value, 1, 0, 1),
    await skills.placeBlock(bot, 'stone', value, 9, 1),
    await skills.placeBlock(bot, 'torch', 1, 9, 1, value),
    await skills.breakBlockAt(bot, value, value, value),
    await skills.fill(bot, value, value),
    await skills.goToPosition(bot, value, value, value)
  );
}
log(bot, touched);
log(bot, answers.every((answer) => typeof answer === 'boolean'));
