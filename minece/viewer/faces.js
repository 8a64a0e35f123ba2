// From cells to triangles: only faces that can be seen, equal neighbours on whole cubes merged into one rectangle.

const STEP = [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]] // west east down up north south
const BORDER = 1e-4

// A shape is a list of boxes. `whole`: one cube. `covers`: bit d set where side d is closed by one box.
// `sides[d]`: the rectangles lying in side d. `faces`: [side, plane, u0, v0, u1, v1, on the border].
function readShape (boxes) {
  const sides = [[], [], [], [], [], []]
  const faces = []
  let covers = 0
  boxes.forEach((box, number) => {
    for (let d = 0; d < 6; d++) {
      const axis = d >> 1
      const u = (axis + 1) % 3
      const v = (axis + 2) % 3
      const plane = d & 1 ? box[axis + 3] : box[axis]
      const rectangle = [box[u], box[v], box[u + 3], box[v + 3]]
      const border = d & 1 ? plane > 1 - BORDER : plane < BORDER
      const hidden = boxes.some((other, k) => k !== number &&
        Math.abs((d & 1 ? other[axis] : other[axis + 3]) - plane) < BORDER &&
        holds([other[u], other[v], other[u + 3], other[v + 3]], rectangle))
      if (hidden) continue
      faces.push([d, plane, ...rectangle, border])
      if (!border) continue
      sides[d].push(rectangle)
      if (holds(rectangle, [0, 0, 1, 1])) covers |= 1 << d
    }
  })
  return { sides, faces, covers, whole: boxes.length === 1 && covers === 63 }
}

function holds (outer, inner) {
  return outer[0] <= inner[0] + BORDER && outer[1] <= inner[1] + BORDER &&
    outer[2] >= inner[2] - BORDER && outer[3] >= inner[3] - BORDER
}

const INSET = 0.02 // of marks from the sides of their cells
const OVERLAP = 0.003 // by which rectangles reach over each other, so that no light shines through between them

// Growing arrays of corners, four a rectangle.
class Rectangles {
  constructor () {
    this.count = 0
    this.room = 256
    this.position = new Float32Array(this.room * 12)
    this.across = new Float32Array(this.room * 8)
    this.colour = new Uint8Array(this.room * 16)
    this.light = new Uint8Array(this.room * 16)
  }

  grow () {
    this.room *= 2
    for (const name of ['position', 'across', 'colour', 'light']) {
      const old = this[name]
      this[name] = new old.constructor(old.length * 2)
      this[name].set(old)
    }
  }

  // `low` is the corner of least coordinates, `du` and `dv` the lengths along the next two axes, `nu` and `nv` the
  // number of cells across, `shade` the light in the corners 00, 10, 11, 01, two bits each.
  add (side, low, du, dv, nu, nv, colour, shade) {
    if (this.count === this.room) this.grow()
    const axis = side >> 1
    const u = (axis + 1) % 3
    const v = (axis + 2) % 3
    const corners = side & 1 ? [0, 1, 2, 3] : [0, 3, 2, 1]
    // The diagonal runs between the lighter corners, so that shade in one corner stays there.
    const at = n => (shade >> (2 * n)) & 3
    if (at(0) + at(2) < at(1) + at(3)) corners.push(corners.shift())
    for (let n = 0; n < 4; n++) {
      const corner = corners[n]
      const a = corner === 1 || corner === 2 ? 1 : 0
      const b = corner >= 2 ? 1 : 0
      const i = this.count * 4 + n
      this.position[i * 3] = low[0]
      this.position[i * 3 + 1] = low[1]
      this.position[i * 3 + 2] = low[2]
      this.position[i * 3 + u] += a * du + (a * 2 - 1) * OVERLAP
      this.position[i * 3 + v] += b * dv + (b * 2 - 1) * OVERLAP
      this.across[i * 2] = a * nu
      this.across[i * 2 + 1] = b * nv
      this.colour.set(colour, i * 4)
      this.light[i * 4] = at(corner)
      this.light[i * 4 + 1] = side
    }
    this.count++
  }

  geometry () {
    const out = new THREE.BufferGeometry()
    const corners = this.count * 4
    const set = (name, array, size, normalized) =>
      out.setAttribute(name, new THREE.BufferAttribute(array.slice(0, corners * size), size, normalized))
    set('position', this.position, 3, false)
    set('across', this.across, 2, false)
    set('paint', this.colour, 4, true)
    set('light', this.light, 4, false)
    const index = new Uint32Array(this.count * 6)
    for (let q = 0; q < this.count; q++) index.set([0, 1, 2, 0, 2, 3].map(n => q * 4 + n), q * 6)
    out.setIndex(new THREE.BufferAttribute(index, 1))
    out.computeBoundingSphere()
    return out
  }
}

// The rectangles of a world: { solid, clear, faces, rectangles }, the last two without marks. `book.shapes` are read shapes; `seen(i)` tells whether cell i is
// shown; `code(i)` is the number of its paint in `colours`, rows of red, green, blue, opacity from 0 to 255;
// `soil` tells whether the ground darkens what stands on it; `marks` are empty cells to be filled with a
// `colour` each.
function meshOf (world, book, seen, { code, colours }, soil, marks) {
  const { grid, x, y, z, state, count } = world
  const solid = new Rectangles()
  const clear = new Rectangles()
  const shown = new Uint8Array(count)
  const paint = new Int32Array(count)
  for (let i = 0; i < count; i++) {
    if (state[i] >= 0 && seen(i)) {
      shown[i] = 1
      paint[i] = code(i)
    }
  }
  const shape = i => book.shapes[book.states[state[i]].shape]
  const isClear = i => colours[paint[i]][3] < 255
  const dark = (px, py, pz, above) => { // whether a cell takes light away from its neighbours
    const i = grid.get(px, py, pz)
    if (i >= 0 && shown[i]) return shape(i).whole && !isClear(i) ? 1 : 0
    return soil && above && py < 0 && !world.holes.has(`${px},${py},${pz}`) ? 1 : 0
  }
  const shade = (i, side, out) => { // light in the corners of a side, 0 to 3 each, see Rectangles.add
    const at = [x[i], y[i], z[i]]
    const axis = side >> 1
    if (out) at[axis] += STEP[side][axis]
    const above = at[1] >= 0
    const u = (axis + 1) % 3
    const v = (axis + 2) % 3
    let bits = 0
    for (let n = 0; n < 4; n++) {
      const one = [...at]
      const two = [...at]
      one[u] += n === 1 || n === 2 ? 1 : -1
      two[v] += n >= 2 ? 1 : -1
      const a = dark(one[0], one[1], one[2], above)
      const b = dark(two[0], two[1], two[2], above)
      one[v] = two[v]
      bits |= (a && b ? 0 : 3 - a - b - dark(one[0], one[1], one[2], above)) << (2 * n)
    }
    return bits
  }
  const hidden = (i, side, rectangle) => { // whether a neighbour covers what lies in a side of the cell
    const [dx, dy, dz] = STEP[side]
    const j = grid.get(x[i] + dx, y[i] + dy, z[i] + dz)
    if (j < 0 || !shown[j]) return false
    const other = shape(j)
    const opaque = !isClear(j)
    if (!opaque && !(isClear(i) && state[i] === state[j])) return false
    const facing = side ^ 1
    return ((other.covers >> facing) & 1) === 1 || (rectangle !== null && other.sides[facing].some(r => holds(r, rectangle)))
  }

  // Sides of whole cubes first get a key each: paint and shade; 0 is no side.
  const keys = STEP.map(() => new Uint32Array(count))
  let faces = 0
  for (let i = 0; i < count; i++) {
    if (!shown[i]) continue
    const here = shape(i)
    const glassy = isClear(i)
    if (here.whole) {
      for (let side = 0; side < 6; side++) {
        if (hidden(i, side, null)) continue
        keys[side][i] = paint[i] * 256 + (glassy ? 255 : shade(i, side, true)) + 1
        faces++
      }
      continue
    }
    const into = glassy ? clear : solid
    for (const [side, plane, u0, v0, u1, v1, border] of here.faces) {
      if (border && hidden(i, side, [u0, v0, u1, v1])) continue
      const axis = side >> 1
      const low = [x[i], y[i], z[i]]
      low[axis] += plane
      low[(axis + 1) % 3] += u0
      low[(axis + 2) % 3] += v0
      into.add(side, low, u1 - u0, v1 - v0, 1, 1, colours[paint[i]], glassy ? 255 : shade(i, side, border))
      faces++
    }
  }

  // Then each side grows along u, and the row along v, as long as the key is the same and the shade does not change.
  for (let side = 0; side < 6; side++) {
    const key = keys[side]
    const axis = side >> 1
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3]
    const next = (at, du, dv) => {
      const place = [...at]
      place[u] += du
      place[v] += dv
      return grid.get(place[0], place[1], place[2])
    }
    for (let i = 0; i < count; i++) {
      const wanted = key[i]
      if (!wanted) continue
      const bits = (wanted - 1) & 255
      const [c0, c1, c2, c3] = [bits & 3, (bits >> 2) & 3, (bits >> 4) & 3, bits >> 6]
      const at = [x[i], y[i], z[i]]
      const same = j => j >= 0 && key[j] === wanted
      let wide = 1
      let high = 1
      if (c0 === c1 && c2 === c3) while (same(next(at, wide, 0))) wide++
      if (c0 === c3 && c1 === c2) {
        for (; ; high++) {
          let whole = true
          for (let n = 0; n < wide && whole; n++) whole = same(next(at, n, high))
          if (!whole) break
        }
      }
      for (let m = 0; m < high; m++) for (let n = 0; n < wide; n++) key[next(at, n, m)] = 0
      const low = [...at]
      low[axis] += side & 1
      const colour = colours[Math.floor((wanted - 1) / 256)]
      ;(colour[3] < 255 ? clear : solid).add(side, low, wide, high, wide, high, colour, bits)
    }
  }
  const rectangles = solid.count + clear.count
  const marked = new Set(marks.map(mark => String(mark.cell)))
  for (const { cell, colour } of marks) {
    for (let side = 0; side < 6; side++) {
      const axis = side >> 1
      if (marked.has(String(cell.map((value, a) => value + STEP[side][a])))) continue
      const low = [...cell]
      low[axis] += side & 1 ? 1 - INSET : INSET
      clear.add(side, low, 1, 1, 1, 1, [...colour, 120], 255)
    }
  }
  return { solid, clear, faces, rectangles }
}
