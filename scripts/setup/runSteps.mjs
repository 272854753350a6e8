import { say } from './command.mjs';

/** Runs what is not done yet, saying what and how long; a run with nothing to do says nothing. */
export async function runSteps(steps) {
  const open = steps.filter((step) => !step.isDone());
  for (const [index, step] of open.entries()) {
    if (step.isDone()) continue;
    say(`[${index + 1}/${open.length}] ${step.title} …`);
    const start = performance.now();
    await step.run();
    say(`[${index + 1}/${open.length}] done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
}
