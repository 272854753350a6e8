import type * as Onnx from 'onnxruntime-node';
import type { InferenceSession } from 'onnxruntime-node';
import { failure, success, type Result } from '../math/Result.js';

export interface RuntimeOptions {
  /** Execution providers of onnxruntime in the order of preference; the CPU stands behind them all. */
  readonly providers?: readonly string[];
  /** Threads that one picture is worked on with, at least 1. */
  readonly threads?: number;
}

export type RuntimeCause = 'no_runtime' | 'bad_model';

export type Runtime = typeof Onnx;

export interface OpenedSession {
  readonly runtime: Runtime;
  readonly session: InferenceSession;
  /** One sentence for each provider that could not be had. */
  readonly notes: readonly string[];
}

/**
 * Loads onnxruntime and, in it, a model. Each provider is tried alone: onnxruntime leaves out those it does not
 * know without a word, and fails as a whole when one of several cannot start.
 */
export async function openSession(
  bytes: Uint8Array,
  modelPath: string,
  { providers = [], threads = 1 }: RuntimeOptions,
): Promise<Result<OpenedSession, RuntimeCause>> {
  const loaded = await loadRuntime();
  if (!loaded.ok) return loaded;
  const runtime = loaded.value;
  const wanted = providers.filter((name) => name !== 'cpu');
  const known = runtime.listSupportedBackends().map(({ name }) => name);
  const notes: string[] = [];
  for (const provider of [...wanted, 'cpu']) {
    if (!known.includes(provider)) {
      notes.push(`provider ${provider} is not in this build of onnxruntime (${known.join(', ')})`);
      continue;
    }
    try {
      return success({
        runtime,
        session: await create(runtime, bytes, provider, threads),
        notes: told(notes, provider),
      });
    } catch (error) {
      const reason = reasonOf(error);
      // What the CPU refuses is the model's fault.
      if (provider === 'cpu')
        return failure('bad_model', `${modelPath}: expected a model, found ${bytes.length} bytes: ${reason}`);
      notes.push(`provider ${provider} cannot be used: ${reason}`);
    }
  }
  return failure('no_runtime', 'onnxruntime has no CPU provider');
}

function told(notes: readonly string[], provider: string): readonly string[] {
  return notes.map((note) => `${note}; ${provider} is used instead`);
}

async function loadRuntime(): Promise<Result<Runtime, 'no_runtime'>> {
  try {
    const module = (await import('onnxruntime-node')) as Runtime & { default?: Runtime };
    const runtime = module.default ?? module;
    // It warns of each constant of an older model; what fails comes back as an error all the same.
    runtime.env.logLevel = 'fatal';
    return success(runtime);
  } catch (error) {
    return failure(
      'no_runtime',
      `a detector needs the package onnxruntime-node, which cannot be loaded: ${reasonOf(error)}`,
    );
  }
}

function create(
  runtime: Runtime,
  bytes: Uint8Array,
  provider: string,
  threads: number,
): Promise<InferenceSession> {
  return runtime.InferenceSession.create(bytes, {
    executionProviders: [provider],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Threads that wait for work spin; between two pictures they would take the cores from everything else.
    extra: { session: { force_spinning_stop: '1' } },
  });
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
