// The picture: ground, blocks, marks, camera, and which cell lies under the pointer.

const VERTEX = `
attribute vec2 across;
attribute vec4 paint;
attribute vec4 light;
varying vec3 vPlace;
varying vec2 vAcross;
varying vec4 vPaint;
varying float vShade;
flat varying int vSide;
void main () {
  vPlace = position;
  vAcross = across;
  vPaint = paint;
  vShade = light.x / 3.0;
  vSide = int(light.y + 0.5);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`

// Light from the upper south-east; each block a little lighter or darker than its neighbour; thin lines between blocks.
const FRAGMENT = `
uniform float edges;
uniform float grain;
uniform float contrast;
varying vec3 vPlace;
varying vec2 vAcross;
varying vec4 vPaint;
varying float vShade;
flat varying int vSide;
const float SUN[6] = float[6](0.70, 0.88, 0.52, 1.0, 0.62, 0.80);
float random (vec3 cell) {
  return fract(sin(dot(cell, vec3(12.9898, 78.233, 37.719))) * 43758.5453);
}
void main () {
  vec3 normal = vec3(0.0);
  normal[vSide / 2] = vSide % 2 == 1 ? 1.0 : -1.0;
  float sun = mix(1.0, SUN[vSide], contrast);
  float shade = mix(1.0, mix(0.56, 1.0, vShade), contrast);
  float own = 1.0 + grain * (random(floor(vPlace - normal * 0.02)) - 0.5);
  vec2 width = fwidth(vAcross);
  vec2 far = abs(fract(vAcross - 0.5) - 0.5) / max(width, vec2(1e-5));
  float line = 1.0 - smoothstep(0.4, 1.5, min(far.x, far.y));
  float near = 1.0 - smoothstep(0.10, 0.30, max(width.x, width.y));
  vec3 colour = vPaint.rgb * sun * shade * own * (1.0 - edges * 0.26 * line * near);
  gl_FragColor = vec4(colour, vPaint.a);
}`

const GROUND_VERTEX = `
varying vec3 vPlace;
void main () {
  vec4 place = modelMatrix * vec4(position, 1.0);
  vPlace = place.xyz;
  gl_Position = projectionMatrix * viewMatrix * place;
}`

const GROUND_FRAGMENT = `
uniform vec3 soil;
uniform vec3 ink;
uniform float opacity;
uniform vec4 box;      // least x, least z, greatest x, greatest z of the build
uniform float reach;   // how far the ground goes on around it
uniform float major;   // cells between strong lines
varying vec3 vPlace;
float lines (vec2 at) {
  vec2 width = fwidth(at);
  vec2 far = abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6));
  float line = 1.0 - smoothstep(0.0, 1.3, min(far.x, far.y));
  return line * (1.0 - smoothstep(0.15, 0.45, max(width.x, width.y)));
}
void main () {
  vec2 at = vPlace.xz;
  vec2 out2 = max(max(box.xy - at, at - box.zw), vec2(0.0));
  float fade = 1.0 - smoothstep(reach * 0.45, reach, length(out2));
  float line = max(lines(at) * 0.22, lines(at / major) * 0.45);
  gl_FragColor = vec4(mix(soil, ink, line), opacity * fade + line * fade * 0.5 * (1.0 - opacity));
}`

class Stage {
  constructor (canvas) {
    this.canvas = canvas
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true })
    THREE.ColorManagement.enabled = false // colours go to the screen as they are given
    this.renderer.outputColorSpace = 'srgb-linear'
    this.scene = new THREE.Scene()
    this.camera = new THREE.PerspectiveCamera(26, 1, 0.1, 1000)
    this.controls = new THREE.OrbitControls(this.camera, canvas)
    this.controls.enableDamping = false
    this.controls.zoomToCursor = true
    this.controls.addEventListener('change', () => this.draw())
    this.uniforms = { edges: { value: 1 }, grain: { value: 0.06 }, contrast: { value: 1 } }
    const own = { uniforms: this.uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT }
    this.solid = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.ShaderMaterial(own))
    this.clear = new THREE.Mesh(new THREE.BufferGeometry(),
      new THREE.ShaderMaterial({ ...own, transparent: true, depthWrite: false }))
    this.solid.material.polygonOffset = true // lines around cells lie on top
    this.solid.material.polygonOffsetFactor = 1
    this.solid.material.polygonOffsetUnits = 1
    this.clear.renderOrder = 2
    this.ground = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShaderMaterial({
      uniforms: {
        soil: { value: new THREE.Vector3() }, ink: { value: new THREE.Vector3() }, opacity: { value: 1 },
        box: { value: [0, 0, 0, 0] }, reach: { value: 8 }, major: { value: 5 }
      },
      vertexShader: GROUND_VERTEX, fragmentShader: GROUND_FRAGMENT, transparent: true, depthWrite: false, side: 2
    }))
    this.ground.rotation.x = -Math.PI / 2
    this.ground.renderOrder = 1
    this.frames = {} // lines around cells, by purpose
    this.labels = []
    this.scene.add(this.solid, this.clear, this.ground)
    this.waiting = false
  }

  // Draw before the next frame is shown, once.
  draw () {
    if (this.waiting) return
    this.waiting = true
    requestAnimationFrame(() => this.drawNow())
  }

  drawNow () {
    this.waiting = false
    this.renderer.render(this.scene, this.camera)
    if (this.onDraw) this.onDraw()
  }

  resize () {
    const { clientWidth: wide, clientHeight: high } = this.canvas.parentElement
    if (!wide || !high) return
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2))
    this.renderer.setSize(wide, high, false)
    this.camera.aspect = wide / high
    this.camera.updateProjectionMatrix()
    this.draw()
  }

  // Put the ground under a world and the camera where it sees all of it.
  place (world, dark) {
    const [low, high] = world.framed
    const size = [0, 1, 2].map(a => Math.max(high[a] - low[a] + 1, 1))
    this.middle = [0, 1, 2].map(a => low[a] + size[a] / 2)
    this.reach = Math.max(4, 0.3 * Math.max(size[0], size[2]))
    this.letter = Math.min(Math.max(0.042 * Math.max(size[0], size[2]), 0.5), 0.5 + 0.25 * Math.min(size[0], size[2]), 12)
    const uniforms = this.ground.material.uniforms
    uniforms.box.value = [low[0], low[2], low[0] + size[0], low[2] + size[2]]
    uniforms.reach.value = this.reach
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(s => Math.max(size[0], size[2]) / s <= 8) || 2000
    uniforms.major.value = Math.max(step, 5)
    uniforms.opacity.value = low[1] < 0 ? 0.35 : 0.85
    this.ground.scale.set(size[0] + 2 * this.reach, size[2] + 2 * this.reach, 1)
    this.ground.position.set(this.middle[0], -0.02, this.middle[2])
    this.step = step
    this.box = { low, high, size }
    this.paintGround(dark)
    this.look('home')
  }

  paintGround (dark) {
    const uniforms = this.ground.material.uniforms
    uniforms.soil.value.set(...(dark ? [0.17, 0.19, 0.18] : [0.84, 0.86, 0.80]))
    uniforms.ink.value.set(...(dark ? [0.62, 0.66, 0.64] : [0.36, 0.40, 0.36]))
    for (const label of this.labels) {
      this.scene.remove(label)
      label.material.map.dispose()
      label.material.dispose()
      label.geometry.dispose()
    }
    this.labels = []
    const { low, size } = this.box
    const ink = dark ? '#c9d1cc' : '#4a524c'
    const letter = this.letter
    const deep = Math.min(Math.max(-low[1], 0), 4) * 0.8 // so that letters do not stand before what lies below ground
    const south = low[2] + size[2] + deep
    const east = low[0] + size[0] + deep
    const write = (text, x, z, high) => {
      const label = groundText(text, ink, high)
      label.position.set(x, 0.01, z)
      label.visible = this.ground.visible
      this.labels.push(label)
      this.scene.add(label)
    }
    const first = v => Math.ceil(v / this.step) * this.step
    for (let x = first(low[0]); x < low[0] + size[0]; x += this.step) write(String(x), x + 0.5, south + letter, letter)
    for (let z = first(low[2]); z < low[2] + size[2]; z += this.step) write(String(z), east + letter * 1.2, z + 0.5, letter)
    write('x →', low[0] + size[0] / 2, south + letter * 2.4, letter)
    write('z ↓', east + letter * 3.6, low[2] + size[2] / 2, letter)
    const off = letter * 1.5
    write('N', low[0] + size[0] / 2, low[2] - off, letter * 1.5)
    write('W', low[0] - off, low[2] + size[2] / 2, letter * 1.5)
  }

  showGround (shown) {
    this.ground.visible = shown
    for (const label of this.labels) label.visible = shown
    this.draw()
  }

  // A named view; the target goes back to the middle of the build.
  look (from) {
    const directions = {
      home: [0.62, 0.52, 1], north: [0, 0.12, -1], south: [0, 0.12, 1], east: [1, 0.12, 0], west: [-1, 0.12, 0],
      top: [0, 1, 0.001]
    }
    const d = new THREE.Vector3(...directions[from]).normalize()
    const target = this.controls.target.set(...this.middle)
    const away = this.distance(d)
    this.camera.position.copy(target).addScaledVector(d, away)
    this.camera.near = Math.max(away / 1000, 0.05)
    this.camera.far = away * 20
    this.camera.updateProjectionMatrix()
    this.controls.maxDistance = away * 8
    this.controls.minDistance = 0.5
    this.controls.update()
    this.draw()
  }

  // How far off the whole box is seen, looking from a direction: each corner must lie within the picture's sides.
  distance (d) {
    const up = Math.tan(this.camera.fov * Math.PI / 360) * 0.92
    const across = up * this.camera.aspect
    this.camera.position.copy(this.controls.target).add(d)
    this.camera.lookAt(this.controls.target)
    const back = this.camera.quaternion.clone().invert()
    const { low, size } = this.box
    const pad = this.letter * 2
    let away = 1.5
    for (let n = 0; n < 8; n++) {
      const corner = [0, 1, 2].map(a => low[a] + ((n >> a) & 1 ? size[a] : 0) - this.middle[a])
      corner[0] += Math.sign(corner[0]) * pad
      corner[2] += Math.sign(corner[2]) * pad
      const at = new THREE.Vector3(...corner).applyQuaternion(back)
      away = Math.max(away, at.z + Math.abs(at.x) / across, at.z + Math.abs(at.y) / up)
    }
    return away
  }

  // Turn by angles, come nearer by a factor, or move across the picture by shares of the distance.
  turn (around, up) {
    const offset = this.camera.position.clone().sub(this.controls.target)
    const length = offset.length()
    const azimuth = Math.atan2(offset.x, offset.z) + around
    const height = Math.min(Math.max(Math.acos(offset.y / length) - up, 0.01), Math.PI - 0.01)
    offset.set(Math.sin(height) * Math.sin(azimuth), Math.cos(height), Math.sin(height) * Math.cos(azimuth))
    this.camera.position.copy(this.controls.target).addScaledVector(offset, length)
    this.controls.update()
  }

  zoom (factor) {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor)
    this.camera.position.copy(this.controls.target).add(offset)
    this.controls.update()
  }

  move (right, up) {
    const away = this.camera.position.distanceTo(this.controls.target)
    const step = new THREE.Vector3(right * away, up * away, 0).applyQuaternion(this.camera.quaternion)
    this.camera.position.add(step)
    this.controls.target.add(step)
    this.controls.update()
  }

  azimuth () {
    const d = this.camera.position.clone().sub(this.controls.target)
    return Math.atan2(d.x, d.z)
  }

  show (mesh, flat) {
    for (const name of ['solid', 'clear']) {
      this[name].geometry.dispose()
      this[name].geometry = mesh[name].geometry()
    }
    this.uniforms.grain.value = flat ? 0 : 0.06
    this.uniforms.contrast.value = flat ? 0.75 : 1
    this.draw()
  }

  // Lines around boxes [x0, y0, z0, x1, y1, z1], a colour each or one for all, seen through what stands before them
  // where asked.
  frame (purpose, boxes, colours, through) {
    if (this.frames[purpose]) {
      this.scene.remove(this.frames[purpose])
      this.frames[purpose].geometry.dispose()
      this.frames[purpose].material.dispose()
      delete this.frames[purpose]
    }
    if (boxes.length) {
      const points = new Float32Array(boxes.length * 72)
      boxes.forEach((box, n) => points.set(edgesOf(box), n * 72))
      const geometry = new THREE.BufferGeometry()
      geometry.setAttribute('position', new THREE.BufferAttribute(points, 3))
      const colour = new Uint8Array(boxes.length * 72)
      for (let i = 0; i < colour.length; i++) colour[i] = colours[Math.floor(i / 72) % colours.length][i % 3]
      geometry.setAttribute('color', new THREE.BufferAttribute(colour, 3, true))
      const material = new THREE.LineBasicMaterial({ vertexColors: true, depthTest: !through, transparent: true })
      this.frames[purpose] = new THREE.LineSegments(geometry, material)
      this.frames[purpose].renderOrder = 5
      this.scene.add(this.frames[purpose])
    }
    this.draw()
  }

  // The cell under a point of the canvas (shares −1 to 1), or −1: walks from cell to cell along the line of sight.
  pick (px, py, world, book, seen) {
    this.camera.updateMatrixWorld()
    const from = this.camera.position.toArray()
    const to = new THREE.Vector3(px, py, 0.5).unproject(this.camera).sub(this.camera.position).normalize().toArray()
    const [enter, leave] = through(from, to, [...world.low, ...world.high.map(v => v + 1)])
    if (enter > leave) return -1
    const start = Math.max(enter, 0) + 1e-4
    const at = from.map((v, a) => Math.floor(v + to[a] * start))
    const step = to.map(v => Math.sign(v))
    const gap = to.map(v => v === 0 ? Infinity : Math.abs(1 / v))
    const next = to.map((v, a) => v === 0 ? Infinity : (at[a] + (v > 0 ? 1 : 0) - from[a]) / v)
    for (let reached = start; reached <= leave;) {
      const i = world.grid.get(...at)
      if (i >= 0 && world.state[i] >= 0 && seen(i)) {
        const boxes = book.boxes[book.states[world.state[i]].shape]
        const hit = boxes.some(box => {
          const [a, b] = through(from, to, box.map((v, k) => v + at[k % 3]))
          return a <= b && b >= 0
        })
        if (hit) return i
      }
      const axis = next.indexOf(Math.min(...next))
      reached = next[axis]
      next[axis] += gap[axis]
      at[axis] += step[axis]
    }
    return -1
  }

  // How many pixels show something and in how many colours, for tests.
  pixels () {
    this.drawNow()
    const gl = this.renderer.getContext()
    const [wide, high] = [gl.drawingBufferWidth, gl.drawingBufferHeight]
    const data = new Uint8Array(wide * high * 4)
    gl.readPixels(0, 0, wide, high, gl.RGBA, gl.UNSIGNED_BYTE, data)
    const colours = new Set()
    let filled = 0
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] < 250) continue
      filled++
      colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2])
    }
    return { wide, high, filled, colours: colours.size }
  }
}

// Where a line enters and leaves a box.
function through (from, to, box) {
  let enter = -Infinity
  let leave = Infinity
  for (let a = 0; a < 3; a++) {
    if (to[a] === 0) {
      if (from[a] < box[a] || from[a] > box[a + 3]) return [1, 0]
      continue
    }
    const one = (box[a] - from[a]) / to[a]
    const two = (box[a + 3] - from[a]) / to[a]
    enter = Math.max(enter, Math.min(one, two))
    leave = Math.min(leave, Math.max(one, two))
  }
  return [enter, leave]
}

function edgesOf ([x0, y0, z0, x1, y1, z1]) {
  const out = []
  for (const y of [y0, y1]) {
    out.push(x0, y, z0, x1, y, z0, x1, y, z0, x1, y, z1, x1, y, z1, x0, y, z1, x0, y, z1, x0, y, z0)
  }
  for (const [x, z] of [[x0, z0], [x1, z0], [x1, z1], [x0, z1]]) out.push(x, y0, z, x, y1, z)
  return out
}

// A text lying on the ground, readable from the south.
function groundText (text, ink, high) {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  const font = '600 56px system-ui, sans-serif'
  pen.font = font
  canvas.width = Math.ceil(pen.measureText(text).width) + 8
  canvas.height = 72
  pen.font = font
  pen.fillStyle = ink
  pen.textBaseline = 'middle'
  pen.fillText(text, 4, 38)
  const map = new THREE.CanvasTexture(canvas)
  map.anisotropy = 4
  const material = new THREE.MeshBasicMaterial({ map, transparent: true, depthWrite: false, side: 2 })
  const label = new THREE.Mesh(new THREE.PlaneGeometry(high * canvas.width / 72, high), material)
  label.rotation.x = -Math.PI / 2
  label.renderOrder = 3
  return label
}
