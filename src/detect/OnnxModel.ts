import { readFileSync } from 'node:fs';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Detection } from '../camera/Detection.js';
import type { ColorImage } from '../camera/RgbdFrame.js';
import { failure, success, type Failure, type Result } from '../math/Result.js';
import type { DecodeSettings, OutputTensor } from './candidates.js';
import { decodeSettings, decoderOf, type Decoder } from './decoders.js';
import type { ModelDescription } from './Description.js';
import { fitPicture, type SourceRect } from './fitPicture.js';
import { InputWriter } from './InputWriter.js';
import { bindInputs, type InputNames } from './bindInputs.js';
import { openSession, type Runtime, type RuntimeCause, type RuntimeOptions } from './openSession.js';

export type ModelCause = RuntimeCause | 'bad_model' | 'wrong_shape';

/** Crops that go through an embedding at once; bounds its memory, changes no result. */
const BATCH = 16;

/**
 * A model that has been tried: its inputs are what the description says, and its answer to an empty picture has the
 * shape that the family needs. Inference blocks its thread, so this lives on one of its own.
 */
export class OnnxModel {
  readonly #writer: InputWriter;
  readonly #buffer: Float32Array<ArrayBuffer>;

  private constructor(
    private readonly runtime: Runtime,
    private readonly session: InferenceSession,
    private readonly description: ModelDescription,
    private readonly names: InputNames,
    readonly notes: readonly string[],
    private readonly reader: { decoder: Decoder; settings: DecodeSettings } | undefined,
  ) {
    this.#writer = new InputWriter(description.input);
    this.#buffer = new Float32Array(this.#inputSize);
  }

  static async open(
    description: ModelDescription,
    options: RuntimeOptions,
  ): Promise<Result<OnnxModel, ModelCause>> {
    const bytes = readFileSync(description.modelPath);
    if (bytes.length === 0)
      return failure('bad_model', `${description.modelPath}: expected a model, found 0 bytes`);
    const opened = await openSession(bytes, description.modelPath, options);
    if (!opened.ok) return opened;
    const { runtime, session, notes } = opened.value;
    const names = bindInputs(session, description);
    if (!names.ok) return names;
    const decoder = decoderOf(description.family);
    const reader = decoder && { decoder, settings: decodeSettings(description, decoder) };
    const model = new OnnxModel(runtime, session, description, names.value, notes, reader);
    return (await model.#try()) ?? success(model);
  }

  async detect(image: ColorImage): Promise<readonly Detection[]> {
    if (this.reader === undefined) throw new Error(`${this.description.source} describes no detector`);
    const fit = fitPicture(image, this.description.input);
    this.#writer.writePicture(image, fit, this.#buffer);
    const outputs = await this.#run(this.#buffer, 1);
    return this.reader.decoder.decode(outputs, fit, this.reader.settings);
  }

  /** One vector of unit length for each rectangle. */
  async embed(image: ColorImage, rects: readonly SourceRect[]): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let first = 0; first < rects.length; first += this.#batch) {
      const batch = rects.slice(first, first + this.#batch);
      const input = new Float32Array(batch.length * this.#inputSize);
      batch.forEach((rect, i) => {
        const target = input.subarray(i * this.#inputSize, (i + 1) * this.#inputSize);
        this.#writer.writeCrop(image, rect, this.description.input, target);
      });
      vectors.push(...rowsOf(await this.#run(input, batch.length), batch.length));
    }
    return vectors;
  }

  async close(): Promise<void> {
    await this.session.release();
  }

  get #inputSize(): number {
    return 3 * this.description.input.width * this.description.input.height;
  }

  get #batch(): number {
    return this.names.anyBatch ? BATCH : 1;
  }

  async #run(input: Float32Array<ArrayBuffer>, count: number): Promise<readonly OutputTensor[]> {
    const { width, height } = this.description.input;
    const feeds: Record<string, Tensor> = {
      [this.names.picture]: new this.runtime.Tensor('float32', input, [count, 3, height, width]),
    };
    if (this.names.targetSizes !== undefined) {
      const size = BigInt64Array.of(BigInt(width), BigInt(height));
      feeds[this.names.targetSizes] = new this.runtime.Tensor('int64', size, [1, 2]);
    }
    const wanted = this.description.outputs ?? this.session.outputNames;
    const found = await this.session.run(feeds, wanted);
    return wanted.map((name) => {
      const { dims, data } = found[name];
      return { name, dims, data: data as unknown as ArrayLike<number> };
    });
  }

  /** Runs an empty picture through: what is wrong shows here, not at the first frame. */
  async #try(): Promise<Failure<ModelCause> | undefined> {
    const { description } = this;
    let outputs: readonly OutputTensor[];
    try {
      outputs = await this.#run(new Float32Array(this.#inputSize), 1);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return failure('bad_model', `${description.modelPath}: does not run: ${reason}`);
    }
    const { width, height } = description.input;
    const expected = this.reader
      ? this.reader.decoder.problem(
          outputs,
          fitPicture({ width, height }, description.input),
          description.labels.length,
        )
      : embeddingProblem(outputs);
    if (expected === undefined) return undefined;
    const found = outputs.map(({ name, dims }) => `${name} ${dims.join('x')}`).join(', ');
    return failure(
      'wrong_shape',
      `${description.source}: family ${description.family}: expected ${expected}, found ${found} in ${description.modelPath}`,
    );
  }
}

function embeddingProblem(outputs: readonly OutputTensor[]): string | undefined {
  const dims = outputs[0]?.dims ?? [];
  return outputs.length === 1 && dims.length === 2 && dims[0] === 1
    ? undefined
    : 'one output of cropsxlength';
}

function rowsOf(outputs: readonly OutputTensor[], count: number): Float32Array[] {
  const [output] = outputs;
  const length = output?.dims[1] ?? 0;
  return Array.from({ length: count }, (_, row) =>
    unit(Float32Array.from({ length }, (_value, i) => output?.data[row * length + i] ?? 0)),
  );
}

function unit(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  return norm > 0 ? vector.map((value) => value / norm) : vector;
}
