// A flat arch of stone bricks over a river of ten blocks: two halves grow from their banks and meet in the middle.
const me = world.getPosition(bot).floored();
const RIVER = 10, WIDTH = 3, LEVELS = 4;
const reach = [0, 0, 3, 5];           // how far each course stands out over the river
const first = me.x + LEVELS + 2;      // westernmost column of the river
const last = first + RIVER - 1;

const across = async (block, x, y) => {
    for (let w = 0; w < WIDTH; w++) await skills.placeBlock(bot, block, x, me.y + y, me.z + w);
};

for (const [edge, inward, facing] of [[first, 1, 'east'], [last, -1, 'west']]) {
    for (let y = 0; y < LEVELS; y++) {
        const stair = edge - inward * (LEVELS + 1 - y);
        await across(`stone_brick_stairs[facing=${facing}]`, stair, y);
        for (let x = stair + inward; x !== edge + inward * reach[y]; x += inward) {
            await across('stone_bricks', x, y);
        }
    }
}
log(bot, `Arch bridge ready: ${RIVER} blocks clear.`);
