/** The in-process provider in a process of its own: a request a line in, an answer a line out. */
import { createInterface } from 'node:readline';
import { executionHash } from '../../src/graph/executionHash.js';
import { openStore } from '../../src/pipeline/openStore.js';
import { parametersFromFlat } from '../../src/pipeline/parameterSet.js';
import { createScenePipeline } from '../../src/pipeline/ScenePipeline.js';
import type { ConfirmedExecution } from '../../src/protocol/index.js';
import { frameOf } from './scriptedWorld.js';

export type KillableRequest =
  { readonly id: number; readonly apply: ConfirmedExecution } | { readonly id: number; readonly hash: true };

const { parameters } = parametersFromFlat({ 'store.path': process.argv[2] });
const store = await openStore(parameters);
const { workingGraph, provider } = createScenePipeline(parameters, { ...(store && { store }) });
if (workingGraph.state.entities.isEmpty()) {
  for (let k = 0; k < 12; k++) await workingGraph.submit({ kind: 'observation', frame: frameOf(k, 3) });
}
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as KillableRequest;
  const answer =
    'hash' in request
      ? Promise.resolve(executionHash(workingGraph.state))
      : provider.applyConfirmedExecution(request.apply);
  void answer.then((content) => process.stdout.write(`${JSON.stringify({ id: request.id, content })}\n`));
}
