// Loaded ahead of a program: its clock is that of the machine, moved by SHIFT_DATE milliseconds.
const shift = Number(process.env.SHIFT_DATE)
const Machine = Date

globalThis.Date = class Moved extends Machine {
  constructor(...given) {
    if (given.length === 0) super(Machine.now() + shift)
    else super(...given)
  }

  static now() {
    return Machine.now() + shift
  }
}
