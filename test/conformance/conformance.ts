/**
 * The contract's check-list as one suite for any door. A door is opened once, is shown frames of the
 * scripted world, and is asked only through what it offers its users.
 */
import assert from 'node:assert/strict';
import { homedir, hostname, tmpdir } from 'node:os';
import type {
  Brief,
  ConfirmedExecution,
  ExecutionAnswer,
  ImageAnswer,
  ObjectAnswer,
  RelationsAnswer,
} from '../../src/protocol/index.js';
import type { FrameObservation } from '../../src/perceive/observations.js';
import { frameOf } from './scriptedWorld.js';

/**
 * What the suite needs of a door. It must hand out no Brief by itself while the suite runs (publishing
 * slowed down), or else what is only in the graph cannot be told from what is in the latest Brief.
 */
export interface Door {
  /** Folds one frame into the graph behind the door; resolves when queries can see it. */
  observe(frame: FrameObservation): Promise<void>;
  brief(): Promise<Brief>;
  /** The text that is handed out with the Brief. */
  text(): Promise<string>;
  relations(ref: string, relation?: string): Promise<RelationsAnswer>;
  image(ref: string): Promise<ImageAnswer>;
  object(ref: string): Promise<ObjectAnswer>;
  apply(call: ConfirmedExecution): Promise<ExecutionAnswer>;
  executionHash(): Promise<string>;
  /** Log lines and whatever else was handed out since opening. */
  handedOut(): readonly string[];
  close(): Promise<void>;
}

/** Seconds of frames until a cup is confirmed, with a margin. */
const SETTLING_FRAMES = 12;

/** Declares the suite for one door. */
export function describeConformance(name: string, open: () => Promise<Door>): void {
  describe(`the contract through ${name}`, function () {
    this.timeout(60_000);
    let door: Door;
    let shown = 0;

    const show = async (cupCount: number, frames = SETTLING_FRAMES): Promise<void> => {
      for (let k = 0; k < frames; k += 1) {
        await door.observe(frameOf(shown, cupCount));
        shown += 1;
      }
    };

    before('opens the door and shows it three cups on a table', async () => {
      door = await open();
      await show(3);
    });

    after(async () => {
      await door.close();
    });

    it('1. gives a Brief with unique refs and confidences in [0, 1]', async () => {
      const { objects } = await door.brief();
      assert.equal(objectRefs(objects).length, 3);
      assert.equal(new Set(objects.map(({ ref }) => ref)).size, objects.length);
      for (const { ref, confidence } of objects) {
        assert.ok(confidence !== undefined && confidence >= 0 && confidence <= 1, `${ref}: ${confidence}`);
      }
    });

    it('2. lists every ref of the Brief in the text', async () => {
      const { objects, coordinateFrame } = await door.brief();
      const text = await door.text();
      assert.match(text, new RegExp(`^Scene graph brief:\n {2}objects=${objects.length};\n`));
      assert.ok(text.includes(`coordinate_frame=${coordinateFrame}`));
      for (const { ref } of objects) {
        assert.match(text, new RegExp(`^ {2}- ${ref}( at \\(.*\\))?;$`, 'm'));
      }
    });

    it('3. refuses unknown refs, and refs that only the graph has, until they are in the latest Brief', async () => {
      const known = new Set((await door.brief()).objects.map(({ ref }) => ref));
      assert.deepEqual(await kinds(door, 'cup_99'), everywhere('scene_graph_ref_not_found'));
      assert.deepEqual(await kinds(door, ' '), everywhere('invalid_tool_arguments'));
      await show(4);
      const numbers = [...known].map((ref) => Number(/^object_(\d+)$/.exec(ref)?.[1] ?? 0));
      const fresh = `object_${Math.max(...numbers) + 1}`;
      assert.deepEqual(await kinds(door, fresh), everywhere('scene_graph_ref_not_found'));
      const after = new Set((await door.brief()).objects.map(({ ref }) => ref));
      assert.ok(after.has(fresh), `the new thing is not ${fresh}`);
      assert.deepEqual(await kinds(door, fresh), everywhere('success'));
    });

    it('4. makes the Brief again after new perception: revision and stamp move, never back', async () => {
      const before = await door.brief();
      await show(4, 1);
      const after = await door.brief();
      assert.ok(after.revision > before.revision);
      assert.ok(Date.parse(after.updatedAt ?? '') > Date.parse(before.updatedAt ?? ''));
      assert.ok((await door.brief()).revision >= after.revision);
    });

    it('5. leaves the execution hash as it was on any verdict but success, frames or not', async () => {
      const call = pick(await anObject(door), 'five');
      const hash = await door.executionHash();
      for (const verdict of ['process', 'failure', 'Success', '', '{"status": "unknown"}', '{"ok": true}']) {
        const answer = await door.apply({ ...call, evaluatorVerdict: verdict });
        assert.ok(!answer.success);
        assert.equal(answer.kind, 'verdict_not_success', verdict);
        await show(4, 1);
        assert.equal(await door.executionHash(), hash, verdict);
      }
      assert.deepEqual((await door.brief()).robot.holding ?? [], []);
    });

    it('6. applies a success exactly once: after a refusal with its id, twice in a row, ten at once', async () => {
      const ref = await anObject(door);
      const call = pick(ref, 'six');
      const refused = await door.apply({ ...call, evaluatorVerdict: 'process' });
      assert.equal(refused.success, false);
      const hash = await door.executionHash();
      const atOnce = await Promise.all(Array.from({ length: 10 }, () => door.apply(call)));
      assert.equal(atOnce.filter((answer) => answer.success && !answer.alreadyApplied).length, 1);
      assert.equal(atOnce.filter((answer) => answer.success && answer.alreadyApplied).length, 9);
      const applied = await door.executionHash();
      assert.notEqual(applied, hash);
      const again = await door.apply({ ...call, arguments: JSON.stringify({ obj: 'object_99' }) });
      assert.ok(again.success && again.alreadyApplied && again.applied);
      assert.deepEqual(again.changedRefs, [ref]);
      for (const answer of atOnce) {
        assert.ok(answer.success);
        assert.deepEqual({ ...answer, alreadyApplied: true }, again);
      }
      assert.equal(await door.executionHash(), applied);
      assert.deepEqual((await door.brief()).robot.holding, [ref]);
      assert.deepEqual(await relationWords(door, 'robot'), [`holding ${ref}`]);
    });

    it('6. lets go what it held, marked last_seen where nothing tells the place', async () => {
      const before = await door.brief();
      const held = before.robot.holding?.[0];
      const table = before.objects.find(({ ref }) => ref.startsWith('support_'))?.ref;
      assert.ok(held !== undefined && table !== undefined);
      const place = {
        ...pick(held, 'six-b'),
        toolName: 'place',
        arguments: JSON.stringify({ target: table }),
      };
      const answer = await door.apply(place);
      assert.ok(answer.success, answer.success ? '' : answer.reason);
      assert.equal(answer.update.effects[0]?.estimated, true);
      const after = await door.brief();
      assert.ok(after.revision > before.revision);
      assert.deepEqual(after.robot.holding ?? [], []);
      assert.equal(after.objects.find(({ ref }) => ref === held)?.freshness, 'last_seen');
      assert.ok((await relationWords(door, held)).includes(`on ${table}`));
      const table_relations = await door.relations(table, 'on');
      assert.ok(table_relations.success);
      assert.ok(table_relations.relations.some((edge) => edge.inverse === true && edge.otherRef === held));
    });

    it('7. hands out no local path, whatever it is sent', async () => {
      const lure = `${process.cwd()}/secret.db`;
      const ref = await anObject(door);
      const answers: unknown[] = [
        await door.brief(),
        await door.text(),
        await door.relations(lure),
        await door.relations(ref, lure),
        await door.relations(ref),
        await door.object(ref),
        await door.object(lure),
        await door.image(lure),
        await door.apply({ ...pick(lure, 'seven-a') }),
        await door.apply({ ...pick(ref, 'seven-b'), evaluatorVerdict: lure }),
        await door.apply({ ...pick(ref, 'seven-c'), arguments: `{"obj": ${lure}` }),
      ];
      const image = await door.image(ref);
      const pictures = image.success ? image.images : [];
      for (const picture of pictures) {
        assert.match(picture.mediaType, /^image\//);
        assert.ok(picture.name.length <= 128 && picture.caption.length <= 240);
        answers.push(Buffer.from(picture.data).toString('latin1'), { ...picture, data: '' });
      }
      for (const answer of [...answers, ...door.handedOut()]) {
        assertNoLocalPath(typeof answer === 'string' ? answer : JSON.stringify(answer));
      }
    });

    it('answers every refusal with a kind and one short printable sentence', async () => {
      const ref = await anObject(door);
      const nasty = `x\u0000\n\u001b[31m${'y'.repeat(2000)}`;
      const refusals = [
        await door.relations(nasty),
        await door.relations(ref, nasty),
        await door.image(nasty),
        await door.apply({ ...pick(ref, 'eight'), executionId: 'i'.repeat(257) }),
        await door.apply({ ...pick(ref, 'eight'), executionId: '' }),
        await door.apply({ ...pick(ref, 'eight'), arguments: '[]' }),
        await door.apply({ ...pick(ref, 'eight'), arguments: JSON.stringify({ obj: 'z'.repeat(100_000) }) }),
        await door.apply(pick('object_98', 'eight')),
      ];
      const expected = [
        'scene_graph_ref_not_found',
        'invalid_tool_arguments',
        'scene_graph_ref_not_found',
        'invalid_execution',
        'invalid_execution',
        'invalid_execution',
        'too_large',
        'effect_ref_not_found',
      ];
      assert.deepEqual(
        refusals.map((answer) => (answer.success ? 'success' : answer.kind)),
        expected,
      );
      for (const answer of refusals) {
        assert.ok(!answer.success && answer.reason.length > 0 && answer.reason.length <= 200);
        assert.doesNotMatch(answer.reason, /\p{Cc}/u);
      }
    });
  });
}

function objectRefs(objects: Brief['objects']): string[] {
  return objects.map(({ ref }) => ref).filter((ref) => ref.startsWith('object_'));
}

async function anObject(door: Door): Promise<string> {
  const ref = objectRefs((await door.brief()).objects)[0];
  assert.ok(ref !== undefined, 'the Brief has no object');
  return ref;
}

/** A pick as a client sends it: everything as JSON text. */
function pick(ref: string, id: string): ConfirmedExecution {
  return {
    executionId: `conformance-${id}`,
    toolName: 'pick',
    arguments: JSON.stringify({ obj: ref }),
    // The tool's own word is not the verdict.
    result: JSON.stringify({ success: false }),
    evaluatorVerdict: JSON.stringify({ status: 'success' }),
  };
}

/** How the three queries answer for one ref. */
async function kinds(door: Door, ref: string): Promise<string[]> {
  const answers = [await door.relations(ref), await door.object(ref), await door.image(ref)];
  return answers.map((answer) => (answer.success ? 'success' : answer.kind));
}

function everywhere(kind: string): string[] {
  return [kind, kind, kind];
}

async function relationWords(door: Door, ref: string): Promise<string[]> {
  const answer = await door.relations(ref);
  assert.ok(answer.success, answer.success ? '' : answer.reason);
  return answer.relations.map(({ relation, otherRef }) => `${relation} ${otherRef}`);
}

/** Folders of this machine, and the usual roots of any. */
function assertNoLocalPath(text: string): void {
  for (const folder of [process.cwd(), homedir(), tmpdir()].filter((path) => path.length > 2)) {
    assert.ok(!text.includes(folder), `${text.slice(0, 300)} holds a folder of ${hostname()}`);
  }
  assert.doesNotMatch(text, /(^|[\s"'(=])\/(home|tmp|root|usr|var|etc|opt|mnt|Users|work)\/|file:\/\//);
}
