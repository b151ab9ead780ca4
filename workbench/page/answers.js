/** The values of the inputs of one message, modal or Home tab. */

export class Answers {
  #readers = new Map();

  constructor(earlier = {}) {
    this.earlier = earlier;
  }

  /** Registers `read`, which returns the value of an input in Slack's shape. */
  register(blockId, actionId, read) {
    const block = this.#readers.get(blockId) ?? new Map();
    block.set(actionId, read);
    this.#readers.set(blockId, block);
  }

  /** The value of the same input before it was drawn again. */
  before(blockId, actionId) {
    return this.earlier[blockId]?.[actionId];
  }

  collect() {
    const values = {};
    for (const [blockId, block] of this.#readers) {
      values[blockId] = {};
      for (const [actionId, read] of block) values[blockId][actionId] = read();
    }
    return values;
  }
}
