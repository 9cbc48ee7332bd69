import { PbfReader, PbfWriter } from 'pbf';

/** One field of a protobuf message, tag included, its value still encoded. */
export class Field {
  constructor(
    readonly number: number,
    /** Tag and value, as they stood. */
    readonly raw: Uint8Array,
    private readonly valueAt: number,
  ) {}

  int(): number {
    return this.#value().readVarint(true);
  }

  /** A repeated integer's values: packed, or the one of this field. */
  ints(): number[] {
    const reader = this.#value();
    return this.#wireType() === 2 ? reader.readPackedVarint([], true) : [reader.readVarint(true)];
  }

  float(): number {
    return this.#value().readFloat();
  }

  text(): string {
    return this.#value().readString();
  }

  /** The value of a string, bytes or message field, without its length. Not a copy. */
  bytes(): Uint8Array {
    return this.#value().readBytes();
  }

  #value(): PbfReader {
    const reader = new PbfReader(this.raw);
    reader.pos = this.valueAt;
    reader.type = this.#wireType();
    return reader;
  }

  #wireType(): number {
    return (this.raw[0] ?? 0) & 7;
  }
}

/** The fields of an encoded message, in order. Throws where it is cut short or is no protobuf. */
export function* fields(message: Uint8Array): Generator<Field> {
  const reader = new PbfReader(message);
  for (let start = 0; ; start = reader.pos) {
    const number = reader.nextField();
    if (number === 0) return;
    const value = reader.pos;
    reader.skip(reader.type);
    if (reader.pos > message.length) throw new Error('the protobuf ends in the middle of a field');
    yield new Field(number, message.subarray(start, reader.pos), value - start);
  }
}

/** A message being written. Chunks are kept as they come and copied once, in `finish`: a graph may hold its weights. */
export class Message {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  raw(bytes: Uint8Array): this {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    return this;
  }

  int(field: number, value: number): this {
    const writer = new PbfWriter();
    writer.writeTag(field, 0);
    writer.writeVarint(value);
    return this.raw(writer.finish());
  }

  float(field: number, value: number): this {
    const writer = new PbfWriter();
    writer.writeTag(field, 5);
    writer.writeFloat(value);
    return this.raw(writer.finish());
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#lengthOf(field, value.length).raw(value);
  }

  message(field: number, value: Message): this {
    this.#lengthOf(field, value.#length);
    for (const chunk of value.#chunks) this.raw(chunk);
    return this;
  }

  finish(): Uint8Array {
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }

  #lengthOf(field: number, length: number): this {
    const writer = new PbfWriter();
    writer.writeTag(field, 2);
    writer.writeVarint(length);
    return this.raw(writer.finish());
  }
}
