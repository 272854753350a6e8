import assert from 'node:assert/strict';
import { parseExecution } from '../../src/graph/parseExecution.js';
import type { ConfirmedExecution } from '../../src/protocol/index.js';

const CALL: ConfirmedExecution = {
  executionId: 'e1',
  toolName: 'pick',
  arguments: '{"obj": "cup_1"}',
  result: '{"success": true}',
  evaluatorVerdict: '{"status": "success", "why": "seen"}',
};

function kindOf(change: Partial<ConfirmedExecution>): string {
  const parsed = parseExecution({ ...CALL, ...change });
  return parsed.ok ? 'ok' : parsed.refusal.kind;
}

describe('parseExecution', () => {
  it('reads JSON texts and plain values to the same event', () => {
    const fromText = parseExecution(CALL);
    const fromValues = parseExecution({
      ...CALL,
      arguments: { obj: 'cup_1' },
      result: { success: true },
      evaluatorVerdict: { status: 'success' },
    });
    assert.deepEqual(fromText, fromValues);
    assert.ok(fromText.ok);
    assert.deepEqual(fromText.event.arguments, { obj: 'cup_1' });
  });

  it('refuses what is nested more than 64 levels deep, as text and as value', () => {
    const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
    assert.equal(kindOf({ arguments: nested(64), result: nested(64) }), 'ok');
    for (const levels of [65, 8000]) {
      const listed = '['.repeat(levels) + ']'.repeat(levels);
      assert.equal(kindOf({ arguments: nested(levels) }), 'invalid_execution');
      assert.equal(kindOf({ result: nested(levels) }), 'invalid_execution');
      assert.equal(kindOf({ result: listed }), 'invalid_execution');
      assert.equal(kindOf({ result: JSON.parse(listed) as unknown }), 'invalid_execution');
      for (const verdict of [nested(levels), `{"status": ${listed}}`]) {
        assert.equal(kindOf({ evaluatorVerdict: verdict }), 'invalid_execution');
        assert.equal(kindOf({ evaluatorVerdict: JSON.parse(verdict) as unknown }), 'invalid_execution');
      }
    }
  });

  it('takes a bare status word, exactly', () => {
    assert.equal(kindOf({ evaluatorVerdict: 'success' }), 'ok');
    assert.equal(kindOf({ evaluatorVerdict: '"success"' }), 'ok');
    for (const verdict of [
      'Success',
      ' success',
      'success ',
      'process',
      '',
      undefined,
      true,
      1,
      {},
      { status: true },
    ]) {
      assert.equal(kindOf({ evaluatorVerdict: verdict }), 'verdict_not_success', JSON.stringify(verdict));
    }
    assert.equal(kindOf({ evaluatorVerdict: '{"status": "failure"}' }), 'verdict_not_success');
    assert.equal(kindOf({ evaluatorVerdict: ['success'] }), 'verdict_not_success');
  });

  it('takes no arguments as none, but only objects', () => {
    assert.equal(kindOf({ arguments: '' }), 'ok');
    assert.equal(kindOf({ arguments: undefined, result: undefined }), 'ok');
    assert.equal(kindOf({ arguments: '[1]' }), 'invalid_execution');
    assert.equal(kindOf({ arguments: 'null' }), 'invalid_execution');
    assert.equal(kindOf({ arguments: '{"obj": ' }), 'invalid_execution');
    assert.equal(kindOf({ result: '{' }), 'invalid_execution');
    assert.equal(kindOf({ evaluatorVerdict: '{"status": ' }), 'invalid_execution');
    assert.equal(kindOf({ arguments: { n: 1n } }), 'invalid_execution');
  });

  it('names the part that is too large', () => {
    const parsed = parseExecution({ ...CALL, arguments: JSON.stringify({ text: 'x'.repeat(70_000) }) });
    assert.ok(!parsed.ok);
    assert.equal(parsed.refusal.kind, 'too_large');
    assert.match(parsed.refusal.reason, /^arguments has 7\d{4} characters/);
    assert.equal(kindOf({ toolName: 'x'.repeat(200) }), 'too_large');
  });

  it('refuses empty and over-long ids and empty tool names', () => {
    assert.equal(kindOf({ executionId: '' }), 'invalid_execution');
    assert.equal(kindOf({ executionId: '  ' }), 'invalid_execution');
    assert.equal(kindOf({ executionId: 'x'.repeat(257) }), 'invalid_execution');
    assert.equal(kindOf({ toolName: '' }), 'invalid_execution');
  });

  it('reads the end to the nanosecond', () => {
    const parsed = parseExecution({ ...CALL, finishedAt: '2026-07-27T12:00:00.123456789Z' });
    assert.ok(parsed.ok);
    assert.equal(parsed.event.finishedAt, 1_785_153_600_123_456_789n);
    assert.equal(kindOf({ finishedAt: 'yesterday' }), 'invalid_execution');
    assert.equal(kindOf({ finishedAt: '2026-13-01T00:00:00Z' }), 'invalid_execution');
  });
});
