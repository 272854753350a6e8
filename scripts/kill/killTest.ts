import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConfirmedExecution, ExecutionAnswer } from '../../src/protocol/index.js';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { SeededRandom } from '../../src/simulate/SeededRandom.js';
import { simulate } from '../../src/simulate/simulate.js';
import type { Expected, VictimLine } from './records.js';

export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  /** Where recording and store go. */
  readonly folder: string;
  readonly onKill?: (counts: KillCounts) => void;
}

/** What was counted; the last five must stay 0. */
export interface KillCounts {
  kills: number;
  /** Executions that were answered with success, and the calls that repeated them after a restart. */
  answered: number;
  repeated: number;
  /** Sent when the kill came: of those, stored before it, and not. */
  inDoubtStored: number;
  inDoubtNot: number;
  /** Distinct refs that were shown. */
  refs: number;
  /** Restarts at which the store did not open, or had lost an answered execution; hands that were not as told. */
  notOpened: number;
  lost: number;
  twice: number;
  /** Refs that came to name another thing, and revisions that fell. */
  refsReused: number;
  revisionsFell: number;
}

/** A victim that has not come up by then has failed, ms. */
const START_LIMIT_MS = 60_000;
/**
 * The kill comes after this many words of the victim at most, so that as much is done on a slow machine as on a fast one,
 * and this long after them at most, ms, in the middle of what the next word would tell.
 */
const MOST_WORDS = 120;
const LONGEST_MS = 30;

/** When a victim is killed. */
interface KillMoment {
  readonly words: number;
  readonly afterMs: number;
}

/** Kills a replay with executions at random moments, again and again, each time on the store of the one before. */
export async function killTest({ kills, seed, folder, onKill }: KillOptions): Promise<KillCounts> {
  mkdirSync(folder, { recursive: true });
  const bag = join(folder, 'cups.mcap');
  await simulate(scriptNamed('two_cups', { seed, durationS: 8 }), { out: bag });
  const random = new SeededRandom(seed);
  const watch = new Watch();
  while (watch.counts.kills < kills) {
    const expectedFile = join(folder, 'expected.json');
    writeFileSync(expectedFile, JSON.stringify(watch.expected()));
    const moment = { words: 1 + random.uniform() * MOST_WORDS, afterMs: random.uniform() * LONGEST_MS };
    await runVictim([bag, join(folder, 'scene.db'), expectedFile], moment, watch);
    onKill?.(watch.counts);
  }
  return watch.counts;
}

function runVictim(args: readonly string[], { words, afterMs }: KillMoment, watch: Watch): Promise<void> {
  const script = fileURLToPath(new URL('./victim.ts', import.meta.url));
  const victim = spawn(process.execPath, ['--import=tsx', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  watch.begin();
  let heard = 0;
  let isTimed = false;
  let rest = '';
  const limit = setTimeout(() => victim.kill('SIGKILL'), START_LIMIT_MS);
  victim.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) watch.take(JSON.parse(line) as VictimLine);
    heard += lines.length;
    if (!isTimed && heard >= words) {
      isTimed = true;
      setTimeout(() => victim.kill('SIGKILL'), afterMs);
    }
  });
  return new Promise((resolve, reject) => {
    victim.on('error', reject);
    victim.on('close', (code, signal) => {
      clearTimeout(limit);
      watch.end();
      if (signal === 'SIGKILL') resolve();
      else reject(new Error(`a victim ended by itself, with code ${code}`));
    });
  });
}

/** What victims have said, and whether it fits together. */
class Watch {
  readonly counts: KillCounts = {
    kills: 0,
    answered: 0,
    repeated: 0,
    inDoubtStored: 0,
    inDoubtNot: 0,
    refs: 0,
    notOpened: 0,
    lost: 0,
    twice: 0,
    refsReused: 0,
    revisionsFell: 0,
  };
  readonly #answers = new Map<string, ExecutionAnswer>();
  readonly #firstSeen = new Map<string, string>();
  /** Whether something is held after the executions that were answered. */
  #isHolding = false;
  #inDoubt: ConfirmedExecution | undefined;
  #doubted: string | undefined;
  #revision = 0;
  #nextId = 0;
  #hasOpened = false;

  expected(): Expected {
    const inDoubt = this.#inDoubt === undefined ? [] : [this.#inDoubt];
    return { answers: [...this.#answers], inDoubt, nextId: this.#nextId };
  }

  begin(): void {
    this.#hasOpened = false;
    this.#doubted = this.#inDoubt?.executionId;
  }

  take(line: VictimLine): void {
    switch (line.kind) {
      case 'opened':
        this.#hasOpened = line.notes.length === 0;
        this.#checkHand(line);
        break;
      case 'verified':
        this.counts.repeated += line.count;
        this.counts.lost += line.wrong.length;
        break;
      case 'sending':
        this.#inDoubt = line.call;
        this.#nextId = Math.max(this.#nextId, Number(line.call.executionId.split('-')[1]) + 1);
        break;
      case 'answered':
        this.#takeAnswer(line.id, line.answer);
        break;
      case 'brief':
        if (line.revision < this.#revision) this.counts.revisionsFell += 1;
        this.#revision = line.revision;
        for (const [ref, firstSeen] of line.refs) this.#takeRef(ref, firstSeen);
    }
  }

  end(): void {
    this.counts.kills += 1;
    if (!this.#hasOpened) this.counts.notOpened += 1;
  }

  /** Everything that was answered, and at most what was in doubt, is in the ledger; the hand is as it says. */
  #checkHand({ executions, holding }: Extract<VictimLine, { kind: 'opened' }>): void {
    const extra = executions - this.#answers.size;
    if (extra < 0) this.counts.lost += 1;
    if (extra > (this.#inDoubt === undefined ? 0 : 1)) this.counts.twice += 1;
    const wasApplied = extra === 1 && this.#inDoubt !== undefined;
    const isHolding = wasApplied ? this.#inDoubt?.toolName === 'pick' : this.#isHolding;
    if (holding !== (isHolding ? 1 : 0)) this.counts.twice += 1;
  }

  #takeAnswer(id: string, answer: ExecutionAnswer): void {
    if (id === this.#doubted && answer.success) {
      if (answer.alreadyApplied) this.counts.inDoubtStored += 1;
      else this.counts.inDoubtNot += 1;
    }
    if (answer.success) {
      this.#answers.set(id, { ...answer, alreadyApplied: false });
      this.#isHolding = this.#inDoubt?.toolName === 'pick';
      this.counts.answered += 1;
    }
    this.#inDoubt = undefined;
    this.#doubted = undefined;
  }

  /** A thing that was merged with an older one was first seen earlier; one that was first seen later is another one. */
  #takeRef(ref: string, firstSeen: string): void {
    const known = this.#firstSeen.get(ref);
    if (known === undefined) this.counts.refs += 1;
    else if (isLater(firstSeen, known)) this.counts.refsReused += 1;
    this.#firstSeen.set(ref, firstSeen);
  }
}

function isLater(a: string, b: string): boolean {
  const [[epochA, stampA], [epochB, stampB]] = [a, b].map((moment) => moment.split(' ').map(BigInt));
  return epochA !== epochB ? epochA > epochB : stampA > stampB;
}

/** Whether nothing was lost, done twice or named twice. */
export function isClean({ notOpened, lost, twice, refsReused, revisionsFell }: KillCounts): boolean {
  return notOpened + lost + twice + refsReused + revisionsFell === 0;
}

export function formatCounts(counts: KillCounts): string {
  const { kills, answered, repeated, inDoubtStored, inDoubtNot, refs, ...faults } = counts;
  return [
    `kills                        ${kills}`,
    `executions answered          ${answered}, asked for again ${repeated} times`,
    `in doubt at a kill           ${inDoubtStored} stored, ${inDoubtNot} not`,
    `refs shown                   ${refs}`,
    `stores that did not open     ${faults.notOpened}`,
    `answered executions lost     ${faults.lost}`,
    `applied twice                ${faults.twice}`,
    `refs that named another      ${faults.refsReused}`,
    `revisions that fell          ${faults.revisionsFell}`,
    '',
  ].join('\n');
}
