/**
 * A replay with executions that is meant to be killed: opens the store, asks again for all that was answered before, then
 * plays the recording over and over, tells of each execution before it sends it and after it is answered.
 */
import { readFileSync, writeSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { GraphState } from '../../src/graph/types.js';
import { openStore } from '../../src/pipeline/openStore.js';
import { parametersFromFlat } from '../../src/pipeline/parameterSet.js';
import { createScenePipeline, type ScenePipeline } from '../../src/pipeline/ScenePipeline.js';
import type { ConfirmedExecution, ExecutionAnswer } from '../../src/protocol/index.js';
import { openRecording } from '../../src/recordings/openRecording.js';
import { readInputMessages } from '../../src/recordings/readInputMessages.js';
import { resolveTopics } from '../../src/recordings/resolveTopics.js';
import type { Expected, VictimLine } from './records.js';

/** Short, so that many are killed while what frames changed is being written. */
const PERIOD_S = 0.1;

async function main([bag, file, expectedFile]: readonly string[]): Promise<void> {
  const expected = JSON.parse(readFileSync(expectedFile ?? '', 'utf8')) as Expected;
  const { parameters } = parametersFromFlat({ 'store.path': file, 'store.period_s': PERIOD_S });
  const store = await openStore(parameters);
  if (store === undefined) throw new Error('a victim needs a store');
  const pipeline = createScenePipeline(parameters, { store });
  const { robot, ledger } = pipeline.workingGraph.state;
  say({ kind: 'opened', notes: store.notes, holding: robot.holding.size, executions: ledger.size });
  await verify(pipeline, expected);
  for (const call of expected.inDoubt) await send(pipeline, call);
  for (let nextId = expected.nextId; ;) nextId = await play(bag ?? '', pipeline, nextId);
}

/** Other arguments: it is the id that counts. */
async function verify({ provider }: ScenePipeline, { answers }: Expected): Promise<void> {
  const wrong: string[] = [];
  for (const [executionId, first] of answers) {
    const again = await provider.applyConfirmedExecution({
      executionId,
      toolName: 'pick',
      arguments: { obj: 'nothing_1' },
      result: {},
      evaluatorVerdict: 'success',
    });
    if (!isDeepStrictEqual(again, { ...first, alreadyApplied: true })) wrong.push(executionId);
  }
  say({ kind: 'verified', count: answers.length, wrong });
}

async function play(bag: string, pipeline: ScenePipeline, firstId: number): Promise<number> {
  const recording = await openRecording(bag);
  const known = new Set<string>();
  let id = firstId;
  for await (const { message } of readInputMessages(recording, resolveTopics(recording.topics))) {
    await pipeline.push(message);
    pipeline.saveWhenDue();
    if (message.kind !== 'depth') continue;
    tellBrief(pipeline, known);
    const call = nextCall(pipeline.workingGraph.state, `kill-${id}`);
    if (call === undefined) continue;
    id += 1;
    await send(pipeline, call);
  }
  await recording.close();
  return id;
}

function tellBrief({ workingGraph }: ScenePipeline, known: Set<string>): void {
  const { brief, state } = workingGraph.handOutBrief();
  const fresh = [...state.entities.values()].filter(({ ref }) => !known.has(ref));
  for (const { ref } of fresh) known.add(ref);
  const refs = fresh.map(({ ref, firstSeen }) => [ref, `${firstSeen.epoch} ${firstSeen.stamp}`] as const);
  say({ kind: 'brief', revision: brief.revision, refs });
}

/** Picks a thing when the hand is empty, else puts it down: a second application would be refused or show. */
function nextCall({ entities, robot }: GraphState, executionId: string): ConfirmedExecution | undefined {
  const things = [...entities.values()].filter(({ kind }) => kind === 'object');
  const support = [...entities.values()].find(({ kind }) => kind === 'support');
  if (things.length === 0 || support === undefined) return undefined;
  const isHeld = !robot.holding.isEmpty();
  const obj = things[Number(executionId.split('-')[1]) % things.length].ref;
  return {
    executionId,
    toolName: isHeld ? 'place' : 'pick',
    arguments: isHeld ? { target: support.ref } : { obj },
    result: {},
    evaluatorVerdict: 'success',
  };
}

async function send({ provider }: ScenePipeline, call: ConfirmedExecution): Promise<void> {
  say({ kind: 'sending', call });
  const answer: ExecutionAnswer = await provider.applyConfirmedExecution(call);
  say({ kind: 'answered', id: call.executionId, answer });
}

/** On its way to the parent before anything else happens. */
function say(line: VictimLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

await main(process.argv.slice(2));
